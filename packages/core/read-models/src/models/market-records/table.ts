import type { Phase } from '@paper/exchange/vocabulary';
import { int8, nullable, text } from '@paper/pg-bulk';
import { table } from '../../engine/table.ts';
import type { Row } from '../../engine/table.ts';

/**
 * Each market just after each event that listed or amended it or changed its phase, and after a closed market's last
 * order has left the book: what the command's answer shows, also when it is replayed.
 */
export const MARKET_RECORDS = table(
  'market_records',
  {
    market_id: text(),
    seq: int8,
    phase: text<Phase>(),
    /** The title and the next three columns are set only in the rows of a listing and of an amendment. */
    title: nullable(text()),
    description: nullable(text()),
    citation_url: nullable(text()),
    closes_at_ms: nullable(int8),
    probability_half_units: int8,
    volume_shares: int8,
    open_interest_pairs: int8,
    best_bid_units: nullable(int8),
    best_ask_units: nullable(int8),
    last_trade_units: nullable(int8),
  },
  ['market_id', 'seq'],
  { keyedLater: true },
);

export type MarketRecordRow = Row<typeof MARKET_RECORDS>;
