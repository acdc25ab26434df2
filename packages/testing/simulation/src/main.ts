import { seededProgram, wholeNumber } from '@paper/testkit';
import { Coverage } from './coverage.ts';
import { reportOf } from './report.ts';
import { simulate, USUAL_STEPS } from './simulation.ts';

/**
 * `npm run sim` runs the command side, the journal and the folds in one process, with faults that follow from a seed,
 * and judges after every step. The same seed repeats a failure.
 */
const program = seededProgram('sim', 'Simulate the command side with faults that follow from a seed; judge every step.')
  .argument('[seed]', 'the seed, or with --seeds the first of them', wholeNumber, 1)
  .argument('[steps]', 'how many things happen before nothing goes wrong any more', wholeNumber, USUAL_STEPS)
  .option('--seeds <n>', 'how many seeds, one after the other', wholeNumber, 1)
  .parse();
const [first = 1, steps = USUAL_STEPS] = program.processedArgs as readonly number[];
const { seeds } = program.opts<{ readonly seeds: number }>();

const startedMs = performance.now();
const totals = { answers: 0, events: 0, lives: 0, seconds: 0, steps: 0, requests: 0 };
const coverage = new Coverage();
let failed = false;
for (let seed = first; seed < first + seeds && !failed; seed += 1) {
  const run = await simulate(seed, steps);
  for (const key of Object.keys(totals) as (keyof typeof totals)[]) totals[key] += run[key];
  coverage.add(run.coverage);
  if (seeds === 1) console.log(`The journal and all that happened have the hash ${run.trace}.`);
  else if (process.stderr.isTTY) process.stderr.write(`\r${seed - first + 1} of ${seeds} seeds`);
  if (run.failure !== null) {
    failed = true;
    const { failure } = run;
    console.log(await reportOf({ failure, seed, steps }, async (fewer) => (await simulate(seed, fewer)).failure));
  }
}
if (process.stderr.isTTY && seeds > 1) process.stderr.write('\r\x1b[K');
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
