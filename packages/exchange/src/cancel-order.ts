import type { Order } from './book.ts';
import type { CancelOrder } from './commands.ts';
import { FORBIDDEN, NOT_AUTHENTICATED, UNKNOWN_ORDER, accept } from './decision.ts';
import type { Decision } from './decision.ts';
import type { OrderCancelled } from './events.ts';
import { replayOf } from './idempotency.ts';
import { MASTER, TRADE } from './permissions.ts';
import { decisionTime, liveKey } from './state.ts';
import type { State } from './state.ts';
import type { CancelReason } from './vocabulary.ts';

/**
 * Cancels a resting order, whatever phase its market is in. A key cancels the orders of its own account. A primary's
 * key with master and trade also cancels those of the primary's sub-accounts.
 */
export function cancelOrder(state: State, command: CancelOrder): Decision {
  const key = liveKey(state, command.by);
  if (key === null) return NOT_AUTHENTICATED;
  if ((key.rights & TRADE) === 0) return FORBIDDEN;
  const replay = replayOf(state.idempotency, command);
  if (replay !== null) return replay;
  const order = state.orders.get(command.orderId);
  if (order === undefined) return UNKNOWN_ORDER;
  const { account } = order.position;
  const mayCancel = account === key.account || (account.primary === key.account && (key.rights & MASTER) !== 0);
  if (!mayCancel) return FORBIDDEN;
  return accept([restingCancelled(order, decisionTime(state, command.at), 'user')]);
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
