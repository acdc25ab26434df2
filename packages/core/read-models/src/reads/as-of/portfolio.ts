import type { PortfolioView } from '@paper/contracts/portfolio';
import type { ReadDb } from '../../models/tables.ts';
import { displayNameOf } from '../../models/accounts/display-name.ts';
import { fleetOf } from '../../models/accounts/keys.ts';
import { toOrderView } from '../../models/orders/order-view.ts';
import { endedOrders } from '../../models/orders/queries.ts';
import { settlements } from '../../models/settlements/queries.ts';
import { ENDED_ORDERS_MAX, newestFills, SETTLED_MAX, toPortfolioView } from '../portfolio.ts';
import { accountsAsOf } from './accounts.ts';
import type { AccountAsOf } from './accounts.ts';
import { marketNamesAsOf } from './markets.ts';
import { liveOrdersAsOf } from './orders.ts';
import { positionsAsOf, worthHalfUnits } from './positions.ts';
import type { PositionAsOf } from './positions.ts';

/** The portfolio of an account just after an event, as of `portfolioOf`; null if the account was not open by then. */
export async function findPortfolioAsOf(
  db: ReadDb,
  accountId: string,
  seq: number,
  end: number,
): Promise<PortfolioView | null> {
  const fleet = await accountsAsOf(fleetOf(db, accountId), [seq]);
  const account = fleet.find((one) => one.accountId === accountId);
  if (account === undefined) return null;
  const { cashUnits, startingBalanceUnits } = account;
  const named = db.selectFrom('accounts').select(displayNameOf('accounts', seq).as('displayName'));
  const { displayName } = await named.where('id', '=', accountId).executeTakeFirstOrThrow();
  const fleetIds = fleet.map((one) => one.accountId);
  const all = await positionsAsOf(db, fleetIds, [seq]);
  const live = await liveOrdersAsOf(db, accountId, seq, end);
  const ended = await endedOrders(db, accountId, { before: seq + 1, limit: ENDED_ORDERS_MAX }).execute();
  const positions = all.filter((position) => position.accountId === accountId);
  const traded = await newestFills(db, accountId).where('seq', '<=', seq).execute();
  const settled = await settlements(db, accountId).where('seq', '<=', seq).limit(SETTLED_MAX).execute();
  const orders = [...live, ...ended.map(toOrderView)];
  const subAccounts = fleet.filter((one) => one !== account);
  const marketIds = new Set([...orders, ...positions, ...traded, ...settled].map(({ marketId }) => marketId));
  return toPortfolioView({
    accountId,
    cashUnits,
    displayName,
    startingBalanceUnits,
    openOrders: live.length,
    orders,
    positions,
    trades: traded,
    settled,
    markets: await marketNamesAsOf(db, [...marketIds], seq),
    fleet: sumsOf(subAccounts, all),
  });
}

/** The sums of an account's sub-accounts; null if it has none. */
function sumsOf(subAccounts: readonly AccountAsOf[], positions: readonly PositionAsOf[]) {
  if (subAccounts.length === 0) return null;
  const ids = new Set(subAccounts.map(({ accountId }) => accountId));
  const theirs = positions.filter(({ accountId }) => ids.has(accountId));
  return {
    subAccountCount: subAccounts.length,
    cashUnits: sum(subAccounts.map(({ cashUnits }) => cashUnits)),
    positionsHalfUnits: sum(theirs.map(worthHalfUnits)),
    startingBalanceUnits: sum(subAccounts.map(({ startingBalanceUnits }) => startingBalanceUnits)),
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
