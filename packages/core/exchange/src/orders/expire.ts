import type { CommandOf } from '../commands.ts';
import { FORBIDDEN, UNCHANGED, accept } from '../decision.ts';
import type { Decision } from '../decision.ts';
import type { Account } from '../state/account.ts';
import type { Order } from '../state/book.ts';
import { isNotAfter } from '../state/due-timer.ts';
import type { Market } from '../state/market.ts';
import { decisionTime } from '../state/state.ts';
import type { State } from '../state/state.ts';
import { restingCancelled } from './cancel.ts';

/** Cancels up to `runChunk` expired orders, earliest first, that are due before the next closing and switch. */
export function expireOrders(state: State, command: CommandOf<'ExpireOrders'>): Decision {
  if (command.by.kind !== 'system') return FORBIDDEN;
  const at = decisionTime(state, command.at);
  const closing: Market | null = state.closing.next;
  const armed: Account | null = state.switches.next;
  const isDue = (order: Order): boolean =>
    order.dueAt <= at && (closing === null || order.dueAt < closing.dueAt) && isNotAfter(order, armed);
  const due = state.expiring.first(state.settings.runChunk, isDue);
  return due.length === 0 ? UNCHANGED : accept(due.map((order) => restingCancelled(order, at, 'expired')));
}
