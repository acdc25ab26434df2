import type { Failure } from './simulation.ts';

/** A failing run, and its number of steps with faults. */
export interface FailingRun {
  readonly steps: number;
  readonly failure: Failure;
}

/** Halves the number of steps while `failureOf` finds a failure; it misses failures that need a later fault. */
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
