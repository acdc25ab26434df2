import type { Account } from './account.ts';
import { openOrdersOf } from './book.ts';
import type { Order } from './book.ts';
import { restingCancelled } from './cancel-order.ts';
import type { ExpireOrders, FireDeadManSwitch, SetDeadManSwitch } from './commands.ts';
import { FORBIDDEN, NOT_AUTHENTICATED, UNCHANGED, accept, invalid } from './decision.ts';
import type { Decision } from './decision.ts';
import type { ExchangeEvent } from './events.ts';
import type { Market } from './market.ts';
import { TRADE } from './permissions.ts';
import { decisionTime, liveKey } from './state.ts';
import type { State } from './state.ts';
import type { Timed } from './timer-queue.ts';

const SECONDS_MIN = 5;
const SECONDS_MAX = 3_600;

/** What the clock has to do, as the command of the system that does it lacks only its ids. */
export type DueTimer =
  | { readonly type: 'CloseMarket'; readonly marketId: string }
  | { readonly type: 'ExpireOrders' }
  | { readonly type: 'FireDeadManSwitch'; readonly accountId: string };

/**
 * What is due first at `nowMs`, null when nothing is: by due time, then closings before expiries before switches. It has
 * to be decided before any other command, again and again until nothing is due.
 */
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

function isNotAfter(timer: Timed, other: Timed | null): boolean {
  return other === null || timer.dueAt <= other.dueAt;
}

/**
 * Cancels orders whose expiresAt has come, earliest first, then by acceptance; at most `runChunk`, and none that is due
 * after a closing or a switch.
 */
export function expireOrders(state: State, command: ExpireOrders): Decision {
  if (command.by.kind !== 'system') return FORBIDDEN;
  const at = decisionTime(state, command.at);
  const closing: Market | null = state.closing.next;
  const armed: Account | null = state.switches.next;
  const isDue = (order: Order): boolean =>
    order.dueAt <= at && (closing === null || order.dueAt < closing.dueAt) && isNotAfter(order, armed);
  const due = state.expiring.first(state.settings.runChunk, isDue);
  return due.length === 0 ? UNCHANGED : accept(due.map((order) => restingCancelled(order, at, 'expired')));
}

/** Arms the dead-man switch of the key's account for so many seconds from now, or turns it off. */
export function setDeadManSwitch(state: State, command: SetDeadManSwitch): Decision {
  const key = liveKey(state, command.by);
  if (key === null) return NOT_AUTHENTICATED;
  if ((key.rights & TRADE) === 0) return FORBIDDEN;
  const { seconds } = command;
  const isValid = Number.isInteger(seconds) && (seconds === 0 || (seconds >= SECONDS_MIN && seconds <= SECONDS_MAX));
  if (!isValid) return invalid('seconds', 'must be 0 to turn it off, or a whole number, 5 to 3600');
  const { account } = key;
  if (seconds === 0 && account.cancelsAt === null) return UNCHANGED;
  const at = decisionTime(state, command.at);
  const cancelsAt = seconds === 0 ? null : at + seconds * 1_000;
  return accept([{ accountId: account.id, at, cancelsAt, type: 'DeadManSwitchSet' }]);
}

/**
 * Cancels the open orders of an account whose dead-man switch is due, in the order of acceptance and at most `runChunk`.
 * The decision that cancels the last of them turns the switch off; till then it is due.
 */
export function fireDeadManSwitch(state: State, command: FireDeadManSwitch): Decision {
  if (command.by.kind !== 'system') return FORBIDDEN;
  const at = decisionTime(state, command.at);
  const account = state.accounts.get(command.accountId);
  if (account?.cancelsAt === undefined || account.cancelsAt === null || account.cancelsAt > at) return UNCHANGED;
  const orders = openOrdersOf(account);
  const events: ExchangeEvent[] = orders
    .slice(0, state.settings.runChunk)
    .map((order) => restingCancelled(order, at, 'dead_man_switch'));
  if (orders.length === events.length) {
    events.push({ accountId: account.id, at, cancelsAt: null, type: 'DeadManSwitchSet' });
  }
  return accept(events);
}
