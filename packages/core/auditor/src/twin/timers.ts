import type { CommandOf } from '../events/judged-commands.ts';
import { cancelResting } from './cancels.ts';
import { decidedAt, emit, findAccount, oldestOrders, refuse, UNCHANGED } from './world.ts';
import type { Account, Key, Verdict, World } from './world.ts';

export function secondsAreWellFormed(seconds: number): boolean {
  return seconds === 0 || (Number.isInteger(seconds) && seconds >= 5 && seconds <= 3_600);
}

export function setDeadManSwitch(world: World, { seconds }: CommandOf<'SetDeadManSwitch'>, key: Key): Verdict {
  const account = findAccount(world, key.accountId);
  if (account === undefined) return refuse('not_authenticated');
  if (seconds === 0 && account.cancelsAt === null) return UNCHANGED;
  setSwitch(world, account, seconds === 0 ? null : decidedAt(world) + 1_000 * seconds);
  return { kind: 'accepted', events: world.emitted };
}

function setSwitch(world: World, account: Account, cancelsAt: number | null): void {
  account.cancelsAt = cancelsAt;
  if (cancelsAt !== null) world.switches.add(cancelsAt, account.number, account);
  emit(world, 'DeadManSwitchSet', { accountId: account.id, cancelsAt });
}

/** Cancels a chunk of the account's orders once its switch is due. The last cancel turns the switch off. */
export function fireDeadManSwitch(world: World, { accountId }: CommandOf<'FireDeadManSwitch'>): Verdict {
  const account = findAccount(world, accountId);
  const due = account?.cancelsAt ?? Infinity;
  if (account === undefined || due > decidedAt(world)) return UNCHANGED;
  for (const order of oldestOrders(account, world.settings.runChunk, () => true)) {
    cancelResting(world, order, 'dead_man_switch');
  }
  if (account.orders.size === 0) setSwitch(world, account, null);
  return { kind: 'accepted', events: world.emitted };
}

/**
 * Cancels a chunk of expired orders, by expiry, then by acceptance. A closing that is due as early, or a dead-man
 * switch that is due earlier, comes first.
 */
export function expireOrders(world: World): Verdict {
  const at = decidedAt(world);
  for (let left = world.settings.runChunk; left > 0; left -= 1) {
    const due = world.expiries.first();
    if (due === null || due.at > at) break;
    if ((world.closings.first()?.at ?? Infinity) <= due.at) break;
    if ((world.switches.first()?.at ?? Infinity) < due.at) break;
    cancelResting(world, due.item, 'expired');
  }
  return world.emitted.length === 0 ? UNCHANGED : { kind: 'accepted', events: world.emitted };
}
