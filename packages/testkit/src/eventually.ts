import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A time limit of a test for the machine as it is: the given one times the factor that was measured at the start of the
 * run (`scripts/run/machine.mjs`).
 */
export function scaledMs(ms: number): number {
  return ms * Math.max(1, Number(process.env['PAPER_MACHINE_FACTOR'] ?? 1));
}

export interface EventuallyOptions {
  /** How long it may take, on a machine that has nothing else to do. Default: 30 s. */
  readonly withinMs?: number;
  /** From one look to the next. Default: 10 ms. */
  readonly everyMs?: number;
}

/**
 * Waits until it is so, and gives up after the time limit, scaled for the machine: also where the test that waits has
 * failed long ago, so that nothing goes on looking behind the tests that come after.
 *
 * @throws Error that names `what`; and what `isSo` throws.
 */
export async function eventually(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  { withinMs = 30_000, everyMs = 10 }: EventuallyOptions = {},
): Promise<void> {
  const limitMs = scaledMs(withinMs);
  const untilMs = performance.now() + limitMs;
  while (!(await isSo())) {
    if (performance.now() > untilMs) throw new Error(`not within ${limitMs / 1_000} s: ${what}`);
    await sleep(everyMs);
  }
}
