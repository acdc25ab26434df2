import type { Outcome } from '@paper/exchange/vocabulary';
import { int8, nullable, text } from '@paper/pg-bulk';
import { table } from '../../engine/table.ts';
import type { Row } from '../../engine/table.ts';

/** The end of a market: with an outcome, or void. */
export const RESOLUTIONS = table(
  'resolutions',
  {
    market_id: text(),
    seq: int8,
    id: text(),
    /** The outcome; null for a void. */
    outcome: nullable(text<Outcome>()),
    /** The payout of one YES share. */
    price_units: int8,
    /** The operator's headline; for a void, its reason. */
    headline: nullable(text()),
    source: nullable(text()),
    citation_url: nullable(text()),
    prob_before_half_units: int8,
    at_ms: int8,
  },
  ['market_id'],
  { indexes: [{ on: '(seq)' }] },
);

/** Positions that were paid out at the end of their market. */
export const SETTLEMENTS = table(
  'settlements',
  {
    seq: int8,
    id: text(),
    account_id: text(),
    market_id: text(),
    outcome: text<Outcome>(),
    shares: int8,
    payout_units: int8,
    cost_units: int8,
    at_ms: int8,
    cash_after_units: int8,
  },
  ['seq'],
  { keyedLater: true, indexes: [{ on: '(account_id, seq)' }] },
);

/** Pairs of shares that became $1 each. */
export const MERGES = table(
  'merges',
  {
    seq: int8,
    id: text(),
    account_id: text(),
    market_id: text(),
    quantity: int8,
    /** The cost that left the position with these shares. */
    yes_cost_units: int8,
    no_cost_units: int8,
    at_ms: int8,
    cash_after_units: int8,
    yes_shares_after: int8,
    no_shares_after: int8,
    yes_cost_after_units: int8,
    no_cost_after_units: int8,
  },
  ['seq'],
  { keyedLater: true, indexes: [{ on: '(account_id, seq)' }, { on: '(account_id, market_id, seq)' }] },
);

export type ResolutionRow = Row<typeof RESOLUTIONS>;
export type SettlementRow = Row<typeof SETTLEMENTS>;
export type MergeRow = Row<typeof MERGES>;
