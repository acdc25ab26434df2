import type { CommandOf } from '../events/judged-commands.ts';
import { mayHandle } from './accounts.ts';
import { emit, oldestOrders, refuse, removeOrder, UNCHANGED } from './state.ts';
import type { Key, Order, Verdict, TwinState } from './state.ts';

/** Cancels an open order of the caller or its sub-account. The twin does not hold orders that have ended. */
export function cancelOrder(state: TwinState, command: CommandOf<'CancelOrder'>, key: Key): Verdict {
  const order = state.orders.get(command.orderId);
  if (order === undefined) return { kind: 'unknown_order' };
  if (!mayHandle(state, key, order.accountId)) return refuse('forbidden');
  return cancelResting(state, order, 'user');
}

/** Cancels an account's oldest matching orders, at most a chunk of them. */
export function cancelOrders(state: TwinState, command: CommandOf<'CancelOrders'>, key: Key): Verdict {
  const account = state.accounts.get(command.accountId);
  if (account === undefined || !mayHandle(state, key, account.id)) return refuse('forbidden');
  const { marketId, outcome, side } = command;
  const matching = oldestOrders(
    account,
    state.settings.runChunk,
    (order) =>
      (marketId === null || order.marketId === marketId) &&
      (outcome === null || order.outcome === outcome) &&
      (side === null || order.side === side),
  );
  if (matching.length === 0) return UNCHANGED;
  for (const order of matching) cancelResting(state, order, 'user');
  return { kind: 'accepted', events: state.emitted };
}

export function cancelResting(state: TwinState, order: Order, reason: string): Verdict {
  removeOrder(state, order);
  return emitCancel(state, order, { quantity: order.remaining, reason, resting: true });
}

interface Cancel {
  readonly quantity: number;
  readonly reason: string;
  /** True: the order was in the book. False: the decision that placed it also cancels it. */
  readonly resting: boolean;
}

/** Emits the cancel of an order that was removed from its book, or never was in one. */
export function emitCancel(state: TwinState, order: Order, cancel: Cancel): Verdict {
  const { accountId, marketId, orderId, outcome, price: priceUnits, side } = order;
  const cancelled = { accountId, marketId, orderId, outcome, priceUnits, side, ...cancel };
  return emit(state, 'OrderCancelled', cancelled, cancel.resting ? [order] : []);
}
