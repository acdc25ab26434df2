import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ApiError, endpoints } from '@paper/contracts';
import type { ErrorCode } from '@paper/contracts';
import { iso } from '@paper/contracts/units';
import { createPipeline, pathOf, readKey } from '@paper/http';
import { createMetrics } from '@paper/runtime';
import type { Logger } from '@paper/runtime';
import { clockEndpoints } from './clock-routes.ts';
import type { Turns } from './turns.ts';

/** The endpoints that are answered without waiting for a turn, since they control the turns. */
const OF_THE_CLOCK: ReadonlySet<string> = new Set(Object.values(clockEndpoints).map(({ path }) => path));

const POSTED_READS: ReadonlySet<string> = new Set(
  Object.values(endpoints)
    .filter(({ kind, method }) => kind === 'read' && method === 'post')
    .map(({ path }) => path),
);

const UNKNOWN_KEY = 'svc_live_unknown';

interface ServeInTurnsOptions {
  readonly app: RequestListener;
  readonly logger: Logger;
  readonly turns: Turns;
  readonly now: () => number;
  readonly latencyMs: number;
  /** Returns the time that streams show; null stands for the present. */
  readonly feedTime: (() => number) | null;
  /** Returns the exchange's key for a key that a participant was given; null for any other key. */
  readonly knownKey: (given: string) => string | null;
  /** Returns the participant with this key of the exchange; null if there is none. */
  readonly turnOf: (knownKey: string) => number | null;
  /** Called before each request of a participant is served, while no other request is. */
  readonly onRequest: () => Promise<void>;
  /** Resolves when the read models contain all decisions, or after a time limit; for requests that wait for no turn. */
  readonly readable: () => Promise<unknown>;
  readonly onServed: () => void;
  readonly onCall: () => void;
}

/**
 * Wraps the app of a backtest: swaps the keys that participants were given for the exchange's, serves each
 * participant's requests in its turn, and adds the time to every answer.
 */
export function serveInTurns(options: ServeInTurnsOptions): RequestListener {
  const { app, feedTime, knownKey, latencyMs, now, onRequest, turnOf, turns } = options;
  // Nobody reads the metrics of this process.
  const { listener } = createPipeline({ logger: options.logger, metrics: createMetrics() });
  const refusal = (code: ErrorCode, error: string): RequestListener =>
    listener(() => {
      throw new ApiError(code, error);
    });
  const leftOut = refusal('left_out', LEFT_OUT);
  const ended = refusal('backtest_ended', ENDED);
  return (request, response) => {
    options.onCall();
    showTime(response, now, feedTime);
    const given = readKey(request);
    const known = given === null ? null : (knownKey(given) ?? UNKNOWN_KEY);
    if (known !== null) replaceKey(request, known);
    const turn = known === null ? null : turnOf(known);
    if (turn === null) {
      void options.readable().then(() => app(request, response));
      return;
    }
    // The participant has no further turn in which the request could be answered.
    if (turns.isLeftOut(turn)) {
      leftOut(request, response);
      return;
    }
    const isCommand = request.method !== 'GET' && request.method !== 'HEAD' && !POSTED_READS.has(pathOf(request));
    const serve = async (): Promise<void> => {
      if (response.destroyed) return;
      if (turns.isOver && isCommand) {
        ended(request, response);
      } else {
        await onRequest();
        await answered(app, request, response);
        options.onServed();
      }
    };
    if (OF_THE_CLOCK.has(pathOf(request))) {
      app(request, response);
      return;
    }
    if (!isCommand || latencyMs === 0) {
      turns.serve(turn, serve);
    } else {
      turns.serve(turn, () => {
        if (response.destroyed || turns.isOver) return serve();
        turns.serveAt(turn, now() + latencyMs, serve);
        return Promise.resolve();
      });
    }
  };
}

const LEFT_OUT = 'This participant did not call in time, and was left out: its orders are cancelled.';
const ENDED = 'The backtest has ended: it takes no commands any more, and answers reads for an hour.';

/** Adds to every answer the time at which it was made, and the time that streams show if they are delayed. */
function showTime(response: ServerResponse, now: () => number, feedTime: (() => number) | null): void {
  beforeHead(response, () => {
    response.setHeader('x-time', iso(now()));
    if (feedTime !== null) response.setHeader('x-feed-time', iso(feedTime()));
  });
}

/** Calls `work` with the arguments of the answer's head, right before it is written. */
function beforeHead(response: ServerResponse, work: (args: readonly unknown[]) => void): void {
  const write = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  response.writeHead = (...args: unknown[]): ServerResponse => {
    work(args);
    return write(...args);
  };
}

function replaceKey({ headers }: IncomingMessage, key: string): void {
  if (headers.authorization !== undefined) headers.authorization = `Bearer ${key}`;
  if (headers['x-api-key'] !== undefined) headers['x-api-key'] = key;
}

/** Resolves when the answer was sent, or its connection has ended; for a stream, when the stream has begun. */
function answered(app: RequestListener, request: IncomingMessage, response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.once('finish', resolve).once('close', resolve);
    beforeHead(response, (args) => {
      if (args.flat().some((one) => String(one).startsWith('text/event-stream'))) resolve();
    });
    app(request, response);
  });
}
