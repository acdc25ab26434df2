import { setTimeout as wait } from 'node:timers/promises';

/** As pino has it: fields, then a text. */
export interface HouseLogger {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
}

/** The service asked to be left alone for a while. */
export class Wait extends Error {
  override readonly name = 'Wait';
  constructor(readonly ms: number) {
    super(`asked to wait ${ms} ms`);
  }
}

const MAX_PAUSE_MS = 10_000;

/**
 * Calls `turn` again and again, `pauseMs()` apart, until `closed`. A turn that fails is no end: the service may be
 * starting, or restarting; what stands there is read anew by the next turn, later and later until one succeeds.
 */
export async function loop(
  name: string,
  turn: () => Promise<void>,
  pauseMs: () => number,
  closed: AbortSignal,
  logger: HouseLogger,
): Promise<void> {
  const isOver = (): boolean => closed.aborted;
  let failures = 0;
  while (!isOver()) {
    let pause = pauseMs();
    try {
      await turn();
      if (failures > 0) logger.info({ bot: name }, 'goes on');
      failures = 0;
    } catch (error) {
      if (isOver()) return;
      if (error instanceof Wait) pause = Math.max(pause, error.ms);
      else {
        if (failures === 0) logger.warn({ bot: name, err: error }, 'a turn failed; trying again');
        pause = Math.min(MAX_PAUSE_MS, Math.max(pause, 100 * 2 ** failures));
        failures += 1;
      }
    }
    await wait(pause, undefined, { signal: closed }).catch(() => undefined);
  }
}

/** Does all of it, at most `lanes` at once, in order of beginning; ends early with the first error. */
export async function inLanes<T>(items: readonly T[], lanes: number, work: (item: T) => Promise<void>): Promise<void> {
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
