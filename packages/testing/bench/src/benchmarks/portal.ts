import { parseArgs } from 'node:util';
import { installedChromium, launchChromium } from '@paper/testkit/browser';
import type { Browser } from '@paper/testkit/browser';
import { prepareTrading, startStandalone } from '@paper/testkit/exchange';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { createClient } from 'paper-trading-client';
import { figure, inTurns, median, printBar, printTable, quantile, seconds } from '../index.ts';
import { Orders } from './neighbour/orders.ts';
import { leaveListOpen } from './portal/list-left-open.ts';
import { loadMarketPage } from './portal/market-page.ts';
import type { Sent } from './portal/market-page.ts';
import { loadOnPhone } from './portal/phone.ts';
import { watchPortfolio } from './portal/portfolio.ts';
import { openSessions, STREAM_PATHS } from './portal/sessions.ts';
import { startFreshClone, VERSIONS } from './portal/start-time.ts';

/**
 * Measures the portal: the bytes of the first page; when a market's page is interactive on a slow processor; when a
 * slow phone has painted, and how quickly its ticket accepts a key; how long pulses keep a large portfolio busy; how much
 * later `npm start` is ready; and how much a thousand signed-in people slow bots down. `--only page`, `phone`,
 * `portfolio`, `start` or `sessions` runs one part; `--seconds 3`, `--sessions 100` and `--rounds 1` are quicker. The
 * demo's list of markets, left open for half an hour, runs by `--only list` alone; `--minutes 10` is quicker.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    seconds: { type: 'string', default: '20' },
    sessions: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '5' },
    minutes: { type: 'string', default: '30' },
  },
});
const SESSIONS = Number(values.sessions);
const SECONDS = Number(values.seconds);
const ROUNDS = Number(values.rounds);
const MINUTES = Number(values.minutes);
const LOADS = 9;
const THROTTLING = 4;
const STARTS = 3;
const ORDERS_PER_SECOND = 150;
/** After this time a list left open has loaded everything that it keeps. */
const SETTLED_MINUTES = 5;
/** The market whose page is measured, and its price levels on each side. */
const MARKET = 'measured';
const LEVELS = 20;

const parts: Readonly<Record<string, () => Promise<void>>> = {
  page: () => withBrowser(page),
  phone: () => withBrowser(phone),
  portfolio: () => withBrowser(portfolio),
  start,
  sessions,
  list: () => withBrowser(list, { DEMO: 'on', HOUSE_BOTS: 'on' }),
};
for (const [name, run] of Object.entries(parts)) {
  if (values.only === undefined ? name !== 'list' : values.only === name) await run();
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

interface Warm {
  readonly browser: Browser;
  readonly service: RunningStandalone;
}

async function withBrowser(
  measure: (warm: Warm) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  if (installedChromium === undefined) throw new Error('no Chromium is installed');
  const service = await startStandalone({ env });
  const browser = await launchChromium(installedChromium);
  try {
    await measure({ browser, service });
  } finally {
    await browser.close();
    await service.stop();
  }
}

/** Measures a signed-out market page with a warm server, each time in a browser without a cache. */
async function page({ browser, service }: Warm): Promise<void> {
  await listMarkets(service);
  const url = `${service.publicUrl}/markets/${MARKET}`;
  // The first load only warms up.
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
}

/** Measures list and market page on a slow phone with a warm server, each time in a browser without a cache. */
async function phone({ browser, service }: Warm): Promise<void> {
  await listMarkets(service);
  const row = printTable(['page'], ['first paint ms', 'largest paint ms', 'of', 'shift', 'keys p98 ms']);
  const bars: (() => void)[] = [];
  for (const [name, path] of [
    ['list', '/'],
    ['market', `/markets/${MARKET}`],
  ] as const) {
    const loads = [];
    // The first load only warms up.
    while (loads.length <= LOADS) loads.push(await loadOnPhone(browser, service.publicUrl + path));
    loads.shift();
    const paint = median(loads.map(({ largestMs }) => largestMs));
    const shift = Math.max(...loads.map((load) => load.shift));
    const keyMs = loads.flatMap((load) => load.keyMs);
    const p98 = keyMs.length === 0 ? null : quantile(keyMs, 0.98);
    const first = median(loads.map(({ firstMs }) => firstMs));
    row(name, figure(first), figure(paint), loads[0]?.largest ?? '', figure(shift, 4), p98 === null ? '' : figure(p98));
    const ms = (value: number): string => `${figure(value)} ms`;
    bars.push(() => {
      printBar(`${name}: largest paint, median of ${LOADS}`, paint, { atMost: 1_000 }, ms);
      printBar(`${name}: largest shift of ${LOADS}`, shift, { atMost: 0.01 }, (value) => figure(value, 4));
      if (p98 !== null) printBar(`${name}: keys typed into the ticket, p98`, p98, { atMost: 50 }, ms);
    });
  }
  console.log('');
  for (const print of bars) print();
}

/** Measures the longest tasks of a portfolio of 500 positions, in which every row on screen changes at each pulse. */
async function portfolio({ browser, service }: Warm): Promise<void> {
  const limits = [
    [1, 50],
    [THROTTLING, 200],
  ] as const;
  const factors = limits.map(([factor]) => factor);
  const watched = await watchPortfolio(browser, service, factors, 3 * SECONDS);
  for (const [index, [factor, atMost]] of limits.entries()) {
    const { tasksMs = [], changes = 0 } = watched[index] ?? {};
    const what = `portfolio of 500 positions at ${factor} × CPU throttling`;
    // The browser reports no task below 50 ms.
    printBar(`${what}: longest task`, Math.max(50, ...tasksMs), { atMost }, (value) => `${figure(value)} ms`);
    printBar(`${what}: changed texts`, changes, { atLeast: SECONDS * 10 }, figure);
  }
  console.log('');
}

/** Measures the demo's list of markets, left open on two screens: what its heap keeps, and what its streams send. */
async function list({ browser, service }: Warm): Promise<void> {
  const screens = [
    ['phone', { width: 390, height: 844 }, 30],
    ['1440×900', { width: 1440, height: 900 }, 60],
  ] as const;
  const left = await Promise.all(
    screens.map(([, viewport]) => leaveListOpen(browser, service.publicUrl, viewport, MINUTES)),
  );
  const row = printTable(
    ['minute'],
    screens.flatMap(([name]) => [`heap MB, ${name}`, `stream KB, ${name}`]),
  );
  for (let at = 0; at < MINUTES; at += 1) {
    row(
      at + 1,
      ...left.flatMap(({ heap, streamed }) => [
        figure((heap[at] ?? Number.NaN) / 1e6, 2),
        figure((streamed[at] ?? Number.NaN) / 1e3, 1),
      ]),
    );
  }
  console.log('');
  for (const [index, { heap, streamed }] of left.entries()) {
    const [name, , kb] = screens[index] ?? screens[0];
    const growth = (heap.at(-1) ?? Number.NaN) / (heap[Math.min(SETTLED_MINUTES, heap.length) - 1] ?? Number.NaN);
    const what = `${name}: heap after ${MINUTES} minutes, by that after ${SETTLED_MINUTES}`;
    printBar(what, growth, { atMost: 1.1 }, (value) => `${figure(value, 2)} ×`);
    const most = Math.max(...streamed) / 1e3;
    printBar(`${name}: streams, most in a minute`, most, { atMost: kb }, (value) => `${figure(value, 1)} KB`);
    printBar(`${name}: streams, least in a minute`, Math.min(...streamed), { atLeast: 1 }, figure);
  }
}

/** Measures `npm start` from a fresh clone with a warm npm cache, before there was a portal and now. */
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

/** Measures trading bots alone, beside people in the portal, and beside direct streams of the same accounts. */
async function sessions(): Promise<void> {
  const service = await startStandalone({
    env: { SIGN_UPS_PER_HOUR: '1000000', SIGN_UPS_PER_DAY: '1000000', SIGN_UPS_IN_ALL: '1000000' },
  });
  try {
    const people = await openSessions(service, SESSIONS);
    const orders = await Orders.open(service);
    const measure = async (): Promise<number> => quantile(await orders.measure(ORDERS_PER_SECOND, SECONDS), 0.99);
    await orders.measure(ORDERS_PER_SECOND, Math.min(3, SECONDS));
    const measured = await inTurns([null, ...STREAM_PATHS], { rounds: ROUNDS }, async (way) => {
      if (way === null) return { p99: await measure(), bytes: null };
      const watching = await people.watch(way);
      return { p99: await measure(), bytes: await watching.stop() };
    });
    const [alone = [], through = [], straight = []] = measured.map((results) => results.map(({ p99 }) => p99));
    const row = printTable(['round'], ['p99 ms without sessions', 'through the portal', 'straight at the gateway']);
    for (const [index, ms] of alone.entries()) {
      row(index + 1, ...[ms, through[index], straight[index]].map((p99 = Number.NaN) => figure(p99, 1)));
    }
    console.log('');
    const ratioTo = (others: readonly number[]): number =>
      median(through.map((p99, index) => p99 / (others[index] ?? Number.NaN)));
    const what = `orders' p99 at ${ORDERS_PER_SECOND} a second beside ${figure(SESSIONS)} sessions, by that`;
    const show = (ratio: number): string => figure(ratio, 2);
    printBar(`${what} without, median`, ratioTo(alone), { atMost: 1.5 }, show);
    printBar(`${what} straight at the gateway, median`, ratioTo(straight), { atMost: 1.25 }, show);
    const fewest = Math.min(...measured.flat().flatMap(({ bytes }) => bytes ?? []));
    // The least bytes due: a pulse of one market has more than a hundred bytes, and comes every 2 s.
    const due = SESSIONS * 100 * Math.floor(SECONDS / 2);
    printBar('fewest bytes that the watchers of a round got', fewest, { atLeast: due }, figure);
    printBar('orders not answered with 200', orders.refused, { atMost: 0 });
  } finally {
    await service.stop();
  }
}
