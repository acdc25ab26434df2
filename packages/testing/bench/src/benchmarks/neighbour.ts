import { parseArgs } from 'node:util';
import { startStandalone } from '@paper/testkit/exchange';
import { figure, printBar, printTable, quantile, verdict } from '../index.ts';
import { batchingFleets } from './neighbour/batching-fleets.ts';
import { startNeighbour } from './neighbour/neighbour.ts';
import type { Neighbour } from './neighbour/neighbour.ts';
import { Orders } from './neighbour/orders.ts';
import { historyReplays } from './neighbour/replays.ts';

/**
 * Measures the answer times of orders, 160 a second by 16 keys, in turns without and beside a neighbour: another client
 * that uses its rate limits fully. The service is that of `npm start`. The clients run in this process. `--seconds 3` is
 * quicker, `--only "bad keys"` runs one neighbour.
 */
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' }, only: { type: 'string' } } });
const SECONDS = Number(values.seconds);
const CONNECTIONS = 8;
const HISTORY = 4_000;
const RATE = 160;
const FACTOR_BAR = 2;
const MS_BAR = 25;

const ms = (value: number): string => figure(value, 1);

const service = await startStandalone({ env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: 'loopback' } });
try {
  const orders = await Orders.open(service);
  await orders.place(HISTORY);
  const neighbours: readonly Neighbour[] = [
    ...(await startNeighbour(service, CONNECTIONS)),
    await historyReplays(service, CONNECTIONS),
    await batchingFleets(service),
  ];
  console.log(
    `16 keys, ${RATE} orders a second, ${SECONDS} s without and ${SECONDS} s with each neighbour in turns; a neighbour is ` +
      `${CONNECTIONS} connections (five fleets: 40 each) with a request under way on each, and pauses for 50 ms after a 429; ` +
      `node ${process.version}\n`,
  );
  const row = printTable(['neighbour'], ['its answers', '429', 'other', 'p99 ms without', 'p99 ms with', 'bar ms', '']);
  let fewest = Infinity;
  // The first load only warms up.
  await orders.measure(RATE, Math.min(3, SECONDS));
  for (const neighbour of neighbours) {
    if (values.only !== undefined && values.only !== neighbour.name) continue;
    const without = quantile(await orders.measure(RATE, SECONDS), 0.99);
    const stop = neighbour.begin();
    const beside = quantile(await orders.measure(RATE, SECONDS), 0.99);
    const counts = await stop();
    fewest = Math.min(fewest, counts.answered);
    const bar = neighbour.barMs ?? Math.max(FACTOR_BAR * without, MS_BAR);
    const met = verdict(beside, { atMost: bar });
    row(neighbour.name, counts.answered, counts.refused, counts.failed, ms(without), ms(beside), ms(bar), met);
  }
  console.log('');
  printBar('fewest answers to a neighbour', fewest, { atLeast: 1 });
  printBar('orders not answered with 200', orders.refused, { atMost: 0 });
} finally {
  await service.stop();
}
