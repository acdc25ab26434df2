import type { ExchangeEvent } from './events.ts';

/** Stable codes of refusals; packages/contracts maps each to a status. */
export type RejectionCode =
  | 'validation_failed'
  | 'invalid_tick'
  | 'insufficient_balance'
  | 'insufficient_shares'
  | 'market_not_active'
  | 'market_already_resolved'
  | 'idempotency_conflict'
  | 'limit_reached'
  | 'not_authenticated'
  | 'forbidden'
  | 'kyc_required'
  | 'primary_account_required'
  | 'market_not_found'
  | 'account_not_found';

/**
 * What `decide` makes of a command. A rejection is a value; an exception is a bug.
 *
 * - accepted: these events happened (at least one);
 * - unchanged: the state already is what the command asks for, nothing is appended;
 * - unknown_order: a cancel of an order that is not live; the read model knows how it ended;
 * - replayed: the Idempotency-Key was used by the decision whose first event has sequence `seq`, with the same request;
 * - rejected: refused, with a stable code and a text that says what was wrong and what would be right.
 */
export type Decision =
  | { readonly kind: 'accepted'; readonly events: readonly ExchangeEvent[] }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'unknown_order' }
  | { readonly kind: 'replayed'; readonly seq: number }
  | { readonly kind: 'rejected'; readonly code: RejectionCode; readonly message: string };
