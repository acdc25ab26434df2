import type { AmendOrderInput, OrderBatch, OrderBody, OrderItem } from '@paper/contracts/orders';
import type { z } from 'zod';
import { CallError } from '../../base/call-error.ts';
import { portalSend } from '../api/calls.ts';
import type { PortalReply } from '../api/calls.ts';
import { storeReceipt } from '../receipts/store-receipt.ts';

/** An order to place, as the API takes it. */
export type OrderInput = z.input<typeof OrderItem>;

/** An order as the service answered it. */
export interface Acknowledged {
  readonly order: OrderBody;
  /** Whether the answer's receipt is stored in this browser. */
  readonly isReceiptStored: boolean;
}

const ORDERS = '/portal/as/me/orders';

/**
 * Places an order of the signed-in person. Sent again with the same key, it is placed once.
 *
 * @throws CallError
 */
export async function placeOrder(accountId: string, item: OrderInput, idempotencyKey: string): Promise<Acknowledged> {
  // The endpoint for one order has the specification's fields alone.
  const isPlain = item.postOnly === undefined && item.expiresAt === undefined;
  if (isPlain) return acknowledged(accountId, await portalSend<OrderBody>('POST', ORDERS, item, { idempotencyKey }));
  const { body, headers } = await portalSend<z.output<typeof OrderBatch>>(
    'POST',
    `${ORDERS}/batch`,
    { orders: [item] },
    { idempotencyKey },
  );
  const [result] = body.results;
  if (result === undefined) throw new CallError('internal', 'The service answered without a result.', 500);
  if (!result.ok) throw new CallError(result.code, result.error, 400);
  return acknowledged(accountId, { body: result.order, headers });
}

/** Changes an open order of the signed-in person. @throws CallError */
export async function amendOrder(
  accountId: string,
  orderId: string,
  change: z.input<typeof AmendOrderInput>,
  idempotencyKey: string,
): Promise<Acknowledged> {
  const path = `${ORDERS}/${encodeURIComponent(orderId)}` as const;
  return acknowledged(accountId, await portalSend<OrderBody>('PATCH', path, change, { idempotencyKey }));
}

/** Cancels an order of the signed-in person; false where it has ended already. @throws CallError */
export async function cancelOrder(orderId: string): Promise<boolean> {
  const { body } = await portalSend<{ readonly ok: boolean }>('DELETE', `${ORDERS}/${encodeURIComponent(orderId)}`);
  return body.ok;
}

async function acknowledged(accountId: string, { body, headers }: PortalReply<OrderBody>): Promise<Acknowledged> {
  return { order: body, isReceiptStored: await storeReceipt(accountId, body, headers) };
}
