import type { ExchangeEvent } from './events.ts';

/** Stable codes of refusals; packages/core/contracts maps each to a status. */
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
  | 'order_not_open'
  | 'duplicate_client_order_id'
  | 'mandate_exceeded'
  | 'market_not_found'
  | 'account_not_found';

/**
 * The result of `decide`. A rejection is a value; an exception is a bug.
 *
 * - accepted: these events happened (at least one);
 * - unchanged: the state already is what the command demands, so nothing is appended;
 * - unknown_order: a cancel of an order that is not live; the read model knows how the order ended;
 * - unknown_key: a revocation of a key that is not (or no longer) in the state; the read model has the key's owner;
 * - replayed: the Idempotency-Key was used with the same request, by the decision whose first event has sequence `seq`.
 *   The state does not hold that decision's events: the writer reads them from the journal into `events`;
 * - rejected: refused, with a stable code and a text that says what was wrong and what would be right.
 */
export type Decision =
  | { readonly kind: 'accepted'; readonly events: readonly ExchangeEvent[] }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'unknown_order' }
  | { readonly kind: 'unknown_key' }
  | { readonly kind: 'replayed'; readonly seq: number; readonly events?: readonly ExchangeEvent[] }
  | { readonly kind: 'rejected'; readonly code: RejectionCode; readonly message: string };

export type Rejection = Extract<Decision, { kind: 'rejected' }>;

/** A refusal: `code` is for programs, `message` for people. */
export function reject(code: RejectionCode, message: string): Rejection {
  return { kind: 'rejected', code, message };
}

/** Rejects input that has not the documented form. The message begins with the field, as the HTTP rules demand. */
export function invalid(field: string, problem: string): Rejection {
  return reject('validation_failed', `validation failure: ${field}: ${problem}`);
}

export const UNCHANGED: Decision = { kind: 'unchanged' };
export const UNKNOWN_ORDER: Decision = { kind: 'unknown_order' };
export const UNKNOWN_KEY: Decision = { kind: 'unknown_key' };
export const NOT_AUTHENTICATED = reject('not_authenticated', 'Not authenticated');
export const FORBIDDEN = reject('forbidden', 'Forbidden');
export const ACCOUNT_CLOSED = reject('forbidden', 'The account is closed: it can have no orders and no keys any more.');
export const MARKET_ENDED = reject('market_already_resolved', 'The market is settling or settled; it changes no more.');
export const PRIMARY_REQUIRED = reject(
  'primary_account_required',
  'Switch to your primary account: a sub-account cannot manage accounts and keys.',
);

/** Rejects a market id that was never listed. */
export function noMarket(marketId: string): Rejection {
  return reject('market_not_found', `No market has the id ${marketId}`);
}

/** Accepts a command, with all the events of its decision. */
export function accept(events: readonly ExchangeEvent[]): Decision {
  return { kind: 'accepted', events };
}

/** The command's UUID with the event's index as its last three hex digits (decisions have far below 4,096 events). */
export function eventId(commandId: string, index: number): string {
  return commandId.slice(0, 33) + index.toString(16).padStart(3, '0');
}
