import { shownName } from '@paper/contracts';
import type { MarketNameView, PortfolioTradeView, PortfolioView, SettledView } from '@paper/contracts';
import { sql } from 'kysely';
import type { InferResult } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import type { ReadDb } from '../models/tables.ts';
import type { JsonQuery } from '../models/json-query.ts';
import { ORDER_VIEW_COLUMNS, toOrderView } from '../models/orders/order-view.ts';
import type { OrderView, ViewedOrder } from '../models/orders/order-view.ts';
import { accountsWithWorth } from '../models/accounts/queries.ts';
import { displayNameOf } from '../models/accounts/display-name.ts';
import { MARKET_NAME, toMarketName } from '../models/markets/market-view.ts';
import { endedOrders, liveOrders } from '../models/orders/queries.ts';
import { packedRowsFrom, unpackRows } from '../models/packed-rows.ts';
import { heldPositions, toPositionViews } from '../models/positions/queries.ts';

/** Ended orders that a portfolio lists. */
export const ENDED_ORDERS = 100;
const TRADES = 200;
const SETTLED = 200;

type PortfolioRow = InferResult<ReturnType<typeof portfolioRow>>[number];

/** The whole portfolio of an account; null where there is no such account. */
export const portfolioOf: JsonQuery<PortfolioRow | null, PortfolioView | null> = {
  build: (db, accountId) => jsonObjectFrom(portfolioRow(db, accountId)),
  answer: (row) => {
    if (row === null) return null;
    const { live, ended, traded, ...rest } = row;
    return toPortfolioView({
      ...rest,
      openOrders: live.length,
      orders: unpackRows<ViewedOrder>([...live, ...ended], ORDER_VIEW_COLUMNS).map(toOrderView),
      trades: unpackRows<TradeRow>(traded, TRADE_COLUMNS),
    });
  },
};

/** Selects each list in its order, and once for all of them the names of the markets in them. */
function portfolioRow(db: ReadDb, accountId: string) {
  return db
    .with('live', () => liveOrders(db, accountId))
    .with('ended', () => endedOrders(db, accountId, { limit: ENDED_ORDERS }))
    .with('held', () => heldPositions(db, accountId))
    .with('traded', () => trades(db, accountId))
    .with('paid', () => settlements(db, accountId))
    .with('named', (cte) =>
      cte
        .selectFrom('live')
        .select('market_id')
        .union(cte.selectFrom('ended').select('market_id'))
        .union(cte.selectFrom('held').select('market_id'))
        .union(cte.selectFrom('traded').select('market_id'))
        .union(cte.selectFrom('paid').select('market_id')),
    )
    .selectFrom('accounts')
    .select(['accounts.id', 'cash_units', 'starting_balance_units', displayNameOf().as('display_name')])
    .select((eb) => [
      packedRowsFrom('live', ORDER_VIEW_COLUMNS).as('live'),
      packedRowsFrom('ended', ORDER_VIEW_COLUMNS).as('ended'),
      jsonArrayFrom(eb.selectFrom('held').selectAll()).as('positions'),
      packedRowsFrom('traded', TRADE_COLUMNS).as('traded'),
      jsonArrayFrom(eb.selectFrom('paid').selectAll()).as('settled'),
      jsonArrayFrom(
        eb
          .selectFrom('named')
          .innerJoin('markets', 'markets.id', 'named.market_id')
          .select(['markets.id', ...MARKET_NAME]),
      ).as('markets'),
      jsonObjectFrom(fleet(db, accountId)).as('fleet'),
    ])
    .where('accounts.id', '=', accountId);
}

const TRADE_COLUMNS = ['id', 'market_id', 'outcome', 'price_units', 'quantity', 'at_ms'] as const;
type TradeRow = InferResult<ReturnType<typeof trades>>[number];

/** An account's newest fills. */
export function trades(db: ReadDb, accountId: string) {
  return db
    .selectFrom('fills')
    .select(TRADE_COLUMNS)
    .where('account_id', '=', accountId)
    .orderBy('seq', 'desc')
    .limit(TRADES);
}

/** The account's last settlement. */
export function settlements(db: ReadDb, accountId: string) {
  return db
    .selectFrom('settlements')
    .select(['id', 'market_id', 'outcome', 'shares', 'payout_units', 'cost_units', 'at_ms'])
    .where('account_id', '=', accountId)
    .orderBy('seq', 'desc')
    .limit(SETTLED);
}

/** The sums of a primary's sub-accounts; no row where it has none. */
function fleet(db: ReadDb, primaryAccountId: string) {
  return db
    .selectFrom(accountsWithWorth(db).where('accounts.primary_account_id', '=', primaryAccountId).as('sub'))
    .select([
      sql<number>`count(*)`.as('accounts'),
      sql<number>`sum(cash_units)`.as('cash_units'),
      sql<number>`sum(positions_half_units)`.as('positions_half_units'),
      sql<number>`sum(starting_balance_units)`.as('starting_balance_units'),
    ])
    .having(sql<boolean>`count(*) > 0`);
}

/** A portfolio's parts, and the markets that they name. */
interface PortfolioParts extends Pick<
  PortfolioRow,
  'id' | 'display_name' | 'cash_units' | 'starting_balance_units' | 'markets' | 'fleet'
> {
  readonly openOrders: number;
  readonly orders: readonly OrderView[];
  readonly positions: InferResult<ReturnType<typeof heldPositions>>;
  readonly trades: readonly TradeRow[];
  readonly settled: InferResult<ReturnType<typeof settlements>>;
}

/** Combines each item with its market. */
export function toPortfolioView(row: PortfolioParts): PortfolioView {
  const names = new Map(row.markets.map((market) => [market.id, toMarketName(market)]));
  const marketOf = (id: string): MarketNameView => {
    const market = names.get(id);
    if (market === undefined) throw new Error(`market ${id} is not listed, and an account has something in it`);
    return market;
  };
  return {
    displayName: shownName(row.id, row.display_name),
    cashUnits: row.cash_units,
    startingBalanceUnits: row.starting_balance_units,
    openOrders: row.openOrders,
    positions: row.positions.flatMap((position) => toPositionViews(position, marketOf(position.market_id))),
    orders: row.orders.map((order) => ({ ...order, market: marketOf(order.marketId) })),
    trades: row.trades.map((trade) => toTradeView(trade, marketOf(trade.market_id))),
    settled: row.settled.map((settled) => toSettledView(settled, marketOf(settled.market_id))),
    fleet:
      row.fleet === null
        ? null
        : {
            subAccountCount: row.fleet.accounts,
            subAccounts: {
              cashUnits: row.fleet.cash_units,
              positionsHalfUnits: row.fleet.positions_half_units,
              startingBalanceUnits: row.fleet.starting_balance_units,
            },
          },
  };
}

function toTradeView(row: TradeRow, market: MarketNameView): PortfolioTradeView {
  return {
    id: row.id,
    marketId: row.market_id,
    outcome: row.outcome,
    priceUnits: row.price_units,
    quantity: row.quantity,
    createdAt: row.at_ms,
    market,
  };
}

export function toSettledView(row: PortfolioParts['settled'][number], market: MarketNameView): SettledView {
  return {
    id: row.id,
    marketId: row.market_id,
    outcome: row.outcome,
    shares: row.shares,
    payoutUnits: row.payout_units,
    costUnits: row.cost_units,
    settledAt: row.at_ms,
    market,
  };
}
