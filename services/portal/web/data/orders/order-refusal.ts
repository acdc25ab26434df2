/** The fields of an order that a person can get wrong, by their names in the API. */
export type OrderField = 'price' | 'quantity' | 'notional' | 'expiresAt' | 'postOnly';

/** A refusal of the service, at the field that it is about; `field` is null where it is about the whole order. */
export interface Refusal {
  readonly field: OrderField | null;
  readonly words: string;
}

const FIELDS: readonly string[] = ['price', 'quantity', 'notional', 'expiresAt', 'postOnly'] satisfies OrderField[];

/**
 * Finds the field of a ticket that a refusal is about.
 *
 * @param amount the field that holds the amount
 */
export function refusalOf(
  { code, message }: { readonly code: string; readonly message: string },
  amount: 'quantity' | 'notional',
): Refusal {
  if (code === 'invalid_tick') return { field: 'price', words: message };
  if (code === 'insufficient_balance' || code === 'insufficient_shares') return { field: amount, words: message };
  const [, named, words] = /^validation failure: (\w+): (.*)$/s.exec(message) ?? [];
  if (named === 'maxPrice' || named === 'slippage') return { field: 'price', words: words ?? message };
  if (named !== undefined && FIELDS.includes(named)) return { field: named as OrderField, words: words ?? message };
  return { field: null, words: message };
}
