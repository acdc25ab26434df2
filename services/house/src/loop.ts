import { BackOff, pause } from '@paper/timing';
import { ApiRefusal } from 'paper-trading-client';

/** The part of pino's interface that the bots use: fields, then a text. */
export interface HouseLogger {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
}

/** Thrown when the service answered with Retry-After. */
export class RetryLater extends Error {
  override readonly name = 'RetryLater';
  constructor(readonly ms: number) {
    super(`asked to wait ${ms} ms`);
  }
}

const LONGEST_PAUSE_MS = 10_000;

/** Calls `turn` repeatedly, `pauseMs()` apart, until `closed`; after an error with growing pauses. */
export async function loop(
  name: string,
  turn: () => Promise<void>,
  pauseMs: () => number,
  closed: AbortSignal,
  logger: HouseLogger,
): Promise<void> {
  const isOver = (): boolean => closed.aborted;
  const backOff = new BackOff({ firstMs: 100, longestMs: LONGEST_PAUSE_MS });
  while (!isOver()) {
    let waitMs = pauseMs();
    try {
      await turn();
      if (backOff.failures > 0) logger.info({ bot: name }, 'goes on');
      backOff.reset();
    } catch (error) {
      if (isOver()) return;
      const askedMs = pauseAskedMs(error);
      if (askedMs !== null) {
        waitMs = Math.max(waitMs, askedMs);
      } else {
        if (backOff.failures === 0) logger.warn({ bot: name, err: error }, 'a turn failed; trying again');
        waitMs = Math.min(LONGEST_PAUSE_MS, Math.max(waitMs, backOff.next()));
      }
    }
    await pause(waitMs, { signal: closed });
  }
}

function pauseAskedMs(error: unknown): number | null {
  if (error instanceof RetryLater) return error.ms;
  return error instanceof ApiRefusal ? error.retryAfterMs : null;
}

/** Runs `work` for all items, in order, at most `lanes` at the same time. Ends at the first error. */
export async function runConcurrently<T>(items: readonly T[], lanes: number, work: (item: T) => Promise<void>) {
  const queue = items[Symbol.iterator]();
  let failed = false;
  const lane = async (): Promise<void> => {
    for (const item of queue) {
      if (failed) return;
      try {
        await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const results = await Promise.allSettled(Array.from({ length: lanes }, lane));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
