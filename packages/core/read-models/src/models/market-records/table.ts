import type { Phase } from '@paper/exchange/vocabulary';
import { int8, nullable, text } from '@paper/pg-bulk';
import { table } from '../../engine/table.ts';
import type { Row } from '../../engine/table.ts';

/**
 * Each market just after each event by which it was listed, amended, or entered a phase, and when the last order of a
 * closed market has left the book: what the command was answered with, for its replays.
 */
export const MARKET_RECORDS = table(
  'market_records',
  {
    market_id: text(),
    seq: int8,
    phase: text<Phase>(),
    /** The title and the three columns after it are set where the event has them: by a listing and by an amendment. */
    title: nullable(text()),
    description: nullable(text()),
    citation_url: nullable(text()),
    closes_at_ms: nullable(int8),
    probability_half_units: int8,
    /** Shares traded. */
    volume_shares: int8,
    /** Pairs of one YES and one NO share. */
    open_interest_pairs: int8,
    best_bid_units: nullable(int8),
    best_ask_units: nullable(int8),
    last_trade_units: nullable(int8),
  },
  ['market_id', 'seq'],
  { keyedLater: true },
);

export type MarketRecordRow = Row<typeof MARKET_RECORDS>;
