import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ApiError, endpoints } from '@paper/contracts';
import type { ErrorCode } from '@paper/contracts';
import { iso } from '@paper/contracts/units';
import { createPipeline, pathOf, readKey } from '@paper/http';
import { createMetrics } from '@paper/runtime';
import type { Logger } from '@paper/runtime';
import { clockEndpoints } from './clock-routes.ts';
import type { TurnParts } from './clock-routes.ts';

/** The endpoints that are answered without waiting for a turn, since they control the turns. */
const OF_THE_CLOCK: ReadonlySet<string> = new Set(Object.values(clockEndpoints).map(({ path }) => path));

const POSTED_READS: ReadonlySet<string> = new Set(
  Object.values(endpoints)
    .filter(({ kind, method }) => kind === 'read' && method === 'post')
    .map(({ path }) => path),
);

const UNKNOWN_KEY = 'svc_live_unknown';

/** The longest wait of a participant's request for the read models. */
export const READABLE_MS = 60_000;
/** The longest wait of a read without a key, which need not wait for the present state. */
const PUBLIC_MS = 2_000;

interface ServeInTurnsOptions {
  readonly latencyMs: number;
  /** Whether streams show the markets later. */
  readonly isFeedLate: boolean;
  readonly logger: Logger;
  readonly onNewSubAccount: () => void;
}

/**
 * Wraps the app of a backtest: swaps the keys that participants were given for the exchange's, serves each
 * participant's requests in its turn, and adds the time to every answer.
 */
export function serveInTurns(
  app: RequestListener,
  { exchange, feed, participants, turns }: TurnParts,
  { isFeedLate, latencyMs, logger, onNewSubAccount }: ServeInTurnsOptions,
): RequestListener {
  const { now, randomness, readable } = exchange;
  // Nobody reads the metrics of this process.
  const { listener } = createPipeline({ logger, metrics: createMetrics() });
  const refusal = (code: ErrorCode, error: string): RequestListener =>
    listener(() => {
      throw new ApiError(code, error);
    });
  const leftOut = refusal('left_out', LEFT_OUT);
  const ended = refusal('backtest_ended', ENDED);
  return (request, response) => {
    // The time at which the answer was made, and the time that streams show if they are delayed.
    beforeHead(response, () => {
      response.setHeader('x-time', iso(now()));
      if (isFeedLate) response.setHeader('x-feed-time', iso(feed.markets.nowMs));
    });
    const given = readKey(request);
    const known = given === null ? null : (randomness.keys.get(given) ?? UNKNOWN_KEY);
    if (known !== null) replaceKey(request, known);
    const turn = known === null ? null : participants.turnOfKey(known);
    if (turn === null) {
      void readable(PUBLIC_MS).then(() => app(request, response));
      return;
    }
    // The participant has no further turn in which the request could be answered.
    if (turns.isLeftOut(turn)) {
      leftOut(request, response);
      return;
    }
    const path = pathOf(request);
    if (OF_THE_CLOCK.has(path)) {
      app(request, response);
      return;
    }
    const isCommand = request.method !== 'GET' && request.method !== 'HEAD' && !POSTED_READS.has(path);
    const isGone = (): boolean => response.destroyed;
    const serve = async (): Promise<void> => {
      if (isGone()) return;
      if (turns.isOver && isCommand) {
        ended(request, response);
        return;
      }
      randomness.begin();
      await readable(READABLE_MS);
      // A response whose connection has ended by now closes no more, so it would be waited for without end.
      if (isGone()) return;
      await answered(app, request, response);
      if (feed.take(now())) onNewSubAccount();
    };
    turns.serve(turn, async () => {
      if (!isCommand || latencyMs === 0 || response.destroyed || turns.isOver) await serve();
      else turns.serveAt(turn, now() + latencyMs, serve);
    });
  };
}

const LEFT_OUT = 'This participant did not call in time, and was left out: its orders are cancelled.';
const ENDED = 'The backtest has ended: it takes no commands any more, and answers reads for an hour.';

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
