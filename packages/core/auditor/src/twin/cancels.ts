import type { CommandOf } from '../events/judged-commands.ts';
import { mayHandle } from './accounts.ts';
import { emit, findAccount, oldestOrders, refuse, removeOrder, UNCHANGED } from './world.ts';
import type { Key, Order, Verdict, World } from './world.ts';

/** Cancels an open order of the caller or its sub-account. The twin does not hold orders that have ended. */
export function cancelOrder(world: World, command: CommandOf<'CancelOrder'>, key: Key): Verdict {
  const order = world.orders.get(command.orderId);
  if (order === undefined) return { kind: 'unknown_order' };
  if (!mayHandle(world, key, order.accountId)) return refuse('forbidden');
  cancelResting(world, order, 'user');
  return { kind: 'accepted', events: world.emitted };
}

export function cancelOrders(world: World, command: CommandOf<'CancelOrders'>, key: Key): Verdict {
  const account = findAccount(world, command.accountId);
  if (account === undefined || !mayHandle(world, key, account.id)) return refuse('forbidden');
  const { marketId, outcome, side } = command;
  const matching = oldestOrders(
    account,
    world.settings.runChunk,
    (order) =>
      (marketId === null || order.marketId === marketId) &&
      (outcome === null || order.outcome === outcome) &&
      (side === null || order.side === side),
  );
  if (matching.length === 0) return UNCHANGED;
  for (const order of matching) cancelResting(world, order, 'user');
  return { kind: 'accepted', events: world.emitted };
}

export function cancelResting(world: World, order: Order, reason: string): void {
  removeOrder(world, order);
  const cancelled = {
    accountId: order.accountId,
    marketId: order.marketId,
    orderId: order.orderId,
    outcome: order.outcome,
    priceUnits: order.price,
    quantity: order.remaining,
    reason,
    resting: true,
    side: order.side,
  };
  emit(world, 'OrderCancelled', cancelled, [order]);
}
