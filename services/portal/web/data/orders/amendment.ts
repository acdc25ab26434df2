import type { AmendOrderInput } from '@paper/contracts/orders';
import type { z } from 'zod';
import { parseTyped } from './typed-number.ts';
import { readPrice, readShares, wrong } from './typed-order.ts';
import type { Read } from './typed-order.ts';
import type { ListedOrder } from './open-orders.ts';

export type Amendment = z.input<typeof AmendOrderInput>;

export interface AmendmentFaults {
  readonly price?: string;
  readonly quantity?: string;
}

export type AmendmentResult =
  | { readonly change: Amendment; readonly faults: null }
  /** The input is valid, and changes nothing. */
  | { readonly change: null; readonly faults: null }
  | { readonly change: null; readonly faults: AmendmentFaults };

export function readAmendment(
  order: Pick<ListedOrder, 'price' | 'quantity' | 'filledQty'>,
  typed: { readonly price: string; readonly quantity: string },
): AmendmentResult {
  const price = readPrice(typed.price, null);
  const quantity = readTotal(order, typed.quantity);
  if (price.value === null || quantity.value === null) {
    return {
      change: null,
      faults: {
        ...(price.fault === null ? {} : { price: price.fault }),
        ...(quantity.fault === null ? {} : { quantity: quantity.fault }),
      },
    };
  }
  const change = {
    ...(price.value === order.price ? {} : { price: price.value }),
    ...(quantity.value === order.quantity ? {} : { quantity: quantity.value }),
  };
  return Object.keys(change).length === 0 ? { change: null, faults: null } : { change, faults: null };
}

/** An order by its notional may have more than 500 shares, and keeps them when only its price changes. */
function readTotal({ filledQty, quantity }: Pick<ListedOrder, 'quantity' | 'filledQty'>, text: string): Read<number> {
  if (parseTyped(text)?.value === quantity) return { value: quantity, fault: null };
  const read = readShares(text);
  if (read.value === null || read.value > filledQty) return read;
  return wrong(`The total is more than the ${filledQty} shares that are filled.`);
}
