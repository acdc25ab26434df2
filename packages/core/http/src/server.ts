import { createServer, STATUS_CODES } from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse, Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError } from '@paper/contracts';
import { pathOf } from './call.ts';
import { allowsCrossOrigin, CROSS_ORIGIN_HEADERS } from './cross-origin.ts';
import { LIMITS } from './limits.ts';
import { publicProbes } from './readiness.ts';
import type { ReadinessCheck } from './readiness.ts';
import type { Metrics } from '@paper/runtime';

export interface ServerSettings {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** The path of a Unix socket to listen at instead, for a process to which only its parent connects. */
  readonly socket?: string;
  /** The time limit for the arrival of headers and body, then 408. Default: see LIMITS, as for the other limits. */
  readonly arrivalMs?: number;
  readonly keepAliveMs?: number;
  /** The time limit for a client to receive an answer that is written completely; then the connection is cut. */
  readonly deliveryMs?: number;
  /** The limit of open connections; more are refused. */
  readonly connectionsMax?: number;
  readonly metrics?: Metrics;
  /** Requests wait until this promise has resolved; default: none waits. */
  readonly answersAfter?: Promise<void>;
  /** The checks of /health/ready, which is served with /health/live before the app; default: neither is served. */
  readonly checks?: readonly ReadinessCheck[];
}

export interface RunningServer {
  readonly url: string;
  readonly port: number;
  /** Accepts no more connections, answers requests in flight, and cuts the rest after `graceMs`. Idempotent. */
  readonly close: (graceMs: number) => Promise<void>;
}

/** Listens; rejects when it cannot. Every request gets an answer with `{error, code}`, even bytes that are not HTTP. */
export async function startServer(app: RequestListener, settings: ServerSettings): Promise<RunningServer> {
  const arrivalMs = settings.arrivalMs ?? LIMITS.arrivalMs;
  const inFlight = new Set<ServerResponse>();
  const connections = new Set<Socket>();
  let stopping = false;
  const server = createServer({
    maxHeaderSize: LIMITS.headerBytes,
    headersTimeout: arrivalMs,
    requestTimeout: arrivalMs,
    connectionsCheckingInterval: Math.min(500, Math.max(10, arrivalMs / 4)),
    keepAliveTimeout: settings.keepAliveMs ?? LIMITS.keepAliveMs,
    // Without this, Node would answer 400 without a body; the app's answer has one.
    requireHostHeader: false,
  });
  // A client that has closed its sending side still gets its answer. Node supports this property, but its types omit
  // it.
  Object.assign(server, { httpAllowHalfOpen: true });

  const closeWithConnection = closeWaitingAnswers();
  const answersProbe = settings.checks === undefined ? () => false : publicProbes(settings.checks);
  const answer: RequestListener = (request, response) => {
    if (!answersProbe(request, response)) app(request, response);
  };
  let isOpen = settings.answersAfter === undefined;
  void settings.answersAfter?.then(() => (isOpen = true));
  const track = (request: IncomingMessage, response: ServerResponse): void => {
    inFlight.add(response);
    closeWithConnection(response);
    if (stopping) response.shouldKeepAlive = false;
    // An own listener is cheaper than `once`, and a second call does no harm.
    response.on('close', () => {
      inFlight.delete(response);
      if (stopping) setImmediate(() => server.closeIdleConnections());
    });
    if (isOpen) answer(request, response);
    else void settings.answersAfter?.then(() => answer(request, response));
  };
  server.on('request', track);
  // Expectations other than 100-continue need not be met (RFC 9110, 10.1.1); Node would answer 417 without a body.
  server.on('checkExpectation', track);
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  answerClientErrors(server);
  limitConnections(server, settings.connectionsMax ?? LIMITS.connections, settings.metrics);
  const stopCutting = cutSlowReaders(inFlight, settings.deliveryMs ?? LIMITS.deliveryMs);

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    const listening = (): void => {
      server.off('error', reject);
      resolve();
    };
    if (settings.socket === undefined) server.listen(settings.port, settings.host, listening);
    else server.listen(settings.socket, listening);
  });
  const found = server.address() as AddressInfo | string;
  const { port, address, family } = typeof found === 'string' ? { port: 0, address: found, family: '' } : found;

  const stop = async (graceMs: number): Promise<void> => {
    stopping = true;
    for (const response of inFlight) if (!response.headersSent) response.shouldKeepAlive = false;
    const force = setTimeout(() => server.closeAllConnections(), graceMs);
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeIdleConnections();
      // Node counts a connection without any bytes yet as busy. Browsers and fetch open such connections in advance.
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
    });
    clearTimeout(force);
    // Once the connections are closed, their last requests get the event and are logged a moment later.
    await Promise.all([...inFlight].map((response) => once(response, 'close')));
    stopCutting();
  };
  let closed: Promise<void> | null = null;
  const close = (graceMs: number): Promise<void> => {
    closed ??= stop(graceMs);
    return closed;
  };
  const url = family === '' ? `unix:${address}` : `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  return { url, port, close };
}

/** Refuses connections over `max`, so that file descriptors are left for the database, and counts connections. */
function limitConnections(server: Server, max: number, metrics: Metrics | undefined): void {
  server.maxConnections = max;
  if (metrics === undefined) return;
  metrics.gauge('http_connections', 'Open connections of clients', {
    collect: (gauge) =>
      new Promise((resolve) => {
        server.getConnections((_error, count) => {
          gauge.set(count);
          resolve();
        });
      }),
  });
  const refused = metrics.counter('http_connections_refused_total', 'Connections refused: CONNECTIONS_MAX were open');
  server.on('drop', () => refused.inc());
}

/**
 * Cuts connections whose client does not read an answer that is completely written, because unread bytes stay in
 * memory. A timer per request would cost too much, so one timer checks all, and a client may get a quarter more than
 * `deliveryMs`. Streams limit their unread bytes themselves. Returns a function that stops the checks.
 */
function cutSlowReaders(answers: ReadonlySet<ServerResponse>, deliveryMs: number): () => void {
  const ended = new WeakMap<ServerResponse, number>();
  const look = (): void => {
    const nowMs = performance.now();
    for (const answer of answers) {
      if (!answer.writableEnded || answer.writableFinished) continue;
      const sinceMs = ended.get(answer);
      if (sinceMs === undefined) ended.set(answer, nowMs);
      // Uses the request's socket, because an answer that waits for its turn on a connection has no socket yet.
      else if (nowMs - sinceMs >= deliveryMs) answer.req.socket.destroy();
    }
  };
  const timer = setInterval(look, Math.max(10, deliveryMs / 8));
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Closes pipelined answers when their connection closes. Node reports that only to the answer whose turn it is, so a
 * stream behind it would be written for ever. Call the returned function with each answer as it begins.
 */
function closeWaitingAnswers(): (answer: ServerResponse) => void {
  const waiting = new WeakMap<Socket, Set<ServerResponse>>();
  return (answer) => {
    // Its turn has come, so Node reports the close to it.
    if (answer.socket !== null) return;
    const { socket } = answer.req;
    let answers = waiting.get(socket);
    if (answers === undefined) {
      const made = new Set<ServerResponse>();
      answers = made;
      waiting.set(socket, made);
      socket.once('close', () => {
        for (const one of made) {
          one.destroy();
          one.emit('close');
        }
      });
    }
    answers.add(answer);
    answer.once('socket', () => answers.delete(answer));
  };
}

/** Answers what never became a request with `{error, code}`, where Node would answer with a bare status line. */
function answerClientErrors(server: Server): void {
  const latest = new WeakMap<Duplex, { request: IncomingMessage; response: ServerResponse }>();
  server.prependListener('request', (request, response) => latest.set(request.socket, { request, response }));

  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const answer = toAnswer(error.code ?? '');
    if (answer === null || !socket.writable) {
      socket.destroy();
      return;
    }
    const current = latest.get(socket);
    if (current === undefined || (current.request.complete && current.response.writableFinished)) {
      writeRaw(socket, answer);
    } else if (!current.request.complete) {
      // The rest of the latest request is broken. If its answer has begun, there is no room for another answer.
      if (current.response.headersSent) {
        socket.destroy();
      } else {
        current.response.statusCode = answer.status;
        writeRaw(socket, answer, allowsCrossOrigin(pathOf(current.request)) ? CROSS_ORIGIN_HEADERS : []);
      }
    } else {
      // A malformed request after a good one waits until the good one is answered.
      current.response.once('close', () => {
        if (socket.writable) writeRaw(socket, answer);
        else socket.destroy();
      });
    }
  });
  // CONNECT asks for a tunnel; without this, Node would close the connection without an answer.
  server.on('connect', (_request, socket: Duplex) => writeRaw(socket, new ApiError('not_found', 'No such route')));
}

/** Maps Node's error code to an answer; null if no client is left to read one. */
function toAnswer(code: string): ApiError | null {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiError('request_timeout', 'The request did not arrive in time');
  if (code === 'HPE_HEADER_OVERFLOW') return new ApiError('payload_too_large', 'The headers are too large', 431);
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return new ApiError('payload_too_large', 'The body is too large');
  if (code.startsWith('HPE_')) {
    return new ApiError('validation_failed', 'validation failure: request: not well-formed HTTP/1.1');
  }
  return null;
}

function writeRaw(socket: Duplex, error: ApiError, headers: readonly string[] = []): void {
  const lines = headers.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${headers[at + 1]}`] : []));
  const body = JSON.stringify({ error: error.message, code: error.code });
  socket.end(
    [
      `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'cache-control: no-store',
      'connection: close',
      ...lines,
      '',
      body,
    ].join('\r\n'),
    // The connection is ended, and not left half-open: whatever the client still sends is ignored.
    () => socket.destroy(),
  );
}
