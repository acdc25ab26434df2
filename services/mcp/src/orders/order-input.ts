import { CreateOrderInput, OrderItem } from '@paper/contracts/orders';
import { z } from 'zod';

const { expiresAt, postOnly } = OrderItem.shape;

/** An order as tools take it: for the account of the key, and without a name of the client's own. */
export const orderInput = z.strictObject({ ...CreateOrderInput.shape, postOnly, expiresAt });

export type OrderInput = z.output<typeof orderInput>;
