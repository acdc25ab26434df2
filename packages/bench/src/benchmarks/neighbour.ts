import { parseArgs } from 'node:util';
import { createCheckedClient, operatorClient, startStandalone } from '@paper/testkit';
import { startNeighbour, type Neighbour, type NeighbourCounts } from './neighbour/neighbour.ts';
import { Traders } from './neighbour/traders.ts';

/**
 * Measures the answer times of orders beside one neighbour who uses the usual rate limits fully: 16 keys place 160
 * orders a second in all, for SECONDS without and for SECONDS with each neighbour, in turns. The service is one
 * process, as `npm start` runs it, with the usual limits; the clients are this process. `--seconds 3` is quicker,
 * `--only "bad keys"` runs one neighbour.
 */
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' }, only: { type: 'string' } } });
const SECONDS = Number(values.seconds);
const CONNECTIONS = 8;
const HISTORY = 4_000;
const FACTOR_BAR = 2;
const MS_BAR = 25;

const quantile = (values: readonly number[], q: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))] ?? NaN;
const ms = (value: number): string => value.toFixed(1);
const cell = (counts: NeighbourCounts): string => `${counts.answered} | ${counts.refused} | ${counts.failed}`;

const service = await startStandalone({ env: { RATE_LIMITS: 'on' } });
let isMet = true;
try {
  const desk = operatorClient(await createCheckedClient(service.baseUrl), service.operatorToken);
  const traders = await Traders.open(desk, service.baseUrl);
  await traders.place(HISTORY);
  const neighbours: readonly Neighbour[] = await startNeighbour(desk, service.baseUrl, CONNECTIONS);
  console.log(
    `16 keys, 160 orders a second, ${SECONDS} s without and ${SECONDS} s with each neighbour in turns; a neighbour is ` +
      `${CONNECTIONS} connections with a request under way on each, and pauses for 50 ms where it is told 429; ` +
      `node ${process.version}\n`,
  );
  console.log('| neighbour | its answers | 429 | other | p99 ms without | p99 ms with | bar ms | |');
  console.log('| --- | --: | --: | --: | --: | --: | --: | --- |');
  // Warm-up.
  await traders.measure(Math.min(3, SECONDS));
  for (const neighbour of neighbours) {
    if (values.only !== undefined && values.only !== neighbour.name) continue;
    const without = quantile(await traders.measure(SECONDS), 0.99);
    const stop = neighbour.begin();
    const beside = quantile(await traders.measure(SECONDS), 0.99);
    const counts = await stop();
    const bar = Math.max(FACTOR_BAR * without, MS_BAR);
    if (beside > bar || counts.answered === 0) isMet = false;
    const verdict = beside > bar ? 'NOT met' : counts.answered === 0 ? 'NOTHING answered' : 'met';
    console.log(`| ${neighbour.name} | ${cell(counts)} | ${ms(without)} | ${ms(beside)} | ${ms(bar)} | ${verdict} |`);
  }
  if (traders.refused > 0) {
    isMet = false;
    console.log(`\n${traders.refused} orders were not answered with 200: NOT met.`);
  }
} finally {
  await service.stop();
}
process.exitCode = isMet ? 0 : 1;
