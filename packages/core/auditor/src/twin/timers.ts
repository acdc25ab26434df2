import type { CommandOf } from '../events/judged-commands.ts';
import { cancelResting } from './cancels.ts';
import { accountOf, decidedAt, emit, oldestOrders, UNCHANGED } from './state.ts';
import type { Account, Key, Verdict, TwinState } from './state.ts';

export function setDeadManSwitch(state: TwinState, { seconds }: CommandOf<'SetDeadManSwitch'>, key: Key): Verdict {
  const account = accountOf(state, key.accountId);
  if (seconds === 0 && account.cancelsAt === null) return UNCHANGED;
  return setSwitch(state, account, seconds === 0 ? null : decidedAt(state) + 1_000 * seconds);
}

function setSwitch(state: TwinState, account: Account, cancelsAt: number | null): Verdict {
  account.cancelsAt = cancelsAt;
  if (cancelsAt !== null) state.switches.add(cancelsAt, account.number, account);
  return emit(state, 'DeadManSwitchSet', { accountId: account.id, cancelsAt });
}

/** Cancels a chunk of the account's orders once its switch is due. The last cancel turns the switch off. */
export function fireDeadManSwitch(state: TwinState, { accountId }: CommandOf<'FireDeadManSwitch'>): Verdict {
  const account = state.accounts.get(accountId);
  const due = account?.cancelsAt ?? Infinity;
  if (account === undefined || due > decidedAt(state)) return UNCHANGED;
  for (const order of oldestOrders(account, state.settings.runChunk, () => true)) {
    cancelResting(state, order, 'dead_man_switch');
  }
  if (account.orders.size === 0) setSwitch(state, account, null);
  return { kind: 'accepted', events: state.emitted };
}

/**
 * Cancels a chunk of expired orders, by expiry, then by acceptance. A closing that is due as early, or a dead-man
 * switch that is due earlier, comes first.
 */
export function expireOrders(state: TwinState): Verdict {
  const at = decidedAt(state);
  for (let left = state.settings.runChunk; left > 0; left -= 1) {
    const due = state.expiries.first();
    if (due === null || due.at > at) break;
    if ((state.closings.first()?.at ?? Infinity) <= due.at) break;
    if ((state.switches.first()?.at ?? Infinity) < due.at) break;
    cancelResting(state, due.item, 'expired');
  }
  return state.emitted.length === 0 ? UNCHANGED : { kind: 'accepted', events: state.emitted };
}
