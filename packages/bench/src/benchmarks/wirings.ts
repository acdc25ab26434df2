import { judgeFailover } from '@paper/testkit';
import { measureFreshness } from './wirings/freshness.ts';
import { Measured } from './wirings/load.ts';
import { startWirings } from './wirings/start.ts';

/**
 * Measures POST /api/orders on the three wirings in one run, each on servers that flush: the standalone, services with
 * the journal in Postgres, services with the journal in EventStoreDB; through the front door, and directly at the
 * command API. Rounds take turns. Then it measures how soon an answered order can be read. At the end every answer is
 * compared with the journals. ROUNDS (default 5) rounds of ROUND_MS (default 2,000) with each of CONNECTIONS (default
 * 1,16,64,256).
 */
const ROUNDS = Number(process.env['ROUNDS'] ?? 5);
const ROUND_MS = Number(process.env['ROUND_MS'] ?? 2_000);
const CONNECTIONS = (process.env['CONNECTIONS'] ?? '1,16,64,256').split(',').map(Number);
/** The number of connections for which CPU time is shown. */
const PROCESSOR_AT = 64;
const BESIDE = [0, 16];
const FRESHNESS_MS = 4 * ROUND_MS;

const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);
const quantile = (values: readonly number[], q: number): number =>
  sorted(values)[Math.min(values.length - 1, Math.floor(values.length * q))] ?? Number.NaN;
const median = (values: readonly number[]): number => quantile(values, 0.5);
const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
const ms = (value: number): string => (value < 10 ? value.toFixed(1) : whole(value));

const wirings = await startWirings();
let isTrue = true;
try {
  const { entrances, missing, sets } = wirings;
  console.log(
    `100 accounts, 20 markets, every order with an Idempotency-Key; ${ROUNDS} rounds of ${ROUND_MS} ms in turns, after ` +
      `one to warm up; node ${process.version}\n`,
  );
  console.log('POST /api/orders: orders a second (median of the rounds), milliseconds to an answer (of all rounds),');
  console.log('and to the end of the projection after a round (median)\n');
  console.log('| wiring | connections | orders/s | p50 ms | p99 ms | projection ms |');
  console.log('| --- | --: | --: | --: | --: | --: |');
  const processor: string[] = [];
  for (const connections of CONNECTIONS) {
    const measured = entrances.map(() => new Measured());
    for (let round = -1; round < ROUNDS; round += 1) {
      process.stderr.write(`${connections} connections, round ${round + 1} of ${ROUNDS}\n`);
      for (const [index, { port, set }] of entrances.entries()) {
        const into = round < 0 ? new Measured() : measured[index];
        await into?.round(set, port, connections, ROUND_MS);
      }
    }
    for (const [index, { catchUpsMs, latenciesMs, processor: spent, rates }] of measured.entries()) {
      const name = entrances[index]?.name ?? '';
      const times = [median(latenciesMs), quantile(latenciesMs, 0.99), median(catchUpsMs)].map(ms);
      console.log(`| ${[name, connections, whole(median(rates)), ...times].join(' | ')} |`);
      if (connections !== PROCESSOR_AT) continue;
      for (const [process, seconds] of spent) {
        processor.push(`| ${name} | ${process} | ${whole((1e6 * seconds) / latenciesMs.length)} |`);
      }
    }
  }
  for (const line of missing) console.log(`| ${line} | | | | | |`);

  console.log(`\nProcessor time of our processes, projection and all, ${PROCESSOR_AT} connections\n`);
  console.log('| wiring | process | µs an order |');
  console.log('| --- | --- | --: |');
  for (const line of processor) console.log(line);

  console.log('\nFrom an answer until it is seen, milliseconds (p50 / p99)\n');
  console.log('| wiring | connections beside | portfolio | account stream | pulse |');
  console.log('| --- | --: | --: | --: | --: |');
  for (const beside of BESIDE) {
    for (const [name, set] of sets) {
      process.stderr.write(`freshness of ${name}, ${beside} beside\n`);
      const { accountStreamMs, portfolioMs, pulseMs } = await measureFreshness(set, beside, FRESHNESS_MS);
      await set.caughtUp();
      const seen = [portfolioMs, accountStreamMs, pulseMs].map(
        (values) => `${ms(median(values))} / ${ms(quantile(values, 0.99))}`,
      );
      console.log(`| ${[name, beside, ...seen].join(' | ')} |`);
    }
  }

  console.log('\nEvery order held against the journal, whose chain of hashes was checked\n');
  console.log('| wiring | orders answered | events | lost | duplicated | never sent |');
  console.log('| --- | --: | --: | --: | --: | --: |');
  for (const [name, set] of sets) {
    const journal = await set.exchange.openJournal();
    const { duplicated, events, invented, lost } = await judgeFailover(journal, set);
    await journal.close();
    isTrue &&= lost.length + duplicated.length + invented.length === 0;
    const counts = [set.answered.size, events, lost.length, duplicated.length, invented.length].map(whole);
    console.log(`| ${[name, ...counts].join(' | ')} |`);
  }
} finally {
  await wirings.stop();
}
// Exiting also ends servers that were started for the benchmark.
process.exit(isTrue ? 0 : 1);
