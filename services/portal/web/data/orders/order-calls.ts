import type { AmendOrderInput, OrderBatch, OrderDetailBody, OrderItem } from '@paper/contracts/orders';
import type { z } from 'zod';
import { CallError } from '../../base/call-error.ts';
import { apiGet, portalSend } from '../api/calls.ts';
import type { PortalReply } from '../api/calls.ts';
import { storeReceipt } from '../receipts/store-receipt.ts';

export type OrderInput = z.input<typeof OrderItem>;

const ORDERS = '/portal/as/me/orders';

/** Places an order, once for each key, which becomes its clientOrderId. A batch answers with the average price. */
export async function placeOrder(accountId: string, item: OrderInput, idempotencyKey: string) {
  const { body, headers } = await portalSend<z.output<typeof OrderBatch>>(
    'POST',
    `${ORDERS}/batch`,
    { orders: [{ ...item, clientOrderId: idempotencyKey }] },
    { idempotencyKey },
  );
  const [result] = body.results;
  if (result === undefined) throw new CallError('internal', 'The service answered without a result.', 500);
  if (!result.ok) throw new CallError(result.code, result.error, 400);
  return acknowledged(accountId, { body: result.order, headers });
}

/** The order that was sent with this key. Throws CallError `not_found` while the exchange does not have it. */
export async function findOrder(idempotencyKey: string, signal: AbortSignal): Promise<OrderDetailBody> {
  return (await apiGet<OrderDetailBody>(`${ORDERS}/client/${idempotencyKey}`, { signal })).body;
}

export async function amendOrder(
  accountId: string,
  orderId: string,
  change: z.input<typeof AmendOrderInput>,
  idempotencyKey: string,
) {
  const path = `${ORDERS}/${encodeURIComponent(orderId)}` as const;
  return acknowledged(accountId, await portalSend<OrderDetailBody>('PATCH', path, change, { idempotencyKey }));
}

/** Cancels an order of the signed-in person; false if it has ended already. */
export async function cancelOrder(orderId: string): Promise<boolean> {
  const { body } = await portalSend<{ readonly ok: boolean }>('DELETE', `${ORDERS}/${encodeURIComponent(orderId)}`);
  return body.ok;
}

async function acknowledged(accountId: string, { body, headers }: PortalReply<OrderDetailBody>) {
  return { order: body, isReceiptStored: await storeReceipt(accountId, body, headers) };
}
