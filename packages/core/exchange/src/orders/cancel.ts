import type { CommandOf } from '../commands.ts';
import { FORBIDDEN, UNCHANGED, UNKNOWN_ORDER, accept } from '../decision.ts';
import type { Decision } from '../decision.ts';
import type { OrderCancelled } from '../events.ts';
import { MASTER } from '../permissions.ts';
import type { Account, ApiKey } from '../state/account.ts';
import { openOrdersOf } from '../state/book.ts';
import type { Order } from '../state/book.ts';
import { isNotAfter } from '../state/due-timer.ts';
import { replayOf } from '../state/idempotency.ts';
import { decisionTime, tradingKey } from '../state/state.ts';
import type { State } from '../state/state.ts';
import type { CancelReason } from '../vocabulary.ts';

/** Cancels a resting order, in any phase of its market. */
export function cancelOrder(state: State, command: CommandOf<'CancelOrder'>): Decision {
  const key = tradingKey(state, command.by);
  if ('kind' in key) return key;
  const replay = replayOf(state.idempotency, command);
  if (replay !== null) return replay;
  const order = state.orders.get(command.orderId);
  if (order === undefined) return UNKNOWN_ORDER;
  if (!mayManage(key, order.position.account)) return FORBIDDEN;
  return accept([restingCancelled(order, decisionTime(state, command.at), 'user')]);
}

/** Cancels up to `runChunk` of the account's oldest resting orders that match, in any phase of their markets. */
export function cancelOrders(state: State, command: CommandOf<'CancelOrders'>): Decision {
  const key = tradingKey(state, command.by);
  if ('kind' in key) return key;
  const account = state.accounts.get(command.accountId);
  if (account === undefined || !mayManage(key, account)) return FORBIDDEN;
  const orders = matching(account, command);
  if (orders.length === 0) return UNCHANGED;
  const at = decisionTime(state, command.at);
  return accept(orders.slice(0, state.settings.runChunk).map((order) => restingCancelled(order, at, 'user')));
}

/** Cancels up to `runChunk` expired orders, earliest first, that are due before the next closing and switch. */
export function expireOrders(state: State, command: CommandOf<'ExpireOrders'>): Decision {
  if (command.by.kind !== 'system') return FORBIDDEN;
  const at = decisionTime(state, command.at);
  const closing = state.closing.next;
  const armed = state.switches.next;
  const isDue = (order: Order): boolean =>
    order.dueAt <= at && (closing === null || order.dueAt < closing.dueAt) && isNotAfter(order, armed);
  const due = state.expiring.first(state.settings.runChunk, isDue);
  return due.length === 0 ? UNCHANGED : accept(due.map((order) => restingCancelled(order, at, 'expired')));
}

/** The filter of a cancel of many orders; null matches any value. */
export type OrderFilter = Pick<CommandOf<'CancelOrders'>, 'marketId' | 'outcome' | 'side'>;

/** The account's open orders that match every given filter, oldest acceptance first. */
export function matching(account: Account, { marketId, outcome, side }: OrderFilter): Order[] {
  return openOrdersOf(account).filter(
    (order) =>
      (marketId === null || order.position.marketId === marketId) &&
      (outcome === null || order.outcome === outcome) &&
      (side === null || order.side === side),
  );
}

/** Whether a key with trade may cancel and amend this account's orders: its own, or with master a sub-account's. */
export function mayManage(key: ApiKey, account: Account): boolean {
  return account === key.account || (account.primary === key.account && (key.rights & MASTER) !== 0);
}

/** Builds the event that removes a resting order from its book. */
export function restingCancelled(order: Order, at: number, reason: CancelReason): OrderCancelled {
  return {
    accountId: order.position.account.id,
    at,
    marketId: order.position.marketId,
    orderId: order.id,
    outcome: order.outcome,
    priceUnits: order.priceUnits,
    quantity: order.remaining,
    reason,
    resting: true,
    side: order.side,
    type: 'OrderCancelled',
  };
}
