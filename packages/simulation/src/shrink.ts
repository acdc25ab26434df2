import type { Failure } from './simulation.ts';

/** A run that fails, and after how many steps nothing was to go wrong any more in it. */
export interface FailingRun {
  readonly steps: number;
  readonly failure: Failure;
}

/**
 * Looks for a shorter run that fails: ever smaller numbers of steps by halving, as long as `failureOf` finds something.
 * A failure that needs a later mishap is lost with it, so this is the shortest that was found, not the shortest there is.
 */
export async function shrink(
  steps: number,
  failure: Failure,
  failureOf: (steps: number) => Promise<Failure | null>,
): Promise<FailingRun> {
  let shortest: FailingRun = { failure, steps };
  let passing = 0;
  // What happens after the failure is of no matter.
  for (let next = Math.min(steps, failure.step); next > passing && next <= shortest.steps;) {
    const found = await failureOf(next);
    if (found === null) passing = next;
    else shortest = { failure: found, steps: next };
    next = (passing + shortest.steps) >> 1;
    if (next === shortest.steps) break;
  }
  return shortest;
}
