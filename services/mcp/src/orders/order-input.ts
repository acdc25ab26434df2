import { OrderItem } from '@paper/contracts/orders';
import { z } from 'zod';

/** An order as tools take it: for the account of the key, and without a name of the client's own. */
export const orderInput = z.strictObject(OrderItem.omit({ accountId: true, clientOrderId: true }).shape);

export type OrderInput = z.output<typeof orderInput>;
