import { markHalfUnits } from '@paper/contracts';
import type { PortfolioView } from '@paper/contracts';
import type { ReadDb } from '../../models/tables.ts';
import { toOrderView } from '../../models/orders/order-view.ts';
import { endedOrders } from '../../models/orders/queries.ts';
import { ENDED_ORDERS, settlements, toPortfolioView, trades } from '../portfolio.ts';
import { fleetAsOf } from './accounts.ts';
import type { AccountAsOf } from './accounts.ts';
import { marketNamesAsOf } from './markets.ts';
import { liveOrdersAsOf } from './orders.ts';
import { positionsAsOf } from './positions.ts';
import type { PositionAsOf } from './positions.ts';

/**
 * All of an account just after an event, as `portfolioOf` gives the present. Null: it was not open by then.
 *
 * @param end the sequence that the read models show
 */
export async function findPortfolioAsOf(
  db: ReadDb,
  accountId: string,
  seq: number,
  end: number,
): Promise<PortfolioView | null> {
  const fleet = await fleetAsOf(db, accountId, seq);
  const account = fleet.find(({ id }) => id === accountId);
  if (account === undefined) return null;
  const all = await positionsAsOf(
    db,
    fleet.map(({ id }) => id),
    seq,
  );
  const live = await liveOrdersAsOf(db, accountId, seq, end);
  const ended = await endedOrders(db, accountId, { before: seq + 1, limit: ENDED_ORDERS }).execute();
  const positions = all.filter((position) => position.account_id === accountId);
  const traded = await trades(db, accountId).where('seq', '<=', seq).execute();
  const settled = await settlements(db, accountId).where('seq', '<=', seq).execute();
  const orders = [...live, ...ended.map(toOrderView)];
  const named = [...positions, ...traded, ...settled].map(({ market_id }) => market_id);
  const marketIds = new Set([...orders.map(({ marketId }) => marketId), ...named]);
  return toPortfolioView({
    ...account,
    openOrders: live.length,
    orders,
    positions,
    trades: traded,
    settled,
    markets: await marketNamesAsOf(db, [...marketIds], seq),
    fleet: fleetOf(
      fleet.filter(({ id }) => id !== accountId),
      all,
    ),
  });
}

/** Sub-accounts together; null where there are none. */
function fleetOf(subAccounts: readonly AccountAsOf[], positions: readonly PositionAsOf[]) {
  if (subAccounts.length === 0) return null;
  const ids = new Set(subAccounts.map(({ id }) => id));
  const theirs = positions.filter(({ account_id }) => ids.has(account_id));
  return {
    accounts: subAccounts.length,
    cash_units: sum(subAccounts.map(({ cash_units }) => cash_units)),
    positions_half_units: sum(theirs.map(worthHalfUnits)),
    starting_balance_units: sum(subAccounts.map(({ starting_balance_units }) => starting_balance_units)),
  };
}

function worthHalfUnits({ yes_shares, no_shares, probability_half_units }: PositionAsOf): number {
  return (
    yes_shares * markHalfUnits('yes', probability_half_units) + no_shares * markHalfUnits('no', probability_half_units)
  );
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
