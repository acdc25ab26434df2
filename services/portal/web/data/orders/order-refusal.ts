import type { CallError } from '../../base/call-error.ts';
import { readFailure, toSentence } from '../../ui/place-error.ts';

export type OrderField = 'price' | 'amount' | 'expiresAt';

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

/** The field of the ticket that a refusal is about (null: the whole order), and the refusal as a sentence. */
export function refusalOf({ code, message }: Pick<CallError, 'code' | 'message'>) {
  const { field, text } = readFailure(message) ?? { field: code, text: toSentence(message) };
  return { field: FIELDS[field] ?? null, words: text };
}
