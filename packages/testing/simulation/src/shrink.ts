import type { Failure } from './simulation.ts';

/** A failing run, and its number of steps with faults. */
export interface FailingRun {
  readonly steps: number;
  readonly failure: Failure;
}

/**
 * Looks for a shorter run that fails: halves the number of steps while `failureOf` finds a failure. The search misses a
 * failure that needs a later fault, so a still shorter failing run may exist.
 */
export async function shrink(
  steps: number,
  failure: Failure,
  failureOf: (steps: number) => Promise<Failure | null>,
): Promise<FailingRun> {
  let shortest: FailingRun = { failure, steps };
  let passing = 0;
  // Steps after the failure do not matter.
  for (let next = Math.min(steps, failure.step); next > passing && next <= shortest.steps;) {
    const found = await failureOf(next);
    if (found === null) passing = next;
    else shortest = { failure: found, steps: next };
    next = (passing + shortest.steps) >> 1;
    if (next === shortest.steps) break;
  }
  return shortest;
}
