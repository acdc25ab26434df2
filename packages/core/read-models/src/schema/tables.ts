import type { MarketStatus } from '@paper/contracts';
import type { ComplianceMode, FillKind, Outcome, Permission, Phase, Side } from '@paper/exchange';
import { bool, float8, int2, int8, nullable, text, texts } from '@paper/pg-bulk';
import type { RowOf } from '@paper/pg-bulk';
import { CANDLE_COLUMNS } from './candle-columns.ts';
import { ORDER_CHANGES, ORDERS } from './orders.ts';
import { table } from './table.ts';

/**
 * The read models. A column's name ends with its unit: `…_units` are of $0.0001, `…_half_units` of $0.00005, and times
 * `…_ms` are whole ms since 1970 UTC. `quantity` and `filled` count shares. `…_seq` is a sequence of the journal. Every
 * row follows from events alone, so a refilled table is equal.
 */

export const TABLES = {
  /**
   * The projection's checkpoint, in a single row named `main`. `retired` is true while another schema serves in its place.
   * Readers wait until `seq` reaches `served_from`, the checkpoint of the previous version's schema.
   */
  checkpoint: table({ name: text(), seq: int8, hash: text(), at_ms: int8, retired: bool, served_from: int8 }, ['name']),

  /** The settings of the exchange, in a single row named `main`. */
  settings: table({ name: text(), starting_balance_units: int8, compliance_mode: text<ComplianceMode>() }, ['name']),

  accounts: table(
    {
      id: text(),
      primary_account_id: nullable(text()),
      /** The name in the event of an account opened before names left the journal. See `displayNameOf`. */
      display_name: nullable(text()),
      starting_balance_units: int8,
      /** Includes what resting buys reserve. */
      cash_units: int8,
      /** A sub-account's permissions; empty for a primary, whose keys have their own. */
      permissions: texts<Permission>(),
      approved: bool,
      created_at_ms: int8,
      created_seq: int8,
      /** The number of the account's fills, as taker and as maker. */
      trades: int8,
      /** The sum of own price × shares over the account's fills. */
      volume_units: int8,
      /** The start of the minute of the account's last fill. */
      last_fill_minute_ms: nullable(int8),
      /** The time at which the account's dead-man switch cancels its orders; null while it is off. */
      cancels_at_ms: nullable(int8),
      /** The sequence of the event that closed the account; null while it is open. */
      closed_seq: nullable(int8),
      /** The sequence of the event that had its display name forgotten, and the names of its keys; null for none. */
      forgotten_seq: nullable(int8),
    },
    ['id'],
    ['cash_units >= 0'],
  ),

  api_keys: table(
    {
      id: text(),
      account_id: text(),
      key_hash: text(),
      name: text(),
      permissions: texts<Permission>(),
      last4: text(),
      created_at_ms: int8,
      created_seq: int8,
      revoked_at_ms: nullable(int8),
      /** The sequence of the key's revocation; null while the key is live. */
      revoked_seq: nullable(int8),
      /** The key's limits, a `Mandate` of the exchange in JSON; null where it has none. */
      mandate: nullable(text()),
      /** The day, in days since 1970 UTC, whose spending `spent_units` is. */
      spent_day: int8,
      /** Σ of what the key's buys of that day cost, and reserved when they were placed. */
      spent_units: int8,
    },
    ['id'],
    ['(revoked_at_ms is null) = (revoked_seq is null)'],
  ),

  markets: table(
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
      /** The title, and the ticker and company slug with a line break between them, as searches compare them: `searchForm`. */
      title_search: text(),
      names_search: text(),
      phase: text<Phase>(),
      status: text<MarketStatus>(),
      probability_half_units: int8,
      /** Shares traded. */
      volume_shares: int8,
      /** Pairs of one YES and one NO share. */
      open_interest_pairs: int8,
      best_bid_units: nullable(int8),
      best_ask_units: nullable(int8),
      last_trade_units: nullable(int8),
      /** The starts of the minutes of the market's first and last fill. */
      first_fill_minute_ms: nullable(int8),
      last_fill_minute_ms: nullable(int8),
      resolved_outcome: nullable(text<Outcome>()),
      /** The payout of one YES share, once it is decided. */
      settle_price_units: nullable(int8),
      resolved_at_ms: nullable(int8),
      cancelled_orders: nullable(int8),
      settled_accounts: nullable(int8),
      paid_units: nullable(int8),
      /** The sequence of the market's last event. */
      seq: int8,
    },
    ['id'],
    ['open_interest_pairs >= 0', 'best_bid_units < best_ask_units'],
  ),

  orders: ORDERS,

  order_changes: ORDER_CHANGES,

  positions: table(
    {
      account_id: text(),
      market_id: text(),
      yes_shares: int8,
      no_shares: int8,
      yes_cost_units: int8,
      no_cost_units: int8,
    },
    ['account_id', 'market_id'],
    ['yes_shares >= 0', 'no_shares >= 0', 'yes_cost_units >= 0', 'no_cost_units >= 0'],
  ),

  /** The fills: two rows a trade, one for each order. */
  fills: table(
    {
      seq: int8,
      role: text<'maker' | 'taker'>(),
      id: text(),
      account_id: text(),
      order_id: text(),
      market_id: text(),
      side: text<Side>(),
      outcome: text<Outcome>(),
      /** The price in the terms of the order's outcome. */
      price_units: int8,
      yes_price_units: int8,
      quantity: int8,
      kind: text<FillKind>(),
      /** The market's, just before and just after this very event. */
      prob_before_half_units: int8,
      prob_after_half_units: int8,
      at_ms: int8,
      /** The account's cash and its position in this market, just after the fill. */
      cash_after_units: int8,
      yes_shares_after: int8,
      no_shares_after: int8,
      yes_cost_after_units: int8,
      no_cost_after_units: int8,
    },
    ['seq', 'role'],
  ),

  /** The end of a market: with an outcome, or void. */
  resolutions: table(
    {
      market_id: text(),
      seq: int8,
      id: text(),
      /** Null: void. */
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
  ),

  /**
   * The market at the end of each minute in which it had an event: `minute_ms` is the start of the minute,
   * `volume_shares` and `trades` all that was traded until its end. So those of any window are the difference of two
   * rows.
   */
  market_minutes: table(
    {
      market_id: text(),
      minute_ms: int8,
      volume_shares: int8,
      trades: int8,
      probability_half_units: int8,
      last_trade_units: nullable(int2),
      best_bid_units: nullable(int2),
      best_ask_units: nullable(int2),
      ...CANDLE_COLUMNS,
    },
    ['market_id', 'minute_ms'],
  ),

  /** The totals of all markets, for each minute with a fill. */
  minutes: table({ minute_ms: int8, volume_shares: int8, trades: int8 }, ['minute_ms']),

  /**
   * Each market just after each of its events. An event changes at most one level of each side of the book: its price,
   * and the quantity there afterwards (0 for none); null for an unchanged side. Only an order that is replaced moves from
   * one level of a side to another: `left_…` is the level that it left, on the side whose other level changed too.
   */
  market_history: table(
    {
      market_id: text(),
      seq: int8,
      /** The number of the event among those of its market, from 1. */
      event_number: int8,
      at_ms: int8,
      phase: text<Phase>(),
      probability_half_units: int8,
      last_trade_units: nullable(int8),
      /** Set where the event has one. */
      title: nullable(text()),
      bid_price_units: nullable(int8),
      bid_quantity: nullable(int8),
      bid_orders: nullable(int8),
      ask_price_units: nullable(int8),
      ask_quantity: nullable(int8),
      ask_orders: nullable(int8),
      left_price_units: nullable(int8),
      left_quantity: nullable(int8),
      left_orders: nullable(int8),
      /** The whole book, stored with every 500th event of the market to bound historical reads: `BookText`. */
      book: nullable(text()),
    },
    ['market_id', 'seq'],
  ),

  settlements: table(
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
      /** The account's cash, just after the settlement. */
      cash_after_units: int8,
    },
    ['seq'],
  ),

  /** Pairs of shares that became $1 each. */
  merges: table(
    {
      seq: int8,
      id: text(),
      account_id: text(),
      market_id: text(),
      quantity: int8,
      /** The cost that left the position. */
      yes_cost_units: int8,
      no_cost_units: int8,
      at_ms: int8,
      /** The account's cash and its position in this market, just after the merge. */
      cash_after_units: int8,
      yes_shares_after: int8,
      no_shares_after: int8,
      yes_cost_after_units: int8,
      no_cost_after_units: int8,
    },
    ['seq'],
  ),

  /** The levels of the books in YES terms; a level without shares has no row. */
  book_levels: table(
    { market_id: text(), side: text<'bid' | 'ask'>(), yes_price_units: int8, quantity: int8, orders: int8 },
    ['market_id', 'side', 'yes_price_units'],
    ['quantity > 0', 'orders > 0'],
  ),

  signals: table(
    {
      seq: int8,
      id: text(),
      /** Null: platform-wide. */
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
  ),
} as const;

export type TableName = keyof typeof TABLES;

/** The database's type for Kysely: one row type a table. */
export type ReadTables = { readonly [N in TableName]: RowOf<(typeof TABLES)[N]['columns']> };
