import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '@paper/testkit';
import type { Random } from '@paper/testkit';
import { marketBody } from '@paper/testkit/http';
import { createCuttableProxy } from '@paper/testkit/servers';
import type { Api } from 'paper-trading-client';
import { createClient, createOperatorClient, LiveOrderBook } from 'paper-trading-client';
import { compareEvents, referenceEvents } from './reference.ts';
import { KilledService } from './service.ts';
import { ClientTrader } from './trader.ts';

export interface Endurance {
  readonly seconds: number;
  readonly seed: number;
  readonly traders: number;
  readonly cutEveryMs: number;
  readonly killEveryMs: number;
  readonly log: (line: string) => void;
}

const MARKET = 'endurance';
const CUT_MS_MAX = 400;
/** An order that differs from all others, which rest at 0.40 to 0.60. */
const LAST_ORDER = { marketId: MARKET, outcome: 'yes', price: 0.01, quantity: 1 } as const;

/**
 * Lets traders place orders and watch their accounts while connections are cut and the service is killed. At the end
 * each account has exactly the acknowledged orders, each stream the events of an uncut connection, and the book of the
 * stream is the service's.
 */
export async function runEndurance(options: Endurance) {
  const service = await KilledService.start();
  const proxy = await createCuttableProxy(service.baseUrl);
  const ending = new AbortController();
  const random = createRandom(options.seed);
  const counts = { cuts: 0, kills: 0 };
  const problems: string[] = [];
  try {
    const traders = await openTraders(service, proxy.url, options.traders, random);
    const book = watchBook(proxy.url);
    const watching = Promise.all(traders.map(({ trader }) => trader.watchUntil(isLast)));
    const trading = Promise.all(traders.map(({ trader }) => trader.trade(ending.signal)));
    const cutRandom = createRandom(random.next());
    const cutting = repeatUntil(ending.signal, options.cutEveryMs, async () => {
      proxy.cut();
      counts.cuts += 1;
      await sleep(cutRandom.int(0, CUT_MS_MAX));
      proxy.mend();
    });
    const killing = repeatUntil(ending.signal, options.killEveryMs, async () => {
      const startedMs = performance.now();
      await service.restart();
      counts.kills += 1;
      options.log(`Kill ${counts.kills}: ready again after ${Math.round(performance.now() - startedMs)} ms`);
    });
    await sleep(options.seconds * 1000);
    ending.abort();
    await Promise.all([cutting, killing, trading]);
    options.log('No more cuts. The last orders are placed, and the streams are read to them.');
    for (const { trader } of traders) await trader.place(LAST_ORDER);
    await watching;
    for (const { after, trader } of traders) {
      const target = { after, baseUrl: service.baseUrl, key: trader.key };
      problems.push(...trader.problems, ...(await judgeOrders(target, trader)));
      problems.push(...judgeEvents(await referenceEvents(target, isLast), trader));
    }
    problems.push(...(await book.judge(service.baseUrl, traders[0]?.trader.key ?? '')));
    const sum = (of: (trader: ClientTrader) => number): number =>
      traders.reduce((total, { trader }) => total + of(trader), 0);
    return {
      orders: sum(({ orderIds }) => orderIds.length),
      refused: sum(({ refused }) => refused),
      unknown: sum(({ unknown }) => unknown),
      events: sum(({ events }) => events.length),
      resumes: sum(({ resumes }) => resumes),
      bookEvents: book.count(),
      ...counts,
      problems,
    };
  } finally {
    ending.abort();
    await proxy.close();
    await service.discard();
  }
}

/** Whether the event is of the last order. Compares prices, since the event may come before the answer with the id. */
function isLast(event: Api.AccountEvent): boolean {
  return event.type === 'order' && event.order.price === LAST_ORDER.price;
}

async function openTraders(service: KilledService, proxyUrl: string, count: number, random: Random) {
  const operator = createOperatorClient({ baseUrl: service.baseUrl, key: service.operatorToken });
  await operator.createMarket(marketBody(MARKET));
  const traders: { readonly trader: ClientTrader; readonly after: number }[] = [];
  for (let nth = 1; nth <= count; nth += 1) {
    const name = `Trader ${nth}`;
    const { apiKey } = await operator.openAccount({ displayName: name, startingBalance: 10_000_000 });
    const key = apiKey.rawKey ?? '';
    const after = operator.journalSeq;
    const client = createClient({ baseUrl: proxyUrl, key });
    const trader = new ClientTrader(name, key, client, MARKET, createRandom(random.next()), after);
    traders.push({ after, trader });
  }
  return traders;
}

function watchBook(proxyUrl: string) {
  const client = createClient({ baseUrl: proxyUrl });
  const watch = client.watchOrderBook(MARKET);
  const book = new LiveOrderBook();
  const problems: string[] = [];
  const trades = new Set<string>();
  let count = 0;
  const following = (async () => {
    for await (const event of watch) {
      if (event.type === 'delta' && event.seq < book.seq) problems.push(`the book went back to event ${event.seq}`);
      if (event.type === 'trade' && trades.has(event.id)) problems.push(`the book's trade ${event.id} came twice`);
      if (event.type === 'trade') trades.add(event.id);
      book.apply(event);
      count += 1;
    }
  })();
  return {
    count: () => count,
    async judge(baseUrl: string, key: string): Promise<readonly string[]> {
      const direct = createClient({ baseUrl, key });
      const { seq } = await direct.fetchOrderBook(MARKET);
      for (const untilMs = performance.now() + 30_000; book.seq < seq && performance.now() < untilMs;) await sleep(50);
      watch.close();
      await following;
      const { yes } = await direct.fetchOrderBook(MARKET, { asOfSeq: book.seq });
      const levels = (side: readonly { readonly price: number; readonly quantity: number }[]): string =>
        side.map(({ price, quantity }) => `${price}×${quantity}`).join(' ');
      const [ours, theirs] = [book, yes].map(({ asks, bids }) => `${levels(bids)} / ${levels(asks)}`);
      if (book.seq < seq) problems.push(`the book is at event ${book.seq}, and the service at ${seq}`);
      if (ours !== theirs) problems.push(`the book at event ${book.seq} is ${ours}, and has to be ${theirs}`);
      return problems;
    },
  };
}

/** Acts after each pause, until the signal aborts. */
async function repeatUntil(ending: AbortSignal, pauseMs: number, act: () => Promise<void>): Promise<void> {
  for (;;) {
    await sleep(pauseMs, undefined, { signal: ending }).catch(() => undefined);
    if (ending.aborted) return;
    await act();
  }
}

/** Checks that each acknowledged order exists once, and no other. */
async function judgeOrders(
  { baseUrl, key }: { readonly baseUrl: string; readonly key: string },
  { name, orderIds }: ClientTrader,
): Promise<readonly string[]> {
  const stored = await createClient({ baseUrl, key }).fetchOrders().all();
  const known = new Set(orderIds);
  const found = new Set(stored.map(({ id }) => id));
  const problems: string[] = [];
  const twice = orderIds.length - known.size;
  if (twice > 0) problems.push(`${name}: ${twice} orders were acknowledged for two commands`);
  const lost = orderIds.filter((id) => !found.has(id));
  if (lost.length > 0) problems.push(`${name}: ${lost.length} acknowledged orders are not there, such as ${lost[0]}`);
  const extra = stored.filter(({ id }) => !known.has(id));
  if (extra.length > 0) problems.push(`${name}: ${extra.length} orders were placed twice, such as ${extra[0]?.id}`);
  return problems;
}

function judgeEvents(expected: readonly string[], { events, name }: ClientTrader): readonly string[] {
  const { doubled, isInOrder, lost } = compareEvents(expected, events);
  if (isInOrder) return [];
  return [`${name}: its stream lost ${lost} events and doubled ${doubled}, of ${expected.length}; in another order`];
}
