import { Refused } from '@paper/contracts';
import type { endpoints, Handler, KeyCaller } from '@paper/contracts';
import { Order, OrderDetail, OrderItem, OrderPreview } from '@paper/contracts/orders';
import type { OrderDetailView, OrderItemBody } from '@paper/contracts/orders';
import { parseInstant, parseUnits } from '@paper/contracts/units';
import { amendAnswer, optionalFields, orderAnswer, previewOf } from '@paper/exchange';
import type { AmendAnswer } from '@paper/exchange';
import { COMMANDS, PLAIN_ORDER } from '@paper/exchange/commands';
import type { CommandOf, Idempotency, Untimed } from '@paper/exchange/commands';
import { newId } from '@paper/command-side';
import type { CommandResult } from '@paper/command-side';
import { toAnswer, eventsOf, baseOf, laneOf, submitFor, unitsOf } from '../command-gateway.ts';
import type { CommandGateway, OwnedOrder } from '../command-gateway.ts';

type PlaceOrder = CommandOf<'PlaceOrder'>;

/** A field that an order's body and its command share; all except expiresAt have the same form in both. */
type SharedField = {
  [Name in keyof OrderItemBody & keyof PlaceOrder]: NonNullable<OrderItemBody[Name]> extends PlaceOrder[Name]
    ? Name
    : Extract<Name, 'expiresAt'>;
}[keyof OrderItemBody & keyof PlaceOrder];

/** The shared fields, each with the value that the command has if the body lacks the field. */
const SHARED_FIELDS = (Object.keys(OrderItem.shape) as (keyof OrderItemBody)[])
  .filter((name): name is SharedField => Object.hasOwn(COMMANDS.PlaceOrder, name))
  .map(
    (name) => [name, Object.hasOwn(PLAIN_ORDER, name) ? PLAIN_ORDER[name as keyof typeof PLAIN_ORDER] : null] as const,
  );

/**
 * Builds the command of an order. A price finer than a unit fails the tick check, which comes after the market checks.
 * @throws Refused validation_failed when another amount is finer than $0.0001.
 */
export function orderCommand(caller: KeyCaller, item: OrderItemBody, idempotency: Idempotency | null) {
  const priceUnits = item.price === undefined ? null : parseUnits(item.price);
  const { by, causationId, correlationId, id, idempotency: retry } = baseOf(caller, idempotency);
  const command: Omit<Untimed<PlaceOrder>, SharedField> & Record<string, unknown> = {
    by,
    causationId,
    correlationId,
    id,
    idempotency: retry,
    maxPriceUnits: unitsOf('maxPrice', item.maxPrice),
    notionalUnits: unitsOf('notional', item.notional),
    offTick: item.price !== undefined && priceUnits === null,
    orderId: newId(),
    priceUnits,
    slippageUnits: unitsOf('slippage', item.slippage),
    type: 'PlaceOrder',
  };
  // A loop, since a spread made an order of a batch a tenth more expensive.
  for (const [name, without] of SHARED_FIELDS) command[name] = item[name] ?? without;
  if (item.expiresAt !== undefined) command['expiresAt'] = parseInstant(item.expiresAt);
  return command as Untimed<PlaceOrder>;
}

export function placeOrder(gateway: CommandGateway): Handler<typeof endpoints.placeOrder> {
  return async (caller, { body, idempotency }) => {
    const command = orderCommand(caller, body, idempotency);
    return toAnswer(
      await gateway.submit(laneOf(caller), command, (decision) => Order.body(orderAnswer(eventsOf(decision)))),
    );
  };
}

/** Decides an order as if it were placed now, and places nothing. */
export function previewOrder(gateway: CommandGateway): Handler<typeof endpoints.previewOrder> {
  return async (caller, { body }) => {
    const result = await gateway.preview(laneOf(caller), orderCommand(caller, body, null), (decision, state) =>
      previewOf(state, eventsOf(decision)),
    );
    return toAnswer({ ...result, value: OrderPreview.body({ ...result.value, seq: result.seq }) });
  };
}

/**
 * Changes an open order; the exchange's state has no others. The read model tells why another cannot be changed, gives
 * an order that the request leaves unchanged, and the fields that a change under former rules lacks.
 */
export function amendOrder(gateway: CommandGateway): Handler<typeof endpoints.amendOrder> {
  return async (caller, { params, body, idempotency }) => {
    const priceUnits = body.price === undefined ? null : parseUnits(body.price);
    const amend = {
      offTick: body.price !== undefined && priceUnits === null,
      orderId: params.id,
      priceUnits,
      quantity: body.quantity ?? null,
      type: 'AmendOrder',
    } as const;
    const result = await submitFor(gateway, { caller, idempotency }, amend, (decision) =>
      decision.kind === 'unknown_order' || decision.kind === 'unchanged'
        ? decision.kind
        : amendAnswer(eventsOf(decision)),
    );
    return toAnswer({ ...result, value: OrderDetail.body(await amendedOrder(gateway, caller, params.id, result)) });
  };
}

/** The order in an answer; fields that the decision lacks are read once its sequence is projected. @throws Refused */
async function amendedOrder(
  gateway: CommandGateway,
  caller: KeyCaller,
  orderId: string,
  { seq, value }: CommandResult<AmendAnswer | 'unchanged' | 'unknown_order'>,
): Promise<OrderDetailView> {
  if (typeof value === 'object' && value.postOnly !== null) return { ...value, postOnly: value.postOnly, seq };
  await gateway.readModel.fresh(seq);
  const order = await gateway.readModel.order(orderId);
  if (order === null) throw new Refused('not_found', `No order has the id ${orderId}`);
  if (value === 'unchanged') return order;
  if (typeof value === 'object') return { ...value, ...optionalFields(order), seq };
  if (!mayCancel(caller, order)) throw new Refused('forbidden', 'Forbidden');
  throw new Refused('order_not_open', `The order is ${order.status} already.`);
}

/**
 * Cancels an order; the exchange's state has only open ones. The read model tells how another ended, once the
 * decision's sequence is durable and projected, so that no order is missed between the two.
 */
export function cancelOrder(gateway: CommandGateway): Handler<typeof endpoints.cancelOrder> {
  return async (caller, { params, idempotency }) => {
    const cancel = { orderId: params.id, type: 'CancelOrder' } as const;
    const result = await submitFor(gateway, { caller, idempotency }, cancel, ({ kind }) => kind !== 'unknown_order');
    if (result.value) return toAnswer({ ...result, value: { ok: true } });
    await gateway.readModel.fresh(result.seq);
    const ended = await gateway.readModel.order(params.id);
    if (ended !== null && !mayCancel(caller, ended)) throw new Refused('forbidden', 'Forbidden');
    return toAnswer({ ...result, value: { ok: ended?.status === 'cancelled' } });
  };
}

/** Whether a caller may cancel an order: its own, or a sub-account's with a primary's `master` and `trade`. */
function mayCancel(caller: KeyCaller, order: OwnedOrder): boolean {
  if (order.accountId === caller.accountId) return true;
  return order.primaryAccountId === caller.accountId && caller.permissions.includes('master');
}
