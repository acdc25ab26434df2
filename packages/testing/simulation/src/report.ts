import { shrink } from './shrink.ts';
import type { FailingRun } from './shrink.ts';
import type { Failure } from './simulation.ts';

/**
 * A report for people: the failure, in fewer steps if possible, what came before, and the command that repeats it.
 * `failureOf` runs the seed with another number of steps.
 */
export async function describeFailure(
  { seed, steps, failure }: FailingRun & { readonly seed: number },
  failureOf: (steps: number) => Promise<Failure | null>,
): Promise<string> {
  const shortest = await shrink(steps, failure, failureOf);
  const again = shortest.failure;
  return [
    `Seed ${seed} fails at step ${failure.step}: ${textOf(failure.error)}`,
    ...(shortest.steps < steps
      ? [`With ${shortest.steps} steps it fails at step ${again.step}: ${textOf(again.error)}`]
      : []),
    '',
    'What happened before:',
    ...again.history.map((line) => `  ${line}`),
    '',
    `Again: npm run sim -- ${seed} ${shortest.steps}`,
  ].join('\n');
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
