import { shownName } from '@paper/contracts';
import type { PortfolioHeadView, PortfolioView } from '@paper/contracts/portfolio';
import { sql } from 'kysely';
import type { InferResult } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import type { ReadDb } from '../models/tables.ts';
import type { HeldItems, JsonQuery } from '../models/json-query.ts';
import { ORDER_VIEW_COLUMNS, toOrderView } from '../models/orders/order-view.ts';
import type { OrderView, ViewedOrder } from '../models/orders/order-view.ts';
import { accountsWithWorth } from '../models/accounts/queries.ts';
import { displayNameOf } from '../models/accounts/display-name.ts';
import { MARKET_MARK } from '../models/markets/market-view.ts';
import { endedOrders, liveOrders } from '../models/orders/queries.ts';
import { packedRowsFrom, unpackRows } from '../models/packed-rows.ts';
import { heldPositions, toPositionViews } from '../models/positions/queries.ts';
import type { MarketMark } from '../models/positions/queries.ts';
import { settlements } from '../models/settlements/queries.ts';

export const ENDED_ORDERS_MAX = 100;
export const TRADES_MAX = 200;
export const SETTLED_MAX = 200;

type PortfolioRow = InferResult<ReturnType<typeof portfolioRow>>[number];

/** The portfolio of an account, as the tables have it; null if there is no such account. */
export const portfolioOf: JsonQuery<PortfolioRow | null, FoundPortfolio | null> = {
  build: (db, accountId, held) => jsonObjectFrom(portfolioRow(db, accountId, held)),
  answer: (row) => {
    if (row === null) return null;
    const { live, ended, traded, ...rest } = row;
    return {
      ...rest,
      live: unpackRows<ViewedOrder>(live, ORDER_VIEW_COLUMNS).map(toOrderView),
      ended: unpackRows<ViewedOrder>(ended, ORDER_VIEW_COLUMNS).map(toOrderView),
      trades: unpackRows<TradeRow>(traded, TRADE_FIELDS),
    };
  },
};

/**
 * Selects each list in its order, and the names of the markets in them once for all lists. Ended orders, trades and
 * settled positions never change, so only those that the caller does not hold are selected.
 */
function portfolioRow(db: ReadDb, accountId: string, { seq, marketIds }: HeldItems) {
  return db
    .with('live', () => liveOrders(db, accountId))
    .with('ended', () => endedOrders(db, accountId, { after: seq, limit: ENDED_ORDERS_MAX }))
    .with('held', () => heldPositions(db, accountId))
    .with('traded', () => newestFills(db, accountId).where('seq', '>', seq))
    .with('paid', () => settlements(db, accountId).where('seq', '>', seq).limit(SETTLED_MAX))
    .with('named', (cte) =>
      cte
        .selectFrom('live')
        .select('market_id')
        .union(cte.selectFrom('ended').select('market_id'))
        .union(cte.selectFrom('held').select('marketId as market_id'))
        .union(cte.selectFrom('traded').select('marketId as market_id'))
        .union(cte.selectFrom('paid').select('marketId as market_id'))
        .union(cte.selectNoFrom(sql<string>`unnest(${marketIds}::text[])`.as('market_id'))),
    )
    .selectFrom('accounts')
    .select(['accounts.id as accountId', 'cash_units as cashUnits', 'starting_balance_units as startingBalanceUnits'])
    .select(displayNameOf().as('displayName'))
    .select((eb) => [
      packedRowsFrom('live', ORDER_VIEW_COLUMNS).as('live'),
      packedRowsFrom('ended', ORDER_VIEW_COLUMNS).as('ended'),
      jsonArrayFrom(eb.selectFrom('held').selectAll()).as('positions'),
      packedRowsFrom('traded', TRADE_FIELDS).as('traded'),
      jsonArrayFrom(eb.selectFrom('paid').selectAll()).as('settled'),
      jsonArrayFrom(
        eb
          .selectFrom('named')
          .innerJoin('markets', 'markets.id', 'named.market_id')
          .select(['markets.id', ...MARKET_MARK]),
      ).as('markets'),
      jsonObjectFrom(fleet(db, accountId)).as('fleet'),
    ])
    .where('accounts.id', '=', accountId);
}

const TRADE_FIELDS = ['id', 'marketId', 'outcome', 'priceUnits', 'quantity', 'createdAt'] as const;
type TradeRow = InferResult<ReturnType<typeof newestFills>>[number];

/** An account's newest fills. */
export function newestFills(db: ReadDb, accountId: string) {
  return db
    .selectFrom('fills')
    .select(['id', 'market_id as marketId', 'outcome', 'price_units as priceUnits', 'quantity', 'at_ms as createdAt'])
    .where('account_id', '=', accountId)
    .orderBy('seq', 'desc')
    .limit(TRADES_MAX);
}

/** The sums of a primary's sub-accounts; no row without sub-accounts. */
function fleet(db: ReadDb, primaryAccountId: string) {
  return db
    .selectFrom(accountsWithWorth(db).where('accounts.primary_account_id', '=', primaryAccountId).as('sub'))
    .select([
      sql<number>`count(*)`.as('subAccountCount'),
      sql<number>`sum("cashUnits")`.as('cashUnits'),
      sql<number>`sum("positionsHalfUnits")`.as('positionsHalfUnits'),
      sql<number>`sum("startingBalanceUnits")`.as('startingBalanceUnits'),
    ])
    .having(sql<boolean>`count(*) > 0`);
}

interface PortfolioParts extends Omit<PortfolioRow, 'live' | 'ended' | 'positions' | 'settled' | 'traded'> {
  readonly openOrders: number;
  readonly orders: readonly OrderView[];
  readonly positions: InferResult<ReturnType<typeof heldPositions>>;
  readonly settled: InferResult<ReturnType<typeof settlements>>;
  readonly trades: readonly TradeRow[];
}

/** A portfolio as the tables have it; of ended orders, trades and settled positions those that were not held. */
export interface FoundPortfolio extends Omit<PortfolioParts, 'openOrders' | 'orders'> {
  readonly live: readonly OrderView[];
  readonly ended: readonly OrderView[];
}

type Head = Omit<PortfolioParts, 'orders' | 'settled' | 'trades'>;

/** Makes all of a portfolio that precedes its lists of orders, trades and settled positions. */
export function toPortfolioHead({ accountId, displayName, fleet, markets, ...amounts }: Head): PortfolioHeadView {
  const marketOf = marketsById(markets);
  return {
    ...amounts,
    displayName: shownName(accountId, displayName),
    positions: amounts.positions.flatMap((position) => toPositionViews(position, marketOf(position.marketId))),
    fleet: fleet === null ? null : fleetView(fleet),
  };
}

/** Finds a portfolio's markets by their ids. @throws Error for a market that an item names and that is not listed */
export function marketsById(markets: PortfolioRow['markets']): (id: string) => MarketMark {
  const byId = new Map(markets.map(({ id, ...market }) => [id, market]));
  return (id) => {
    const market = byId.get(id);
    if (market === undefined) throw new Error(`market ${id} is not listed, and an account has something in it`);
    return market;
  };
}

/** Combines each item with its market. */
export function toPortfolioView({ orders, settled, trades, ...head }: PortfolioParts): PortfolioView {
  const marketOf = marketsById(head.markets);
  return {
    ...toPortfolioHead(head),
    orders: orders.map((order) => ({ ...marketOf(order.marketId), ...order })),
    trades: trades.map((trade) => ({ ...marketOf(trade.marketId), ...trade })),
    settled: settled.map((one) => ({ ...marketOf(one.marketId), ...one })),
  };
}

function fleetView({ subAccountCount, ...subAccounts }: NonNullable<PortfolioRow['fleet']>): PortfolioView['fleet'] {
  return { subAccountCount, subAccounts };
}
