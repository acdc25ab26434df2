import type { CommandOf, Mandate, Outcome, Side } from '../events/judged-commands.ts';
import { costOf } from './plan.ts';
import type { Plan } from './plan.ts';
import { DAY_MS, decidedAt, emit, refuse, reservedCash, reservedShares, UNCHANGED } from './state.ts';
import type { Account, Key, Market, Order, Verdict, TwinState } from './state.ts';

export function setMandate(state: TwinState, command: CommandOf<'SetMandate'>, caller: Key): Verdict {
  const key = state.keys.get(command.keyId);
  const account = key && state.accounts.get(key.accountId);
  if (key === undefined || account === undefined || !key.live) return refuse('forbidden');
  if (![account.id, account.primary].includes(caller.accountId)) return refuse('forbidden');
  const mandate = command.mandate === null ? null : inOrder(command.mandate);
  if (JSON.stringify(mandate) === JSON.stringify(key.mandate)) return UNCHANGED;
  key.mandate = mandate;
  return emit(state, 'MandateSet', { accountId: account.id, keyId: key.keyId, mandate });
}

/** Its fields in alphabetical order, as stored. */
function inOrder(mandate: Mandate): Mandate {
  const { marketIds, maxOrderCostUnits, maxReservedUnits, maxShares, reduceOnly, spendPerDayUnits } = mandate;
  return { marketIds, maxOrderCostUnits, maxReservedUnits, maxShares, reduceOnly, spendPerDayUnits };
}

interface Planned {
  readonly account: Account;
  readonly former: Order | null;
  readonly market: Market;
  readonly outcome: Outcome;
  readonly plan: Plan;
  readonly side: Side;
}

/** The code that refuses an order because it exceeds its account's cash or shares, or its key's mandate; else null. */
export function refusalOf(state: TwinState, key: Key, planned: Planned, shares: number): string | null {
  if (exceedsMandate(state, key, planned)) return 'mandate_exceeded';
  const { account, former, market, outcome, plan, side } = planned;
  if (side === 'buy') {
    const free = account.cash - reservedCash(account) + (former === null ? 0 : former.price * former.remaining);
    return costOf(plan, side) > free ? 'insufficient_balance' : null;
  }
  const held = market.positions.get(account.id)?.shares[outcome] ?? 0;
  const free = held - reservedShares(account, market.id, outcome) + (former?.remaining ?? 0);
  return free < shares ? 'insufficient_shares' : null;
}

function exceedsMandate(state: TwinState, key: Key, planned: Planned): boolean {
  const { mandate } = key;
  if (mandate === null) return false;
  const { account, former, market, outcome, plan, side } = planned;
  if (mandate.reduceOnly === true && side === 'buy') return true;
  if (mandate.marketIds !== null && !mandate.marketIds.includes(market.id)) return true;
  if (side === 'sell') return false;
  const cost = costOf(plan, side);
  const reserved = reservedCash(account);
  const reservedAfter = reserved - (former === null ? 0 : former.price * former.remaining) + plan.bound * plan.rests;
  const shares = sharesOf(account, market, outcome);
  const sharesAfter = shares - (former?.remaining ?? 0) + plan.filled + plan.rests;
  const spent = spentToday(state, key);
  const figures: readonly (readonly [before: number, after: number, limit: number | null])[] = [
    [0, cost, mandate.maxOrderCostUnits],
    [reserved, reservedAfter, mandate.maxReservedUnits],
    [shares, sharesAfter, mandate.maxShares],
    [spent, spent + cost, mandate.spendPerDayUnits],
  ];
  return figures.some(([before, after, limit]) => limit !== null && after > limit && after > before);
}

function sharesOf(account: Account, market: Market, outcome: Outcome): number {
  let shares = market.positions.get(account.id)?.shares[outcome] ?? 0;
  for (const order of account.orders) {
    if (order.marketId === market.id && order.outcome === outcome && order.side === 'buy') shares += order.remaining;
  }
  return shares;
}

const today = (state: TwinState): number => Math.floor(decidedAt(state) / DAY_MS);
const spentToday = (state: TwinState, key: Key): number => (key.spentDay === today(state) ? key.spentUnits : 0);

export function spend(state: TwinState, key: Key, units: number): void {
  if (units === 0) return;
  key.spentUnits = spentToday(state, key) + units;
  key.spentDay = today(state);
}
