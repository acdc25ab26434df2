import { readFailure, sentence } from '../../ui/place-error.ts';

/** The fields of an order that a person can get wrong. */
export type OrderField = 'price' | 'amount' | 'expiresAt';

/** A refusal of the service with the field that it is about; `field` is null if it is about the whole order. */
export interface Refusal {
  readonly field: OrderField | null;
  readonly words: string;
}

const FIELDS: Readonly<Record<string, OrderField>> = {
  price: 'price',
  maxPrice: 'price',
  slippage: 'price',
  invalid_tick: 'price',
  quantity: 'amount',
  notional: 'amount',
  insufficient_balance: 'amount',
  insufficient_shares: 'amount',
  expiresAt: 'expiresAt',
};

/** Finds the field of a ticket that a refusal is about, and makes a sentence of the service's words. */
export function refusalOf({ code, message }: { readonly code: string; readonly message: string }): Refusal {
  const { field, text } = readFailure(message) ?? { field: code, text: sentence(message) };
  return { field: FIELDS[field] ?? null, words: text };
}
