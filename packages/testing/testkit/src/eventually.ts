import { setTimeout as sleep } from 'node:timers/promises';

/** Scales a test's time limit by the machine's factor, which follows its load (`scripts/run/machine.mjs`). */
export function scaledMs(ms: number): number {
  return ms * Math.max(1, Number(process.env['PAPER_MACHINE_FACTOR'] ?? 1));
}

export interface EventuallyOptions {
  /** The time limit on an idle machine. Default: 30 s. */
  readonly withinMs?: number;
  /** The interval between checks. Default: 25 ms, since most checks are requests, and tests share the processor. */
  readonly everyMs?: number;
  /** Whether an error of the check means that the condition does not hold yet. Default: no error means that. */
  readonly isNotYet?: (error: unknown) => boolean;
}

/** Waits until the condition holds. @throws Error at the scaled limit, and errors that are not `isNotYet` */
export async function eventually(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  { withinMs = 30_000, everyMs = 25, isNotYet = () => false }: EventuallyOptions = {},
): Promise<void> {
  const limitMs = scaledMs(withinMs);
  const untilMs = performance.now() + limitMs;
  for (;;) {
    let why = '';
    try {
      if (await isSo()) return;
    } catch (error) {
      if (!isNotYet(error)) throw error;
      why = ` (${String(error)})`;
    }
    if (performance.now() > untilMs) throw new Error(`not within ${limitMs / 1_000} s: ${what}${why}`);
    await sleep(everyMs);
  }
}
