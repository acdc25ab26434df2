import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { answerClientErrors } from './client-error.ts';
import { closeWaitingAnswers, cutSlowReaders, limitConnections } from './connections.ts';
import { LIMITS } from './limits.ts';
import type { Metrics } from './metrics.ts';

/** The address to listen at, and time limits of clients. */
export interface ServerSettings {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Headers and body must have arrived by then, else 408. Default: see LIMITS, as for the others. */
  readonly arrivalMs?: number;
  /** How long an idle connection is kept open. */
  readonly keepAliveMs?: number;
  /** An answer that is written whole must have been taken in by then, else the connection is cut. */
  readonly deliveryMs?: number;
  /** More are refused. */
  readonly connectionsMax?: number;
  /** The metrics that count connections. */
  readonly metrics?: Metrics;
}

export interface RunningServer {
  readonly url: string;
  readonly port: number;
  /** Accepts no more connections, answers requests in flight, and cuts the rest after `graceMs`. Idempotent. */
  readonly close: (graceMs: number) => Promise<void>;
}

/** Listens; rejects when it cannot. Every request gets an answer with `{error, code}`, also one that is not HTTP. */
export async function startServer(app: RequestListener, settings: ServerSettings): Promise<RunningServer> {
  const arrivalMs = settings.arrivalMs ?? LIMITS.arrivalMs;
  const inFlight = new Set<ServerResponse>();
  let stopping = false;
  const server = createServer({
    maxHeaderSize: LIMITS.headerBytes,
    headersTimeout: arrivalMs,
    requestTimeout: arrivalMs,
    connectionsCheckingInterval: Math.min(500, Math.max(10, arrivalMs / 4)),
    keepAliveTimeout: settings.keepAliveMs ?? LIMITS.keepAliveMs,
    // Node would answer 400 without a body; the app answers with one.
    requireHostHeader: false,
  });
  // A client that has said all it has to say, and closes its side, still gets its answer. Node knows this property
  // but its types do not.
  Object.assign(server, { httpAllowHalfOpen: true });

  const closeWithConnection = closeWaitingAnswers();
  const track = (request: IncomingMessage, response: ServerResponse): void => {
    inFlight.add(response);
    closeWithConnection(response);
    if (stopping) response.shouldKeepAlive = false;
    response.once('close', () => {
      inFlight.delete(response);
      if (stopping) setImmediate(() => server.closeIdleConnections());
    });
    app(request, response);
  };
  server.on('request', track);
  // Expectations other than 100-continue need not be met (RFC 9110, 10.1.1); Node would answer 417 without a body.
  server.on('checkExpectation', track);
  answerClientErrors(server);
  limitConnections(server, settings.connectionsMax ?? LIMITS.connections, settings.metrics);
  const stopCutting = cutSlowReaders(inFlight, settings.deliveryMs ?? LIMITS.deliveryMs);

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.port, settings.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port, address, family } = server.address() as AddressInfo;

  const stop = async (graceMs: number): Promise<void> => {
    stopping = true;
    for (const response of inFlight) if (!response.headersSent) response.shouldKeepAlive = false;
    const force = setTimeout(() => server.closeAllConnections(), graceMs);
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeIdleConnections();
    });
    clearTimeout(force);
    // The connections are closed. Their last requests get the event, and are logged, a moment later.
    await Promise.all([...inFlight].map((response) => once(response, 'close')));
    stopCutting();
  };
  let closed: Promise<void> | null = null;
  const close = (graceMs: number): Promise<void> => {
    closed ??= stop(graceMs);
    return closed;
  };
  return { url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`, port, close };
}
