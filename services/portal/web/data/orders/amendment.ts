import type { AmendOrderInput } from '@paper/contracts/orders';
import type { z } from 'zod';
import { parseTyped } from './typed-number.ts';
import { readPrice, readShares, wrong } from './typed-order.ts';
import type { Read } from './typed-order.ts';
import type { ListedOrder } from './open-orders.ts';

export type Amendment = z.input<typeof AmendOrderInput>;

/** The change from the order to the typed values; null if nothing changes or a value is wrong. */
export function readAmendment(
  order: Pick<ListedOrder, 'price' | 'quantity' | 'filledQty'>,
  typed: Readonly<Record<'price' | 'quantity', string>>,
) {
  const price = readPrice(typed.price, null);
  const quantity = readTotal(order, typed.quantity);
  if (price.value === null || quantity.value === null) {
    const faults = {
      ...(price.fault === null ? {} : { price: price.fault }),
      ...(quantity.fault === null ? {} : { quantity: quantity.fault }),
    };
    return { change: null, faults };
  }
  const change: Amendment = {
    ...(price.value === order.price ? {} : { price: price.value }),
    ...(quantity.value === order.quantity ? {} : { quantity: quantity.value }),
  };
  return { change: Object.keys(change).length === 0 ? null : change, faults: null };
}

/** Reads the new total. The present one is valid even above 500 shares: an order in dollars may have more. */
function readTotal({ filledQty, quantity }: Pick<ListedOrder, 'quantity' | 'filledQty'>, text: string): Read<number> {
  if (parseTyped(text)?.value === quantity) return { value: quantity, fault: null };
  const read = readShares(text);
  if (read.value === null || read.value > filledQty) return read;
  return wrong(`The total is more than the ${filledQty} shares that are filled.`);
}
