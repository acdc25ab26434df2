import { shownName } from '@paper/contracts';
import type { PortfolioView } from '@paper/contracts/portfolio';
import { sql } from 'kysely';
import type { InferResult } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import type { ReadDb } from '../models/tables.ts';
import type { JsonQuery } from '../models/json-query.ts';
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
const TRADES_MAX = 200;
export const SETTLED_MAX = 200;

type PortfolioRow = InferResult<ReturnType<typeof portfolioRow>>[number];

/** The whole portfolio of an account; null if there is no such account. */
export const portfolioOf: JsonQuery<PortfolioRow | null, PortfolioView | null> = {
  build: (db, accountId) => jsonObjectFrom(portfolioRow(db, accountId)),
  answer: (row) => {
    if (row === null) return null;
    const { live, ended, traded, ...rest } = row;
    return toPortfolioView({
      ...rest,
      openOrders: live.length,
      orders: unpackRows<ViewedOrder>([...live, ...ended], ORDER_VIEW_COLUMNS).map(toOrderView),
      trades: unpackRows<TradeRow>(traded, TRADE_FIELDS),
    });
  },
};

/** Selects each list in its order, and the names of the markets in them once for all lists. */
function portfolioRow(db: ReadDb, accountId: string) {
  return db
    .with('live', () => liveOrders(db, accountId))
    .with('ended', () => endedOrders(db, accountId, { limit: ENDED_ORDERS_MAX }))
    .with('held', () => heldPositions(db, accountId))
    .with('traded', () => newestFills(db, accountId))
    .with('paid', () => settlements(db, accountId).limit(SETTLED_MAX))
    .with('named', (cte) =>
      cte
        .selectFrom('live')
        .select('market_id')
        .union(cte.selectFrom('ended').select('market_id'))
        .union(cte.selectFrom('held').select('marketId as market_id'))
        .union(cte.selectFrom('traded').select('marketId as market_id'))
        .union(cte.selectFrom('paid').select('marketId as market_id')),
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

/** Combines each item with its market. */
export function toPortfolioView({ accountId, fleet, markets, ...parts }: PortfolioParts): PortfolioView {
  const byId = new Map(markets.map(({ id, ...market }) => [id, market]));
  const marketOf = (id: string): MarketMark => {
    const market = byId.get(id);
    if (market === undefined) throw new Error(`market ${id} is not listed, and an account has something in it`);
    return market;
  };
  return {
    ...parts,
    displayName: shownName(accountId, parts.displayName),
    positions: parts.positions.flatMap((position) => toPositionViews(position, marketOf(position.marketId))),
    orders: parts.orders.map((order) => ({ ...marketOf(order.marketId), ...order })),
    trades: parts.trades.map((trade) => ({ ...marketOf(trade.marketId), ...trade })),
    settled: parts.settled.map((settled) => ({ ...marketOf(settled.marketId), ...settled })),
    fleet: fleet === null ? null : fleetView(fleet),
  };
}

function fleetView({ subAccountCount, ...subAccounts }: NonNullable<PortfolioRow['fleet']>): PortfolioView['fleet'] {
  return { subAccountCount, subAccounts };
}
