import { startCommand } from '@paper/commands';
import { runEndurance } from './endure.ts';

/**
 * `npm run chaos -- clients` runs bots that use the TypeScript client while connections are cut and the service is
 * killed. Exit code 1: an order was lost or doubled, or an event of a stream.
 */
const { args, options } = startCommand<{
  readonly cutEvery: number;
  readonly killEvery: number;
  readonly traders: number;
}>('chaos');
const [seconds = 60, seed = 1] = args as readonly number[];
const { cutEvery, killEvery, traders } = options;

const startedMs = performance.now();
const verdict = await runEndurance({
  seconds,
  seed,
  traders,
  cutEveryMs: cutEvery * 1000,
  killEveryMs: killEvery * 1000,
  log: (line) => void process.stderr.write(`${((performance.now() - startedMs) / 1000).toFixed(1)} s  ${line}\n`),
});
const { bookEvents, cuts, events, kills, orders, problems, refused, resumes, unknown } = verdict;
console.log(
  `Seed ${seed}: ${seconds} s, ${cuts} cuts of every connection, ${kills} kills. ${orders} orders acknowledged, ` +
    `${refused} refused, ${unknown} repeated after an unknown end; ${events} events of accounts and ${bookEvents} of ` +
    `the book, on streams that resumed ${resumes} times.`,
);
for (const problem of problems) console.log(`FOUND: ${problem}`);
if (problems.length === 0) console.log('Every order was placed once; the streams lost and doubled nothing.');
process.exit(problems.length === 0 ? 0 : 1);
