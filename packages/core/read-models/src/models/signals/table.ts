import { bool, float8, int8, nullable, text } from '@paper/pg-bulk';
import { table } from '../../engine/table.ts';
import type { Row } from '../../engine/table.ts';

export const SIGNALS = table(
  'signals',
  {
    seq: int8,
    id: text(),
    /** Null: the signal is about the whole platform. */
    market_id: nullable(text()),
    source: text(),
    external_id: text(),
    headline: text(),
    citation_url: text(),
    published_at_ms: int8,
    event: nullable(text()),
    fair_prob: nullable(float8),
    fact_value: nullable(float8),
    threshold: nullable(float8),
    confidence: nullable(float8),
    freshness_ms: float8,
    prob_before_half_units: nullable(int8),
    /** The probability after the market's last event within 60 s of the signal. */
    prob_after_half_units: nullable(int8),
    /** Whether `prob_before_half_units` is only the prior of the listing, without a trade or a quote. */
    interpolated: bool,
    at_ms: int8,
  },
  ['seq'],
  {
    indexes: [
      { on: '(market_id, seq) where market_id is not null' },
      { on: '(market_id, seq) where market_id is not null and fair_prob is not null' },
    ],
  },
);

export type SignalRow = Row<typeof SIGNALS>;
