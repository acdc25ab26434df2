import { showProgress, startCommand } from '@paper/commands';
import { Coverage } from './coverage.ts';
import { describeFailure } from './report.ts';
import { simulate, USUAL_STEPS } from './simulation.ts';

/**
 * `npm run sim` runs the command side, the journal and the folds in one process, with faults that follow from a seed.
 */
const { args, options } = startCommand<{ readonly seeds: number }>('sim');
const [first = 1, steps = USUAL_STEPS] = args as readonly number[];
const { seeds } = options;
const progress = showProgress('seeds');

const startedMs = performance.now();
const totals = { answers: 0, events: 0, lives: 0, seconds: 0, steps: 0, requests: 0 };
const coverage = new Coverage();
let failed = false;
for (let seed = first; seed < first + seeds && !failed; seed += 1) {
  const run = await simulate(seed, steps);
  for (const key of Object.keys(totals) as (keyof typeof totals)[]) totals[key] += run[key];
  coverage.add(run.coverage);
  if (seeds === 1) console.log(`The journal and all that happened have the hash ${run.trace}.`);
  else progress.show('simulating', seed - first + 1, seeds);
  if (run.failure !== null) {
    failed = true;
    const { failure } = run;
    console.log(
      await describeFailure({ failure, seed, steps }, async (fewer) => (await simulate(seed, fewer)).failure),
    );
  }
}
progress.clear();
if (failed) {
  process.exitCode = 1;
} else {
  const count = (n: number): string => Math.round(n).toLocaleString('en');
  console.log(
    `${count(seeds)} ${seeds === 1 ? 'seed' : 'seeds'} from ${first}, nothing found: ${count(totals.steps)} steps in ` +
      `${count(totals.seconds / 60)} simulated minutes and ${count((performance.now() - startedMs) / 1000)} s.\n` +
      `${count(totals.requests)} requests, answered ${count(totals.answers)} times by ${count(totals.lives)} processes; ` +
      `${count(totals.events)} events stored.\nThere were ${coverage.text()}.`,
  );
}
