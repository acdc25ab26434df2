import { DAY_MS } from '@paper/contracts/units';
import { ORDER_STATUSES } from '@paper/exchange/vocabulary';
import { expect } from 'chai';
import { sql } from 'kysely';
import { findOrderBookAsOf } from '../src/reads/as-of/order-book.ts';
import { findPortfolioAsOf } from '../src/reads/as-of/portfolio.ts';
import { createIndexes } from '../src/engine/create-schema.ts';
import { ALL_TABLES } from '../src/models/tables.ts';
import { connectReadModels } from '../src/projection/database.ts';
import type { ReadDb } from '../src/models/tables.ts';
import { accountEvents, liveKeys } from '../src/reads/account-events.ts';
import { cancelsAtOf, listSubAccounts, meOf, ownerOfKey } from '../src/models/accounts/queries.ts';
import { findActivity } from '../src/reads/activity.ts';
import { probabilitiesAt } from '../src/models/minutes/at-end-of.ts';
import { findCandles } from '../src/models/minutes/queries.ts';
import { listFills, listRecentTrades, listTrades } from '../src/models/fills/queries.ts';
import { listLedger } from '../src/reads/ledger.ts';
import { findKeyOwner, listKeys } from '../src/models/accounts/keys.ts';
import { listMarkets, listMarketsByClosing, newestActive, rankMarkets } from '../src/models/markets/market-lists.ts';
import { marketOf, orderBookOf } from '../src/models/markets/queries.ts';
import { findMoments } from '../src/models/books/queries.ts';
import { findOrderHistory, findOrderSequences } from '../src/models/orders/order-history.ts';
import {
  findAnyOrder,
  findOrder,
  findOrderByClientId,
  listOpenOrders,
  listOrders,
} from '../src/models/orders/queries.ts';
import { portfolioOf } from '../src/reads/portfolio.ts';
import { positionsOf } from '../src/models/positions/queries.ts';
import { mostActiveMarkets, pulseEntries } from '../src/reads/pulse.ts';
import { signalInputs } from '../src/reads/signal-inputs.ts';
import { listRecentSignals } from '../src/models/signals/queries.ts';
import { findTimeline } from '../src/reads/timeline.ts';
import { findTrader } from '../src/reads/trader.ts';
import { answerOf } from './answer-of.ts';
import { BUSY_ACCOUNT, fillLargeTables, HOT_MARKET, NEWEST_AT, RARE_MARKET } from './large-tables.ts';
import { genericPlanOf, planOf, rowsRead, statementsOf } from './query-plan.ts';
import type { PlanNode, Query } from './query-plan.ts';
import { useReadDatabase } from './read-database.ts';
import { tradeFilters } from './trade-filters.ts';

/** Tables have 10,000 to 180,000 rows then, the busy account tens of thousands. */
const SCALE = { accounts: 10_000, orders: 100_000, markets: 200, quietMarkets: 30_000 };
const NEWEST_SEQ = 10 * SCALE.orders;
/** Limits of the API's lists, and of what accounts' streams read at once. */
const PAGE = 50;
const LONG_PAGE = 500;
/** The most rows a query may read, discarded ones included. Growing tables are far larger, live markets and traders not. */
const ROWS_MAX = 5_000;

/** A stretch of time amid the trades. */
const MIDST = { fromMs: NEWEST_AT - SCALE.orders / 2, toMs: NEWEST_AT - SCALE.orders / 4 };

const names = (count: number, prefix: string): string[] => Array.from({ length: count }, (_, n) => `${prefix}-${n}`);

/** Every query that a request, a stream or a board asks, but the ranking: that one reads every account, in the background. */
const QUERIES: Readonly<Record<string, Query>> = {
  'who a key is': (db) => answerOf(db, meOf, 'key-77'),
  'a dead-man switch': (db) => answerOf(db, cancelsAtOf, BUSY_ACCOUNT),
  'whose a key is': (db) => answerOf(db, ownerOfKey, 'hash-77'),
  'sub-accounts': (db) => listSubAccounts(db, BUSY_ACCOUNT),
  'the keys of a fleet': (db) => listKeys(db, BUSY_ACCOUNT, { limit: 100 }),
  'the keys of a fleet, far back': (db) => listKeys(db, BUSY_ACCOUNT, { limit: 100, after: NEWEST_SEQ / 2 }),
  'whose a key is that was revoked': (db) => findKeyOwner(db, 'old-key-77'),
  'the markets': (db) => listMarkets(db, { limit: PAGE }),
  'the markets of a phase': (db) => listMarkets(db, { phase: 'resolved', limit: PAGE }),
  'the markets of a sector': (db) => listMarkets(db, { status: 'resolved', sector: 'sector-9', limit: PAGE }),
  'the markets of a company': (db) =>
    listMarkets(db, { status: 'resolved', companySlug: 'company-7', sector: 'sector-7', limit: PAGE }),
  'the markets with a text': (db) => listMarkets(db, { status: 'active', q: 'nowhere', limit: PAGE }),
  'the markets with a text like it': (db) =>
    listMarkets(db, { status: 'active', q: 'nowhree acme', alikeBy: 'read_models', limit: PAGE }),
  'the next markets to close': (db) => listMarketsByClosing(db, { status: 'resolved', limit: PAGE }),
  'the next markets to close, far on': (db) =>
    listMarketsByClosing(db, { status: 'resolved', limit: PAGE, after: [NEWEST_AT, 'quiet-2'] }),
  'the markets with most activity': (db) =>
    rankMarkets(db, 'activity', { status: 'active', limit: PAGE, minuteMs: NEWEST_AT }),
  'the markets that moved most, further on': (db) =>
    rankMarkets(db, 'movement', {
      status: 'active',
      limit: PAGE,
      minuteMs: NEWEST_AT,
      after: [NEWEST_AT, 0, 'market-7'],
    }),
  'the trends of a page of markets': (db) =>
    probabilitiesAt(
      db,
      names(PAGE, 'market'),
      Array.from({ length: 24 }, (_, hour) => NEWEST_AT - hour * 3_600_000),
    ),
  'the newest active markets': (db) => answerOf(db, newestActive, String(PAGE)),
  'a market': (db) => answerOf(db, marketOf, HOT_MARKET),
  'an order book': (db) => answerOf(db, orderBookOf, HOT_MARKET),
  'an order book of the past': (db) => findOrderBookAsOf(db, HOT_MARKET, NEWEST_SEQ / 2),
  'a portfolio': (db) => answerOf(db, portfolioOf, BUSY_ACCOUNT),
  'what is new in a portfolio': (db) =>
    answerOf(db, portfolioOf, BUSY_ACCOUNT, { seq: NEWEST_SEQ - 10, marketIds: names(PAGE, 'market') }),
  'a portfolio of the past': (db) => findPortfolioAsOf(db, BUSY_ACCOUNT, NEWEST_SEQ / 2, NEWEST_SEQ),
  'a portfolio of long ago': (db) => findPortfolioAsOf(db, BUSY_ACCOUNT, SCALE.accounts, NEWEST_SEQ),
  positions: (db) => answerOf(db, positionsOf, BUSY_ACCOUNT),
  orders: (db) => listOrders(db, BUSY_ACCOUNT, { limit: LONG_PAGE }),
  'orders, far back': (db) => listOrders(db, BUSY_ACCOUNT, { limit: LONG_PAGE, after: ['ended', NEWEST_SEQ / 2] }),
  'orders of a market': (db) => listOrders(db, BUSY_ACCOUNT, { limit: LONG_PAGE, marketId: RARE_MARKET }),
  'orders of each status': async (db) => {
    for (const status of ORDER_STATUSES) await listOrders(db, BUSY_ACCOUNT, { limit: PAGE, status });
  },
  'orders of a status of a market': (db) =>
    listOrders(db, BUSY_ACCOUNT, { limit: LONG_PAGE, marketId: RARE_MARKET, status: 'cancelled' }),
  'an order': (db) => findOrder(db, BUSY_ACCOUNT, 'order-999'),
  'an order by its client id': (db) => findOrderByClientId(db, BUSY_ACCOUNT, 'client-6'),
  'open orders': (db) => listOpenOrders(db, BUSY_ACCOUNT, { isFleet: false, limit: LONG_PAGE }),
  "a fleet's open orders of a market": (db) =>
    listOpenOrders(db, BUSY_ACCOUNT, { isFleet: true, limit: LONG_PAGE, marketId: RARE_MARKET }),
  'whose an order is': (db) => findAnyOrder(db, 'order-7'),
  'the history of an order': (db) => findOrderHistory(db, BUSY_ACCOUNT, 'order-999', { limit: LONG_PAGE }),
  'the sequences of an order': (db) => findOrderSequences(db, 'order-999', { limit: 1_000 }),
  'a trader': (db) => findTrader(db, NEWEST_AT, BUSY_ACCOUNT),
  'a trader since a time': (db) => findTrader(db, NEWEST_AT, BUSY_ACCOUNT, MIDST.fromMs),
  'a ledger': (db) => listLedger(db, BUSY_ACCOUNT, { limit: LONG_PAGE }),
  'a ledger, far on': (db) => listLedger(db, BUSY_ACCOUNT, { limit: LONG_PAGE, after: [NEWEST_SEQ / 2, 0] }),
  fills: (db) => listFills(db, BUSY_ACCOUNT, { limit: PAGE }),
  'fills, far back': (db) => listFills(db, BUSY_ACCOUNT, { limit: PAGE, after: NEWEST_SEQ / 2 }),
  'fills of a market': (db) => listFills(db, BUSY_ACCOUNT, { limit: PAGE, marketId: RARE_MARKET }),
  'fills of an idle account': (db) => listFills(db, 'account-x', { limit: PAGE }),
  'candles of minutes': (db) => findCandles(db, NEWEST_AT, HOT_MARKET, { period: 1, limit: LONG_PAGE }),
  'candles of hours between times': (db) =>
    findCandles(db, NEWEST_AT, HOT_MARKET, {
      period: 60,
      fromMs: NEWEST_AT - 3 * DAY_MS,
      toMs: NEWEST_AT,
      limit: LONG_PAGE,
    }),
  'recent trades': (db) => listRecentTrades(db, { limit: PAGE }),
  'recent trades, far back': (db) => listRecentTrades(db, { limit: PAGE, after: NEWEST_SEQ / 2 }),
  'recent trades of a market': (db) => listRecentTrades(db, { limit: PAGE, marketId: RARE_MARKET }),
  'recent trades of some days': (db) => listRecentTrades(db, { limit: PAGE, ...MIDST }),
  'recent trades of a market, some days': (db) => listRecentTrades(db, { limit: PAGE, marketId: HOT_MARKET, ...MIDST }),
  'recent trades of the future': (db) => listRecentTrades(db, { limit: PAGE, fromMs: NEWEST_AT + DAY_MS }),
  ...Object.fromEntries(
    tradeFilters({ ...MIDST, after: NEWEST_SEQ / 2, markets: [HOT_MARKET, RARE_MARKET] }).map(({ filter, name }) => [
      `all trades${name}`,
      (db: ReadDb) => listTrades(db, { ...filter, limit: LONG_PAGE }),
    ]),
  ),
  'recent signals': (db) => listRecentSignals(db, { limit: PAGE }),
  'a timeline': (db) => findTimeline(db, HOT_MARKET, { limit: LONG_PAGE }),
  'a timeline of few trades': (db) => findTimeline(db, RARE_MARKET, { limit: LONG_PAGE }),
  'a timeline, far back': (db) => findTimeline(db, HOT_MARKET, { limit: LONG_PAGE, after: NEWEST_SEQ / 2 }),
  activity: (db) => findActivity(db, NEWEST_AT),
  'all that an account missed': (db) =>
    accountEvents(db, { accountIds: [BUSY_ACCOUNT], fleetIds: [], after: 0, limit: LONG_PAGE }),
  'news of many accounts': (db) =>
    accountEvents(db, {
      accountIds: names(1000, 'account'),
      fleetIds: [],
      after: NEWEST_SEQ - 1000,
      limit: 4 * LONG_PAGE,
    }),
  'news of many fleets': (db) =>
    accountEvents(db, {
      accountIds: [],
      // Of more among 10,000 accounts, Postgres 15 reads all of them.
      fleetIds: names(200, 'account'),
      after: NEWEST_SEQ - 1000,
      limit: 4 * LONG_PAGE,
    }),
  'which keys are live': (db) => liveKeys(db, names(1000, 'key')),
  'moments of a market': (db) => findMoments(db, HOT_MARKET, { points: 100 }),
  'moments of some minutes of a market': (db) =>
    findMoments(db, HOT_MARKET, { fromMs: NEWEST_AT - 500_000, toMs: NEWEST_AT - 100_000, points: 200 }),
  'the most active markets': (db) => mostActiveMarkets(db, NEWEST_AT - DAY_MS, PAGE),
  'the most active markets where none is': (db) => mostActiveMarkets(db, NEWEST_AT + DAY_MS, PAGE),
  'a pulse': (db) => pulseEntries(db, names(PAGE, 'market')),
  'what market signals are made of': (db) => signalInputs(db, NEWEST_AT),
};

describe('queries on large tables read no more than they need', () => {
  const database = useReadDatabase();
  let pool: ReadDb;
  let schema: string;

  before(async function () {
    this.timeout(120_000);
    schema = await database().newSchema();
    await fillLargeTables(database().db, schema, SCALE);
    await createIndexes(database().db, schema, ALL_TABLES);
    await sql`vacuum analyze`.execute(database().db);
    pool = connectReadModels({ connectionString: database().connectionString, maxConnections: 1 });
  });

  after(() => pool.destroy());

  for (const [name, query] of Object.entries(QUERIES)) {
    it(name, async () => {
      const statements = await statementsOf(pool, schema, query);
      expect(statements).not.to.be.empty;
      for (const statement of statements) expectFewRows(statement.sql, await planOf(pool, statement));
    });

    // After its fifth time Postgres may plan a prepared statement once for all values.
    it(`${name}, planned before its values are known`, async () => {
      for (const statement of await statementsOf(pool, schema, query)) {
        expectFewRows(statement.sql, await genericPlanOf(pool, statement));
      }
    });
  }

  function expectFewRows(text: string, plan: PlanNode): void {
    expect(rowsRead(plan), `${text}\n${JSON.stringify(plan, null, 1)}`).to.be.at.most(ROWS_MAX);
  }
});
