import type { ExchangeEvent } from '@paper/exchange/events';
import { SimulatedJournal } from '@paper/testkit';
import { dump } from '@paper/testkit/dumps';
import { expect } from 'chai';
import { sql } from 'kysely';
import { findPortfolioAsOf } from '../src/reads/as-of/portfolio.ts';
import type { ReadDb } from '../src/models/tables.ts';
import { Projection } from '../src/projection/projection.ts';
import { listSubAccounts, ownerOfKey } from '../src/models/accounts/queries.ts';
import { findPublicName } from '../src/models/accounts/display-name.ts';
import { rankAccounts } from '../src/reads/leaderboard.ts';
import { listMarkets, newestActive, newestPage } from '../src/models/markets/market-lists.ts';
import { marketOf, orderBookOf } from '../src/models/markets/queries.ts';
import { findAnyOrder, listOrders } from '../src/models/orders/queries.ts';
import type { OrderPosition } from '../src/models/orders/queries.ts';
import type { MarketView } from '../src/models/markets/market-view.ts';
import type { Page } from '../src/models/page.ts';
import type { OrderView } from '../src/models/orders/order-view.ts';
import { answerOf, portfolioIn } from './answer-of.ts';
import { journalEvents, listed, marketBuyMeetsNoBid, opened, resting, T0 } from './events.ts';
import { useReadDatabase } from './read-database.ts';

/** All pages of a list, one after the other. */
async function allPages<T, Position>(
  list: (after: Position | undefined) => Promise<Page<T, Position>>,
): Promise<T[][]> {
  const pages: T[][] = [];
  let after: Position | undefined;
  do {
    const page = await list(after);
    pages.push([...page.items]);
    after = page.next ?? undefined;
  } while (after !== undefined);
  return pages;
}

const key = (accountId: string, keyId: string): ExchangeEvent => ({
  accountId,
  at: T0,
  keyHash: `hash of ${keyId}`,
  keyId,
  last4: 'abcd',
  name: 'default',
  permissions: ['view', 'trade'],
  type: 'ApiKeyIssued',
});

const subAccount: ExchangeEvent = {
  accountId: 'sub',
  at: T0,
  nameDigest: 'd2'.repeat(32),
  permissions: ['view'],
  primaryAccountId: 'a',
  startingBalanceUnits: 1_000_000,
  type: 'SubAccountOpened',
};

const yesBid = (order: string, priceUnits: number, quantity: number) =>
  resting('b', order, 'm', { side: 'buy', outcome: 'yes', priceUnits, quantity });
const noBid = (order: string, priceUnits: number, quantity: number) =>
  resting('b', order, 'm', { side: 'buy', outcome: 'no', priceUnits, quantity });

/** b quotes 5000 to 5999 and to 6002 in YES terms; a buys 1 at 5999 and 2 at 6002 with one market order. */
const decisions: ExchangeEvent[][] = [
  [listed('m')],
  [opened('a'), key('a', 'ka')],
  [opened('b')],
  [subAccount, key('sub', 'ks')],
  [yesBid('bid', 5000, 7)],
  [noBid('ask1', 4001, 1)],
  [noBid('ask2', 3998, 9)],
  (() => {
    const common = { marketId: 'm', taker: 'a', takerOrder: 'take', maker: 'b' };
    const [placed, first] = marketBuyMeetsNoBid({
      ...common,
      makerOrder: 'ask1',
      yesPriceUnits: 5999,
      quantity: 1,
      makerRemaining: 0,
    });
    const [, second] = marketBuyMeetsNoBid({
      ...common,
      makerOrder: 'ask2',
      yesPriceUnits: 6002,
      quantity: 2,
      makerRemaining: 7,
    });
    if (placed?.type !== 'OrderPlaced' || first?.type !== 'OrderFilled' || second === undefined) throw new Error();
    return [{ ...placed, quantity: 3, fillQuantity: 3 }, { ...first, takerRemaining: 2 }, second];
  })(),
  [{ accountId: 'a', at: T0, keyId: 'ka', type: 'ApiKeyRevoked' }, key('a', 'ka2')],
];

describe('queries', () => {
  const database = useReadDatabase();
  let db: ReadDb;

  before(async () => {
    const schema = await database().newSchema();
    const events = journalEvents(decisions).map((one) =>
      one.event.type === 'AccountOpened' && one.event.accountId === 'a' ? { ...one, formerName: 'name of a' } : one,
    );
    await (await Projection.open(database().db, schema)).project(events);
    await sql`insert into coordination.names (account_id, shard, salt, name, pending)
      values ('sub', 'main', '', 'fleet', false)`.execute(database().db);
    db = database().db.withSchema(schema);
  });

  it('authenticate a live key, and neither a revoked nor an unknown one', async () => {
    expect(await answerOf(db, ownerOfKey, 'hash of ks')).to.deep.equal({
      accountId: 'sub',
      keyId: 'ks',
      permissions: ['view', 'trade'],
      primaryAccountId: 'a',
    });
    expect(await answerOf(db, ownerOfKey, 'hash of ka2')).to.have.property('primaryAccountId', null);
    expect(await answerOf(db, ownerOfKey, 'hash of ka')).to.equal(null);
    expect(await answerOf(db, ownerOfKey, 'nothing')).to.equal(null);
  });

  it('give the order book, best first, and null for no market', async () => {
    expect(await answerOf(db, orderBookOf, 'm')).to.deep.equal({
      marketId: 'm',
      seq: 12,
      bids: [{ priceUnits: 5000, quantity: 7, orders: 1 }],
      asks: [{ priceUnits: 6002, quantity: 7, orders: 1 }],
      lastTradeUnits: 6002,
    });
    expect(await answerOf(db, orderBookOf, 'x')).to.equal(null);
    expect(await answerOf(db, marketOf, 'x')).to.equal(null);
  });

  it('give a portfolio that adds up', async () => {
    const market = {
      title: 'Will m?',
      ticker: 'ACM',
      companySlug: 'acme',
      phase: 'active',
      resolvedOutcome: null,
      // The spread of 5000 to 6002 is above $0.10, so the last trade counts.
      probabilityHalfUnits: 12_004,
    };
    expect(await portfolioIn(db, 'a')).to.deep.equal({
      displayName: 'name of a',
      cashUnits: 100_000_000 - 5999 - 2 * 6002,
      startingBalanceUnits: 100_000_000,
      openOrders: 0,
      positions: [{ marketId: 'm', side: 'yes', shares: 3, costUnits: 18_003, yesShares: 3, noShares: 0, ...market }],
      orders: [
        {
          orderId: 'take',
          marketId: 'm',
          accountId: 'a',
          side: 'buy',
          outcome: 'yes',
          orderType: 'market',
          timeInForce: 'IOC',
          priceUnits: 6001,
          quantity: 3,
          filledQty: 3,
          status: 'filled',
          createdAt: T0,
          reservedUnits: 0,
          reason: null,
          ...market,
        },
      ],
      trades: [
        { id: 'id-12', marketId: 'm', outcome: 'yes', priceUnits: 6002, quantity: 2, createdAt: T0, ...market },
        { id: 'id-11', marketId: 'm', outcome: 'yes', priceUnits: 5999, quantity: 1, createdAt: T0, ...market },
      ],
      settled: [],
      fleet: {
        subAccountCount: 1,
        subAccounts: { cashUnits: 1_000_000, positionsHalfUnits: 0, startingBalanceUnits: 1_000_000 },
      },
    });
    const maker = await portfolioIn(db, 'b');
    expect(maker?.fleet).to.equal(null);
    expect(maker?.openOrders).to.equal(2);
    expect(maker?.orders.map((order) => [order.orderId, order.status, order.reservedUnits])).to.deep.equal([
      ['ask2', 'partial', 7 * 3998],
      ['bid', 'open', 7 * 5000],
      ['ask1', 'filled', 0],
    ]);
    expect(await portfolioIn(db, 'nobody')).to.equal(null);
  });

  it('show a name that is in the table of names, or else in the event, or else the end of the account’s id', async () => {
    await db
      .insertInto('settings')
      .values({ name: 'main', starting_balance_units: 100_000_000, compliance_mode: 'paper' })
      .execute();
    const names = async (): Promise<string[]> =>
      (await db.transaction().execute((trx) => rankAccounts(trx, 10))).entries.map(({ displayName }) => displayName);
    expect(await names()).to.have.members(['name of a', 'Trader b']);
    await sql`insert into coordination.names (account_id, shard, salt, name, pending)
      values ('b', 'main', '', 'Bea', true)`.execute(database().db);
    expect(await names()).to.have.members(['name of a', 'Bea']);
    expect((await portfolioIn(db, 'b'))?.displayName).to.equal('Bea');
    expect((await portfolioIn(db, 'a'))?.displayName).to.equal('name of a');
    expect((await findPortfolioAsOf(db, 'b', 12, 12))?.displayName).to.equal('Bea');
    expect(await findPublicName(db, 'a')).to.equal('name of a');
    expect(await findPublicName(db, 'b')).to.equal(null);
    expect(await findPublicName(db, 'nobody')).to.equal(null);
  });

  it('give sub-accounts with their keys', async () => {
    expect(await listSubAccounts(db, 'a')).to.deep.equal([
      {
        accountId: 'sub',
        displayName: 'fleet',
        createdAt: T0,
        permissions: ['view'],
        isClosed: false,
        keys: [
          {
            keyId: 'ks',
            accountId: 'sub',
            name: 'default',
            permissions: ['view', 'trade'],
            last4: 'abcd',
            createdAt: T0,
            createdSeq: 6,
            revokedAt: null,
            revokedSeq: null,
            lastUsedOn: null,
            mandate: null,
          },
        ],
        cashUnits: 1_000_000,
        positionsHalfUnits: 0,
        startingBalanceUnits: 1_000_000,
      },
    ]);
    expect(await listSubAccounts(db, 'b')).to.deep.equal([]);
  });

  it('tell whose an order is', async () => {
    expect(await findAnyOrder(db, 'ask1')).to.include({
      orderId: 'ask1',
      accountId: 'b',
      primaryAccountId: null,
      status: 'filled',
    });
    expect(await findAnyOrder(db, 'x')).to.equal(null);
  });

  it('cut lists into pages that join without a gap, also over a refill', async function () {
    this.timeout(30_000);
    const simulated = new SimulatedJournal({ seed: 11, markets: 9 });
    await simulated.run(2000);
    const first = database().db.withSchema(await database().filled(simulated));
    const second = database().db.withSchema(await database().filled(simulated, { batchSize: 100 }));
    const [busiest] = dump(simulated.state).accounts.reduce((a, b) => (b[1].openOrders > a[1].openOrders ? b : a));
    let turn = 0;
    // Each page comes from the other schema than the one before it.
    const either = (): ReadDb => ((turn += 1) % 2 === 0 ? first : second);

    const orders = await allPages<OrderView, OrderPosition>((after) =>
      listOrders(either(), busiest, { limit: 3, after }),
    );
    const whole = await listOrders(first, busiest, { limit: 10_000 });
    expect(orders.length).to.be.greaterThan(4);
    expect(orders.flat()).to.deep.equal(whole.items);
    const live = whole.items.findIndex((order) => order.status === 'filled' || order.status === 'cancelled');
    expect(live).to.be.greaterThan(0);
    expect(whole.items.slice(live).some((order) => order.status === 'open' || order.status === 'partial')).to.equal(
      false,
    );

    const marketId = whole.items[0]?.marketId;
    const ofMarket = await allPages<OrderView, OrderPosition>((after) =>
      listOrders(either(), busiest, { marketId, limit: 2, after }),
    );
    expect(ofMarket.flat()).to.deep.equal(whole.items.filter((order) => order.marketId === marketId));
    expect(await listOrders(first, busiest, { marketId: 'x', limit: 3 })).to.deep.equal({ items: [], next: null });

    const markets = await allPages<MarketView, number>((after) => listMarkets(either(), { limit: 2, after }));
    expect(markets.flat().map((market) => market.id)).to.have.members([...simulated.state.markets.keys()]);
    expect(markets.flat().map((market) => market.createdAt)).to.deep.equal(
      markets
        .flat()
        .map((market) => market.createdAt)
        .sort((a, b) => b - a),
    );
    const active = await listMarkets(first, { status: 'active', limit: 500 });
    expect(active.items.map((market) => market.id)).to.deep.equal(
      markets
        .flat()
        .filter((market) => market.phase === 'active')
        .map((market) => market.id),
    );
    for (const limit of [1, 500]) {
      const rows = await answerOf(first, newestActive, String(limit + 1));
      const page = await listMarkets(first, { status: 'active', limit });
      expect(newestPage(rows, limit)).to.deep.equal(page);
    }
    expect(await listMarkets(first, { sector: 'no such sector', limit: 5 })).to.deep.equal({ items: [], next: null });
  });
});
