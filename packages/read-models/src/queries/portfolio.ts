import type { ReadDb } from '../database.ts';
import type { FleetSummary, MarketRef, PortfolioView, SettledView, TradeView, Worth } from '../views.ts';
import { accountsWithWorth, worth } from './accounts.ts';
import { MARKET_REF, toMarketRef } from './market-row.ts';
import { endedOrders, liveOrders, toOrderView } from './orders.ts';
import { listPositions } from './positions.ts';

const ENDED_ORDERS = 100;
const TRADES = 200;
const SETTLED = 200;

/**
 * All of an account at one sequence: run it inside one `ReadModels.read`. Null: no such account.
 */
export async function findPortfolio(db: ReadDb, accountId: string): Promise<PortfolioView | null> {
  const account = await accountsWithWorth(db).where('accounts.id', '=', accountId).executeTakeFirst();
  if (account === undefined) return null;
  const own = worth(account.cash, account.positions_value_half, account.starting_balance);
  const positions = await listPositions(db, accountId);
  // An account has at most so many live orders as its journal's settings allow; the portfolio shows them all.
  const live = await liveOrders(db, accountId, undefined, null, Number.MAX_SAFE_INTEGER);
  const ended = await endedOrders(db, accountId, undefined, null, ENDED_ORDERS);
  const orders = [...live, ...ended].map(toOrderView);
  const markets = await marketRefs(db, new Set(orders.map((order) => order.marketId)));
  return {
    accountId,
    summary: {
      ...own,
      displayName: account.display_name,
      startingBalanceUnits: account.starting_balance,
      unrealizedPnlHalfUnits: positions.reduce((sum, position) => sum + position.unrealizedPnlHalfUnits, 0),
      openOrders: live.length,
    },
    fleetSummary: account.primary_account_id === null ? await fleetSummary(db, accountId, own) : null,
    positions,
    orders: orders.map((order) => ({ ...order, market: known(markets.get(order.marketId)) })),
    trades: await listTrades(db, accountId),
    settled: await listSettled(db, accountId),
  };
}

async function marketRefs(db: ReadDb, ids: ReadonlySet<string>): Promise<Map<string, MarketRef>> {
  if (ids.size === 0) return new Map();
  const rows = await db
    .selectFrom('markets')
    .select(['markets.id as market_id', ...MARKET_REF])
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.map((row) => [row.market_id, toMarketRef(row)]));
}

/** An order names a market that was listed before it, so its row is there. */
function known(market: MarketRef | undefined): MarketRef {
  if (market === undefined) throw new Error('an order of a market that is not listed');
  return market;
}

async function listTrades(db: ReadDb, accountId: string): Promise<TradeView[]> {
  const rows = await db
    .selectFrom('fills')
    .innerJoin('markets', 'markets.id', 'fills.market_id')
    .selectAll('fills')
    .select(MARKET_REF)
    .where('fills.account_id', '=', accountId)
    .orderBy('fills.seq', 'desc')
    .limit(TRADES)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    seq: row.seq,
    marketId: row.market_id,
    orderId: row.order_id,
    role: row.role,
    side: row.side,
    outcome: row.outcome,
    priceUnits: row.price,
    yesPriceUnits: row.yes_price,
    quantity: row.quantity,
    notionalUnits: row.price * row.quantity,
    kind: row.kind,
    createdAt: row.at,
    market: toMarketRef(row),
  }));
}

async function listSettled(db: ReadDb, accountId: string): Promise<SettledView[]> {
  const rows = await db
    .selectFrom('settlements')
    .innerJoin('markets', 'markets.id', 'settlements.market_id')
    .selectAll('settlements')
    .select(MARKET_REF)
    .where('settlements.account_id', '=', accountId)
    .orderBy('settlements.seq', 'desc')
    .limit(SETTLED)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    seq: row.seq,
    marketId: row.market_id,
    outcome: row.outcome,
    shares: row.shares,
    payoutUnits: row.payout,
    costUnits: row.cost,
    pnlUnits: row.payout - row.cost,
    settledAt: row.at,
    market: toMarketRef(row),
  }));
}

async function fleetSummary(db: ReadDb, primaryAccountId: string, master: Worth): Promise<FleetSummary | null> {
  const subs = await accountsWithWorth(db).where('accounts.primary_account_id', '=', primaryAccountId).execute();
  if (subs.length === 0) return null;
  const subAccounts = subs.map((sub) => worth(sub.cash, sub.positions_value_half, sub.starting_balance)).reduce(add);
  return {
    accountCount: 1 + subs.length,
    subAccountCount: subs.length,
    master,
    subAccounts,
    total: add(master, subAccounts),
  };
}

function add(a: Worth, b: Worth): Worth {
  return {
    cashUnits: a.cashUnits + b.cashUnits,
    positionsValueHalfUnits: a.positionsValueHalfUnits + b.positionsValueHalfUnits,
    portfolioValueHalfUnits: a.portfolioValueHalfUnits + b.portfolioValueHalfUnits,
    pnlHalfUnits: a.pnlHalfUnits + b.pnlHalfUnits,
  };
}
