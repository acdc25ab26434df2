import type { MarketStatus } from '@paper/contracts/markets';
import type { Outcome, Phase } from '@paper/exchange/vocabulary';
import { float8, int8, nullable, text, texts } from '@paper/pg-bulk';
import { table } from '../../engine/table.ts';
import type { Row } from '../../engine/table.ts';

export const MARKETS = table(
  'markets',
  {
    id: text(),
    title: text(),
    ticker: text(),
    company_slug: text(),
    sector: text(),
    category: text(),
    settlement_source: text(),
    description: nullable(text()),
    citation_url: nullable(text()),
    drivers: texts(),
    company_impact: float8,
    prior_units: int8,
    tick_units: int8,
    closes_at_ms: int8,
    created_at_ms: int8,
    created_seq: int8,
    /** The id of the event that listed the market. */
    listing_id: text(),
    /** Title, and ticker with company slug (a line break between), in the form that searches compare (`searchForm`). */
    title_search: text(),
    names_search: text(),
    phase: text<Phase>(),
    status: text<MarketStatus>(),
    probability_half_units: int8,
    volume_shares: int8,
    /** The number of pairs of one YES and one NO share. */
    open_interest_pairs: int8,
    best_bid_units: nullable(int8),
    best_ask_units: nullable(int8),
    last_trade_units: nullable(int8),
    first_fill_minute_ms: nullable(int8),
    last_fill_minute_ms: nullable(int8),
    resolved_outcome: nullable(text<Outcome>()),
    settle_price_units: nullable(int8),
    resolved_at_ms: nullable(int8),
    cancelled_orders: nullable(int8),
    settled_accounts: nullable(int8),
    paid_units: nullable(int8),
    /** The sequence of the market's last event. */
    seq: int8,
  },
  ['id'],
  {
    searched: ['title_search', 'names_search'],
    checks: ['open_interest_pairs >= 0', 'best_bid_units < best_ask_units'],
    indexes: [
      { on: '(created_seq)' },
      { on: '(last_fill_minute_ms) where last_fill_minute_ms is not null' },
      { on: '(phase, created_seq)' },
      { on: '(status, created_seq)' },
      { on: '(status, sector, created_seq)' },
      { on: '(status, company_slug, created_seq)' },
      { on: '(status, closes_at_ms, id collate "C")' },
    ],
  },
);

export type MarketRow = Row<typeof MARKETS>;
