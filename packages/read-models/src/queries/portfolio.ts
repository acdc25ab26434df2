import type { AmountsView, MarketNameView, PortfolioTradeView, PortfolioView, SettledView } from '@paper/contracts';
import type { ReadDb } from '../database.ts';
import { accountsWithWorth, amounts } from './accounts.ts';
import { MARKET_NAME, toMarketName } from './market-row.ts';
import { endedOrders, liveOrders, toOrderView } from './orders.ts';
import { listPositions } from './positions.ts';

const ENDED_ORDERS = 100;
const TRADES = 200;
const SETTLED = 200;

/** All of an account at one sequence: run it inside one `ReadModels.read`. Null: no such account. */
export async function findPortfolio(db: ReadDb, accountId: string): Promise<PortfolioView | null> {
  const account = await accountsWithWorth(db).where('accounts.id', '=', accountId).executeTakeFirst();
  if (account === undefined) return null;
  const live = await liveOrders(db, accountId);
  const ended = await endedOrders(db, accountId, { limit: ENDED_ORDERS });
  const orders = [...live, ...ended].map(toOrderView);
  const names = await marketNames(db, new Set(orders.map((order) => order.marketId)));
  return {
    displayName: account.display_name,
    cashUnits: account.cash,
    startingBalanceUnits: account.starting_balance,
    openOrders: live.length,
    positions: await listPositions(db, accountId),
    orders: orders.map((order) => ({ ...order, market: listed(names.get(order.marketId)) })),
    trades: await listTrades(db, accountId),
    settled: await listSettled(db, accountId),
    fleet: account.primary_account_id === null ? await findFleet(db, accountId) : null,
  };
}

async function marketNames(db: ReadDb, ids: ReadonlySet<string>): Promise<Map<string, MarketNameView>> {
  if (ids.size === 0) return new Map();
  const rows = await db
    .selectFrom('markets')
    .select(['markets.id', ...MARKET_NAME])
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.map((row) => [row.id, toMarketName(row)]));
}

/** An order names a market that was listed before it, so its row is there. */
function listed(market: MarketNameView | undefined): MarketNameView {
  if (market === undefined) throw new Error('an order of a market that is not listed');
  return market;
}

async function listTrades(db: ReadDb, accountId: string): Promise<PortfolioTradeView[]> {
  const rows = await db
    .selectFrom('fills')
    .innerJoin('markets', 'markets.id', 'fills.market_id')
    .select(['fills.id', 'fills.market_id', 'fills.outcome', 'fills.price', 'fills.quantity', 'fills.at'])
    .select(MARKET_NAME)
    .where('fills.account_id', '=', accountId)
    .orderBy('fills.seq', 'desc')
    .limit(TRADES)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    marketId: row.market_id,
    outcome: row.outcome,
    priceUnits: row.price,
    quantity: row.quantity,
    createdAt: row.at,
    market: toMarketName(row),
  }));
}

async function listSettled(db: ReadDb, accountId: string): Promise<SettledView[]> {
  const rows = await db
    .selectFrom('settlements')
    .innerJoin('markets', 'markets.id', 'settlements.market_id')
    .selectAll('settlements')
    .select(MARKET_NAME)
    .where('settlements.account_id', '=', accountId)
    .orderBy('settlements.seq', 'desc')
    .limit(SETTLED)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    marketId: row.market_id,
    outcome: row.outcome,
    shares: row.shares,
    payoutUnits: row.payout,
    costUnits: row.cost,
    settledAt: row.at,
    market: toMarketName(row),
  }));
}

/** A primary's sub-accounts together; null where it has none. */
async function findFleet(db: ReadDb, primaryAccountId: string): Promise<PortfolioView['fleet']> {
  const subs = await accountsWithWorth(db).where('accounts.primary_account_id', '=', primaryAccountId).execute();
  if (subs.length === 0) return null;
  return { subAccountCount: subs.length, subAccounts: subs.map(amounts).reduce(together) };
}

function together(a: AmountsView, b: AmountsView): AmountsView {
  return {
    cashUnits: a.cashUnits + b.cashUnits,
    positionsHalfUnits: a.positionsHalfUnits + b.positionsHalfUnits,
    startingBalanceUnits: a.startingBalanceUnits + b.startingBalanceUnits,
  };
}
