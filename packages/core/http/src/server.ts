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

/** A connection of a client. */
interface Connection {
  /** The answers that are not closed yet, in the order of their requests. All but the first wait for their turn. */
  readonly answers: ServerResponse[];
  /** The answer to the request that came last, even if it is closed. */
  latest: ServerResponse | null;
}

type Connections = ReadonlyMap<Duplex, Connection>;

/** Listens; rejects when it cannot. Every request gets an answer with `{error, code}`, even bytes that are not HTTP. */
export async function startServer(app: RequestListener, settings: ServerSettings): Promise<RunningServer> {
  const arrivalMs = settings.arrivalMs ?? LIMITS.arrivalMs;
  const connections = new Map<Socket, Connection>();
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

  const answersProbe = settings.checks === undefined ? () => false : publicProbes(settings.checks);
  const answer: RequestListener = (request, response) => {
    if (!answersProbe(request, response)) app(request, response);
  };
  let isOpen = settings.answersAfter === undefined;
  void settings.answersAfter?.then(() => (isOpen = true));
  const track = (request: IncomingMessage, response: ServerResponse): void => {
    const connection = connectionOf(request.socket, connections);
    connection.answers.push(response);
    connection.latest = response;
    if (stopping) response.shouldKeepAlive = false;
    // An own listener is cheaper than `once`, and a second call does no harm.
    response.on('close', () => {
      remove(connection.answers, response);
      if (stopping) setImmediate(() => server.closeIdleConnections());
    });
    if (isOpen) answer(request, response);
    else void settings.answersAfter?.then(() => answer(request, response));
  };
  server.on('request', track);
  // Expectations other than 100-continue need not be met (RFC 9110, 10.1.1); Node would answer 417 without a body.
  server.on('checkExpectation', track);
  server.on('connection', (socket) => connectionOf(socket, connections));
  answerClientErrors(server, connections);
  limitConnections(server, settings.connectionsMax ?? LIMITS.connections, settings.metrics);
  const stopCutting = cutSlowReaders(connections, settings.deliveryMs ?? LIMITS.deliveryMs);

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
    for (const { answers } of connections.values()) {
      for (const answer of answers) if (!answer.headersSent) answer.shouldKeepAlive = false;
    }
    // Node's `closeAllConnections` leaves connections open on which a CONNECT came.
    const force = setTimeout(() => {
      for (const socket of connections.keys()) socket.destroy();
    }, graceMs);
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeIdleConnections();
      // Node counts a connection without any bytes yet as busy. Browsers and fetch open such connections in advance.
      for (const socket of connections.keys()) if (socket.bytesRead === 0) socket.destroy();
    });
    clearTimeout(force);
    // Once the connections are closed, their last requests get the event and are logged a moment later.
    const last = [...connections.values()].flatMap(({ answers }) => answers);
    await Promise.all(last.map((answer) => once(answer, 'close')));
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
function cutSlowReaders(connections: Connections, deliveryMs: number): () => void {
  const ended = new WeakMap<ServerResponse, number>();
  const look = (): void => {
    const nowMs = performance.now();
    for (const [socket, { answers }] of connections) {
      for (const answer of answers) {
        if (!answer.writableEnded || answer.writableFinished) continue;
        const sinceMs = ended.get(answer);
        if (sinceMs === undefined) ended.set(answer, nowMs);
        else if (nowMs - sinceMs >= deliveryMs) socket.destroy();
      }
    }
  };
  const timer = setInterval(look, Math.max(10, deliveryMs / 8));
  timer.unref();
  return () => clearInterval(timer);
}

/** Returns what is known of a connection. Its answers close with it. */
function connectionOf(socket: Socket, connections: Map<Socket, Connection>): Connection {
  const known = connections.get(socket);
  if (known !== undefined) return known;
  const connection: Connection = { answers: [], latest: null };
  connections.set(socket, connection);
  socket.once('close', () => {
    connections.delete(socket);
    // Node reports the close to the answer whose turn it is alone, so a stream behind it would be written for ever.
    for (const answer of [...connection.answers]) {
      if (answer.socket !== null || answer.writableFinished) continue;
      answer.destroy();
      answer.emit('close');
    }
  });
  return connection;
}

function remove(answers: ServerResponse[], answer: ServerResponse): void {
  // Answers close in the order of their requests, and `splice` makes an array.
  const at = answers.indexOf(answer);
  if (at === 0) answers.shift();
  else if (at > 0) answers.splice(at, 1);
}

/** Answers what never became a request with `{error, code}`, where Node would answer with a bare status line. */
function answerClientErrors(server: Server, connections: Connections): void {
  // Node reports every further read of a broken connection, which may have a stream that goes on.
  const broken = new WeakSet<Duplex>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (broken.has(socket)) return;
    broken.add(socket);
    const answer = toAnswer(error.code ?? '');
    if (answer === null || !socket.writable) {
      socket.destroy();
      return;
    }
    const latest = connections.get(socket)?.latest ?? null;
    if (latest === null || latest.req.complete) {
      answerAfter(latest, socket, answer);
    } else if (latest.headersSent) {
      // The rest of the latest request is broken, and its answer has begun: there is no room for another answer.
      socket.destroy();
    } else {
      latest.statusCode = answer.status;
      writeRaw(socket, answer, allowsCrossOrigin(pathOf(latest.req)) ? CROSS_ORIGIN_HEADERS : []);
    }
  });
  // CONNECT asks for a tunnel; without this, Node would close the connection without an answer.
  server.on('connect', (_request, socket: Duplex) => {
    // Node leaves the socket to this listener, and an error without a listener would end the process.
    socket.on('error', () => socket.destroy());
    answerAfter(connections.get(socket)?.latest ?? null, socket, new ApiError('not_found', 'No such route'));
  });
}

/** Answers what came behind the latest request, once that is answered, and ends the connection. */
function answerAfter(latest: ServerResponse | null, socket: Duplex, answer: ApiError): void {
  if (latest === null || latest.writableFinished) {
    writeRaw(socket, answer);
    return;
  }
  latest.once('close', () => {
    if (socket.writable) writeRaw(socket, answer);
    else socket.destroy();
  });
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
