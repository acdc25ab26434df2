import { orderBody, parseUnits, Refused } from '@paper/contracts';
import type { endpoints, Handler, KeyCaller } from '@paper/contracts';
import { orderAnswer } from '@paper/exchange';
import type { CancelOrder, PlaceOrder } from '@paper/exchange';
import { newId } from '@paper/command-side';
import { baseOf, laneOf, unitsOf } from '../commands/base.ts';
import { toAnswer, eventsOf } from './command-gateway.ts';
import type { CommandGateway, EndedOrder } from './command-gateway.ts';

/** A price that is not a whole number of units fails the tick check, which comes after the market checks. */
export function placeOrder(gateway: CommandGateway): Handler<typeof endpoints.placeOrder> {
  return async (caller, { body, idempotency }) => {
    const priceUnits = body.price === undefined ? null : parseUnits(body.price);
    const order: Omit<PlaceOrder, 'at'> = {
      ...baseOf(caller, idempotency),
      marketId: body.marketId,
      maxPriceUnits: unitsOf('maxPrice', body.maxPrice),
      notionalUnits: unitsOf('notional', body.notional),
      offTick: body.price !== undefined && priceUnits === null,
      orderId: newId(),
      orderType: body.orderType,
      outcome: body.outcome,
      priceUnits,
      quantity: body.quantity ?? null,
      side: body.side,
      slippageUnits: unitsOf('slippage', body.slippage),
      timeInForce: body.timeInForce,
      type: 'PlaceOrder',
    };
    const result = await gateway.submit({
      answer: (outcome) => orderBody(orderAnswer(eventsOf(outcome))),
      command: order,
      lane: laneOf(caller),
    });
    return toAnswer(result);
  };
}

/**
 * Cancels an order. The exchange's state has open orders only. For another order the read model gives how it ended,
 * once the decision's sequence is durable and projected, so that no order is missed between the two.
 */
export function cancelOrder(gateway: CommandGateway): Handler<typeof endpoints.cancelOrder> {
  return async (caller, { params, idempotency }) => {
    const cancel: Omit<CancelOrder, 'at'> = { ...baseOf(caller, idempotency), orderId: params.id, type: 'CancelOrder' };
    const result = await gateway.submit({
      answer: (outcome) => outcome.kind !== 'unknown_order',
      command: cancel,
      lane: laneOf(caller),
    });
    if (result.value) return toAnswer({ ...result, value: { ok: true } });
    await gateway.readModel.fresh(result.seq);
    const ended = await gateway.readModel.endedOrder(params.id);
    if (ended !== null && !mayCancel(caller, ended)) throw new Refused('forbidden', 'Forbidden');
    return toAnswer({ ...result, value: { ok: ended?.status === 'cancelled' } });
  };
}

/**
 * A caller may cancel its own orders. A primary's key with `master` and `trade` may also cancel its sub-accounts'
 * orders.
 */
function mayCancel(caller: KeyCaller, order: EndedOrder): boolean {
  if (order.accountId === caller.accountId) return true;
  return order.primaryAccountId === caller.accountId && caller.permissions.includes('master');
}
