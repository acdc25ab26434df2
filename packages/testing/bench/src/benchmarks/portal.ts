import { parseArgs } from 'node:util';
import { installedChromium, launchChromium } from '@paper/testkit/browser';
import { prepareTrading, startStandalone } from '@paper/testkit/exchange';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { createClient } from 'paper-trading-client';
import { figure, inTurns, median, printBar, printTable, quantile, seconds } from '../index.ts';
import { Orders } from './neighbour/orders.ts';
import { loadMarketPage } from './portal/market-page.ts';
import type { Sent } from './portal/market-page.ts';
import { openSessions, STREAM_PATHS } from './portal/sessions.ts';
import { startFreshClone, VERSIONS } from './portal/start-time.ts';

/**
 * Measures the portal: what the first page loads, when a market's page is interactive on a slow processor, how much
 * later `npm start` is ready, and what a thousand signed-in people cost the bots.
 *
 * `--only page`, `--only start` or `--only sessions` runs one part; `--seconds 3` and `--sessions 100` are quicker.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    seconds: { type: 'string', default: '20' },
    sessions: { type: 'string', default: '1000' },
  },
});
const SESSIONS = Number(values.sessions);
const SECONDS = Number(values.seconds);
const LOADS = 9;
const THROTTLING = 4;
const STARTS = 3;
const ROUNDS = 5;
const ORDERS_PER_SECOND = 50;
/** The market whose page is measured, and its price levels on each side. */
const MARKET = 'measured';
const LEVELS = 20;

const parts: Readonly<Record<string, () => Promise<void>>> = { page, start, sessions };
for (const [name, run] of Object.entries(parts)) {
  if (values.only === undefined || values.only === name) await run();
}

/** Lists the market with its levels and some trades, and a hundred other markets. */
async function listMarkets(service: RunningStandalone): Promise<void> {
  const markets = [MARKET, ...Array.from({ length: 100 }, (_, n) => `other-${n}`)];
  const keys = await prepareTrading(service, { accounts: 2, markets });
  const [ann, ben] = keys.map((key) => createClient({ baseUrl: service.baseUrl, key }));
  const prices = [...Array.from({ length: LEVELS }, (_, n) => (48 - n) / 100), ...Array<number>(10).fill(0.5)];
  for (const price of prices) {
    const order = { marketId: MARKET, price, quantity: 10 };
    await ann?.createOrder({ ...order, outcome: 'yes' });
    await ben?.createOrder({ ...order, outcome: 'no' });
  }
}

/** A signed-out market page with a warm server, each time in a browser without a cache. */
async function page(): Promise<void> {
  if (installedChromium === undefined) throw new Error('no Chromium is installed');
  const service = await startStandalone();
  const browser = await launchChromium(installedChromium);
  try {
    await listMarkets(service);
    const url = `${service.publicUrl}/markets/${MARKET}`;
    // Warm-up.
    await loadMarketPage(browser, url, THROTTLING);
    const loads = [];
    while (loads.length < LOADS) loads.push(await loadMarketPage(browser, url, THROTTLING));
    const row = printTable(
      ['a market page, heads and bodies as they were sent'],
      ['bytes until interactive', 'after it'],
    );
    const [one] = loads;
    for (const kind of new Set([...(one?.first.keys() ?? []), ...(one?.more.keys() ?? [])])) {
      row(kind, figure(one?.first.get(kind) ?? 0), figure(one?.more.get(kind) ?? 0));
    }
    console.log('');
    const sum = (sent: Sent): number => [...sent.values()].reduce((before, bytes) => before + bytes, 0);
    const show = (bytes: number): string => `${figure(bytes)} bytes`;
    const first = median(loads.map((load) => sum(load.first)));
    printBar('first load, until the page answers to input', first, { atMost: 60 * 1024 }, show);
    const all = median(loads.map((load) => sum(load.first) + sum(load.more)));
    console.log(`with all that it loads in its first idle seconds, streams too: ${show(all)}`);
    printBar('price levels in the first paint', loads[0]?.levelsInHtml ?? 0, { atLeast: 1 });
    const times = loads.map(({ interactiveMs }) => interactiveMs);
    printBar(
      `market page interactive at ${THROTTLING} × CPU throttling, median of ${LOADS}`,
      median(times),
      { atMost: 1_000 },
      (value) => `${figure(value)} ms`,
    );
    const worked = loads.map(({ workedMs }) => workedMs);
    console.log(
      `fastest ${figure(Math.min(...times))} ms, slowest ${figure(Math.max(...times))} ms; of it the main thread worked ` +
        `${figure(median(worked))} ms (fastest ${figure(Math.min(...worked))} ms)\n`,
    );
  } finally {
    await browser.close();
    await service.stop();
  }
}

/** `npm start` from a fresh clone with a warm npm cache, before there was a portal and now. */
async function start(): Promise<void> {
  const [before = [], now = []] = await inTurns(VERSIONS, { rounds: STARTS, warmUps: 1 }, startFreshClone);
  const row = printTable(['npm start from a fresh clone'], ['median s', 'fastest s', 'slowest s']);
  for (const [name, times] of [
    ['without the portal', before],
    ['with it', now],
  ] as const) {
    row(name, ...[median(times), Math.min(...times), Math.max(...times)].map((ms) => figure(ms / 1_000, 2)));
  }
  console.log('');
  printBar('npm start is later by', median(now) - median(before), { atMost: 2_000 }, seconds);
  console.log('');
}

/** Bots trade while people watch: through the portal, or with the same accounts directly at the gateway. */
async function sessions(): Promise<void> {
  const service = await startStandalone({
    env: { SIGN_UPS_PER_HOUR: '1000000', SIGN_UPS_PER_DAY: '1000000', SIGN_UPS_IN_ALL: '1000000' },
  });
  try {
    const people = await openSessions(service, SESSIONS);
    const orders = await Orders.open(service);
    await orders.measure(ORDERS_PER_SECOND, Math.min(3, SECONDS));
    const measured = await inTurns(STREAM_PATHS, { rounds: ROUNDS }, async (way) => {
      const watching = await people.watch(way);
      const p99 = quantile(await orders.measure(ORDERS_PER_SECOND, SECONDS), 0.99);
      return { p99, bytes: await watching.stop() };
    });
    const [through = [], straight = []] = measured;
    const row = printTable(['round'], ['p99 ms through the portal', 'p99 ms straight', 'ratio']);
    const ratios = through.map(({ p99 }, index) => p99 / (straight[index]?.p99 ?? Number.NaN));
    for (const [index, ratio] of ratios.entries()) {
      const [one, other] = [through[index]?.p99 ?? Number.NaN, straight[index]?.p99 ?? Number.NaN];
      row(index + 1, figure(one, 1), figure(other, 1), figure(ratio, 2));
    }
    console.log('');
    printBar(
      `bots' p99 beside ${figure(SESSIONS)} sessions, through the portal by straight, median`,
      median(ratios),
      { atMost: 1.25 },
      (value) => figure(value, 2),
    );
    const fewest = Math.min(...measured.flat().map(({ bytes }) => bytes));
    // A pulse of one market has more than a hundred bytes, and comes every 2 s.
    const due = SESSIONS * 100 * Math.floor(SECONDS / 2);
    printBar('fewest bytes that the watchers of a round got', fewest, { atLeast: due }, figure);
    printBar('orders not answered with 200', orders.refused, { atMost: 0 });
  } finally {
    await service.stop();
  }
}
