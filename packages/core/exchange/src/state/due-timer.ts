import { decisionTime } from './state.ts';
import type { State } from './state.ts';
import type { Timed } from './timer-queue.ts';

/** A due timer: the system command that handles it, without its ids. */
export type DueTimer =
  | { readonly type: 'CloseMarket'; readonly marketId: string }
  | { readonly type: 'ExpireOrders' }
  | { readonly type: 'FireDeadManSwitch'; readonly accountId: string };

/** The first due timer, or null. At equal times a closing comes first, then an expiry, then a dead-man switch. */
export function dueTimer(state: State, nowMs: number): DueTimer | null {
  const at = decisionTime(state, nowMs);
  const market = state.closing.next;
  const order = state.expiring.next;
  const account = state.switches.next;
  if (market !== null && market.dueAt <= at && isNotAfter(market, order) && isNotAfter(market, account)) {
    return { marketId: market.id, type: 'CloseMarket' };
  }
  if (order !== null && order.dueAt <= at && isNotAfter(order, account)) return { type: 'ExpireOrders' };
  if (account !== null && account.dueAt <= at) return { accountId: account.id, type: 'FireDeadManSwitch' };
  return null;
}

/** The next time at which a timer is due; null when none is armed. */
export function nextTimerAt(state: State): number | null {
  const next = Math.min(
    state.closing.next?.dueAt ?? Infinity,
    state.expiring.next?.dueAt ?? Infinity,
    state.switches.next?.dueAt ?? Infinity,
  );
  return next === Infinity ? null : next;
}

/** Whether a timer is due before the other one, or at the same time. */
export function isNotAfter(timer: Timed, other: Timed | null): boolean {
  return other === null || timer.dueAt <= other.dueAt;
}
