import type { CommandOf, Mandate, Outcome, Side } from '../events/judged-commands.ts';
import { costOf } from './plan.ts';
import type { Plan } from './plan.ts';
import { DAY_MS, decidedAt, emit, findAccount, refuse, reservedCash, UNCHANGED } from './world.ts';
import type { Account, Key, Market, Order, Verdict, World } from './world.ts';

const MARKETS_MAX = 100;
const MONEY_MAX = 10_000_000_000_000;
const SHARES_MAX = 1_000_000_000;

export function mandateIsWellFormed(mandate: Mandate | null): boolean {
  if (mandate === null) return true;
  const { marketIds, maxOrderCostUnits, maxReservedUnits, maxShares, spendPerDayUnits } = mandate;
  const upTo = (value: number | null, most: number): boolean =>
    value === null || (Number.isInteger(value) && value >= 0 && value <= most);
  return (
    [maxOrderCostUnits, maxReservedUnits, spendPerDayUnits].every((units) => upTo(units, MONEY_MAX)) &&
    upTo(maxShares, SHARES_MAX) &&
    (marketIds === null || marketIds.length <= MARKETS_MAX)
  );
}

export function setMandate(world: World, command: CommandOf<'SetMandate'>, caller: Key): Verdict {
  const key = world.keys.get(command.keyId);
  const account = key && findAccount(world, key.accountId);
  if (key === undefined || account === undefined || !key.live) return refuse('forbidden');
  if (![account.id, account.primary].includes(caller.accountId)) return refuse('forbidden');
  const mandate = command.mandate === null ? null : inOrder(command.mandate);
  if (JSON.stringify(mandate) === JSON.stringify(key.mandate)) return UNCHANGED;
  key.mandate = mandate;
  emit(world, 'MandateSet', { accountId: account.id, keyId: key.keyId, mandate });
  return { kind: 'accepted', events: world.emitted };
}

/** Its fields in alphabetical order, as stored. */
function inOrder(mandate: Mandate): Mandate {
  const { marketIds, maxOrderCostUnits, maxReservedUnits, maxShares, reduceOnly, spendPerDayUnits } = mandate;
  return { marketIds, maxOrderCostUnits, maxReservedUnits, maxShares, reduceOnly, spendPerDayUnits };
}

interface Planned {
  readonly account: Account;
  /** Null for a new order. */
  readonly former: Order | null;
  readonly market: Market;
  readonly outcome: Outcome;
  readonly plan: Plan;
  readonly side: Side;
}

export function exceedsMandate(world: World, key: Key, planned: Planned): boolean {
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
  const spent = spentToday(world, key);
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

const today = (world: World): number => Math.floor(decidedAt(world) / DAY_MS);

const spentToday = (world: World, key: Key): number => (key.spentDay === today(world) ? key.spentUnits : 0);

export function spend(world: World, key: Key, units: number): void {
  if (units === 0) return;
  key.spentUnits = spentToday(world, key) + units;
  key.spentDay = today(world);
}
