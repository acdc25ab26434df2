import { costOf, endpoints } from '@paper/contracts';
import type { Endpoint } from '@paper/contracts';
import { prepareTrading, startStandalone } from '@paper/testkit/exchange';
import { figure, httpRequest, HttpConnection, printTable, processorTimeMs } from '../index.ts';
import { openFleet } from './neighbour/fleet.ts';
import { Orders } from './neighbour/orders.ts';

/**
 * Measures the CPU time of each read, in the service (with its threads) and in its Postgres, beside its cost in units.
 * Reads go one after the other on one connection, each after an order, so that only answers that no order changes are
 * cached. Linux only, since it sums what /proc reports of the processes.
 */
const MARKETS = 500;
const HISTORY = 1_600;
const REQUESTS = 20;

interface Read {
  readonly endpoint: Endpoint;
  readonly path: (n: number) => string;
  readonly limit?: number;
  readonly past?: boolean;
}

const service = await startStandalone({ env: { RATE_LIMITS: 'off', HOUSE_BOTS: 'off' } });
try {
  await prepareTrading(service, { accounts: 0, markets: Array.from({ length: MARKETS }, (_, n) => `market-${n}`) });
  const beside = await Orders.open(service);
  await beside.place(HISTORY);
  const { traders } = beside;
  const { key, orders, seq } = await openFleet(service);
  const trader = traders.key(0);
  const list = (endpoint: Endpoint, path: string, limits: readonly number[]): readonly Read[] =>
    limits.map((limit) => ({ endpoint, limit, path: () => `${path}${path.includes('?') ? '&' : '?'}limit=${limit}` }));
  const reads: readonly (readonly [key: string | null, read: Read])[] = [
    ...[
      { endpoint: endpoints.getHealth, path: () => '/api/health' },
      ...list(endpoints.listMarkets, '/api/markets', [50, 500]),
      ...list(endpoints.listMarkets, '/api/markets?sort=activity', [50, 500]),
      ...list(endpoints.listMarkets, '/api/markets?sort=movement', [50]),
      ...list(endpoints.listMarkets, '/api/markets?sort=closing', [50]),
      ...list(endpoints.listMarkets, '/api/markets?q=nowhere', [50]),
      { endpoint: endpoints.getMarket, path: () => '/api/markets/neighbourhood' },
      ...[100, 500].map((points) => ({
        endpoint: endpoints.listMoments,
        limit: points,
        path: () => `/api/markets/neighbourhood/moments?points=${points}`,
      })),
      { endpoint: endpoints.getOrderBook, path: () => '/api/orderbook/neighbourhood' },
      ...list(endpoints.getMarketEvents, '/api/markets/neighbourhood/events', [50, 500]),
      ...list(endpoints.getLeaderboard, '/api/leaderboard', [50, 500]),
      ...list(endpoints.listRecentTrades, '/api/trades/recent', [50, 500]),
      ...list(endpoints.listRecentTrades, '/api/trades/recent?marketId=neighbourhood&from=2026-01-01T00:00:00Z', [50]),
      ...list(endpoints.downloadTrades, '/api/trades', [50, 500]),
      { endpoint: endpoints.getActivity, path: () => '/api/activity' },
      ...[100, 1_000].map((limit) => ({
        endpoint: endpoints.readJournal,
        limit,
        path: (n: number) => `/api/journal?from=${1 + 7 * n}&limit=${limit}`,
      })),
    ].map((read: Read) => [null, read] as const),
    ...[
      { endpoint: endpoints.getPortfolio, path: () => '/api/portfolio' },
      { endpoint: endpoints.getPositions, path: () => '/api/positions' },
      ...list(endpoints.listOrders, '/api/orders', [50, 500]),
      ...list(endpoints.listOrders, '/api/orders?status=cancelled', [50]),
      ...list(endpoints.listFills, '/api/fills', [50, 500]),
      ...list(endpoints.listLedger, '/api/ledger', [50, 500]),
      { endpoint: endpoints.getPortfolio, past: true, path: (n: number) => `/api/portfolio?asOfSeq=${seq - n}` },
      {
        endpoint: endpoints.getOrderBook,
        past: true,
        path: (n: number) => `/api/orderbook/neighbourhood?asOfSeq=${seq - n}`,
      },
      { endpoint: endpoints.listMarketSignals, path: () => '/api/markets/signals' },
    ].map((read: Read) => [trader, read] as const),
    [key, { endpoint: endpoints.listSubAccounts, path: () => '/api/accounts/sub' }],
    [
      key,
      {
        endpoint: endpoints.getOrderHistory,
        limit: 500,
        path: (n) => `/api/orders/${orders[n % orders.length] ?? ''}/history`,
      },
    ],
  ];
  const connection = await HttpConnection.open(traders.port);
  console.log(`${REQUESTS} requests each, an order before every one; node ${process.version}\n`);
  const row = printTable(['read'], ['limit', 'processor ms', 'units', 'ms a unit']);
  const send = async (one: string | null, read: Read, n: number): Promise<void> => {
    const { status, head } = await connection.send(httpRequest('GET', read.path(n), one === null ? {} : { key: one }));
    if (status !== 200) throw new Error(`${read.path(n)}: ${head}`);
  };
  const measure = async (work: (n: number) => Promise<void>): Promise<number> => {
    const before = processorTimeMs(service.pid);
    for (let n = 0; n < REQUESTS; n += 1) {
      await connection.send(traders.crossingRequest(n));
      await work(n);
    }
    return (processorTimeMs(service.pid) - before) / REQUESTS;
  };
  for (const [one, read] of reads) {
    for (let n = 0; n < 5; n += 1) await send(one, read, n);
    const orders = await measure(() => Promise.resolve());
    const ms = Math.max(0, (await measure((n) => send(one, read, n))) - orders);
    const { endpoint, limit, past = false } = read;
    const units = endpoint.cost === null ? 1 : costOf(endpoint.cost, limit === undefined ? null : String(limit), past);
    const parameter = /[?&](sort|q|from|status)=/.exec(read.path(0))?.[1];
    const name = `${endpoint.id}${past ? ', asOfSeq' : parameter === undefined ? '' : `, ${parameter}`}`;
    row(name, limit ?? '', figure(ms, 1), units, figure(ms / units, 2));
  }
  connection.close();
} finally {
  await service.stop();
}
