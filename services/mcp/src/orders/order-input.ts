import { OrderItem } from '@paper/contracts/orders';
import { z } from 'zod';

/** An order as tools accept it: for the account of the key, and without a clientOrderId. */
export const orderInput = z.strictObject(OrderItem.omit({ accountId: true, clientOrderId: true }).shape);

export type OrderInput = z.output<typeof orderInput>;
