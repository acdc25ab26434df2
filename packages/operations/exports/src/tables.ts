import { eventField, number, orNull, text, time, whole, yesNo } from './columns.ts';
import type { Columns, RowOf } from './columns.ts';

/** The exported tables. Money is in whole units, so that it is exact in every format and reader. */

const TRADES = {
  seq: whole('sequence', 'The journal sequence of the trade.'),
  id: text('The id of the trade, and of its event in the journal.'),
  traded_at: time('The time of the trade.'),
  market_id: text('The market.'),
  kind: text('transfer: shares changed hands; mint: a pair came into being; merge: a pair ended.'),
  yes_price_units: whole('units', 'The price of a YES share.'),
  quantity_shares: whole('shares', 'The shares that were traded.'),
  taker_account_id: text("The incoming order's account."),
  taker_order_id: text('The incoming order.'),
  taker_side: text('buy or sell.'),
  taker_outcome: text('yes or no.'),
  taker_price_units: whole('units', "The price in the terms of the taker's outcome."),
  taker_paid_units: orNull(whole('units', 'The payment of a buyer; null for a seller.')),
  taker_proceeds_units: orNull(whole('units', 'The proceeds of a seller; null for a buyer.')),
  taker_cost_removed_units: orNull(whole('units', "The cost that left a seller's position; null for a buyer.")),
  maker_account_id: text("The resting order's account."),
  maker_order_id: text('The resting order.'),
  maker_side: text('buy or sell.'),
  maker_outcome: text('yes or no.'),
  maker_price_units: whole('units', "The price in the terms of the maker's outcome."),
  maker_paid_units: orNull(whole('units', 'The payment of a buyer; null for a seller.')),
  maker_proceeds_units: orNull(whole('units', 'The proceeds of a seller; null for a buyer.')),
  maker_cost_removed_units: orNull(whole('units', "The cost that left a seller's position; null for a buyer.")),
} satisfies Columns;

export const ORDERS = {
  id: eventField('orderId', text('The order.')),
  account_id: eventField('accountId', text('The account that it is for.')),
  market_id: eventField('marketId', text('The market.')),
  placed_seq: whole('sequence', 'The journal sequence of its placement.'),
  placed_at: eventField('at', time('The time of its placement.')),
  side: eventField('side', text('buy or sell.')),
  outcome: eventField('outcome', text('yes or no.')),
  order_type: eventField('orderType', text('limit or market.')),
  time_in_force: eventField('timeInForce', text('GTC, IOC or FOK.')),
  post_only: eventField('postOnly', yesNo('Whether it may only rest.')),
  expires_at: eventField('expiresAt', orNull(time('The time at which its rest is cancelled; null: never.'))),
  price_units: eventField(
    'priceUnits',
    whole('units', "The limit, or a market order's bound, in the order's own outcome's terms."),
  ),
  notional_units: eventField(
    'notionalUnits',
    orNull(whole('units', 'The most to spend, as requested; null: not given.')),
  ),
  quantity_shares: eventField('quantity', whole('shares', 'The total, as the last amendment left it.')),
  filled_shares: whole('shares', 'The shares that were filled.'),
  filled_notional_units: whole('units', 'Own price × shares, summed over the fills.'),
  status: text('open, partial, filled or cancelled.'),
  cancel_reason: orNull(text('Why it was cancelled; null where it was not.')),
  amendments: whole('count', 'How often its price or total was changed.'),
  ended_seq: orNull(whole('sequence', 'The journal sequence of its end; null while it is open or partial.')),
  ended_at: orNull(time('The time of its end.')),
} satisfies Columns;

const ORDER_EVENTS = {
  seq: whole('sequence', 'The journal sequence of the event. A fill has two rows with it, the maker first.'),
  changed_at: time('The time of the event.'),
  market_id: text('The market.'),
  order_id: text('The order.'),
  account_id: text('The account of the order.'),
  change: text('placed, amended (keeps its priority), replaced (loses it), filled or cancelled.'),
  side: text('buy or sell.'),
  outcome: text('yes or no.'),
  price_units: whole('units', "The limit or bound, of a fill its price, in the order's own outcome's terms."),
  quantity_shares: whole('shares', 'Of a fill or a cancel its shares; else the total of the order.'),
  resting_shares: orNull(
    whole('shares', 'Shares that the book has of the order after the decision; null for a fill of an incoming order.'),
  ),
  reason: orNull(text('Why it was cancelled; null where it was not.')),
} satisfies Columns;

const MARKETS = {
  id: text('The market.'),
  listed_seq: whole('sequence', 'The journal sequence of its listing.'),
  listed_at: time('The time of its listing.'),
  title: text('The title, as the last amendment left it.'),
  ticker: text('The ticker.'),
  company_slug: text('The company.'),
  sector: text('The sector.'),
  category: text('The category.'),
  settlement_source: text('The source that settles it.'),
  description: orNull(text('The description; null: none.')),
  citation_url: orNull(text('The citation; null: none.')),
  drivers: text('The tags of its drivers, a JSON array of text.'),
  company_impact: number('The weight of its company, 0 to 1.'),
  prior_units: whole('units', 'The probability before any quote or trade, as the price of a YES share.'),
  tick_units: whole('units', 'The tick size.'),
  closes_at: time('The time at which it closes.'),
  phase: text('scheduled, active, paused, closed, settling, resolved or void.'),
  volume_shares: whole('shares', 'The shares that were traded.'),
  resolved_outcome: orNull(text('The outcome that won: yes or no; null where it is undecided or void.')),
  yes_payout_units: orNull(whole('units', 'What a YES share pays; null where it is undecided.')),
  decided_at: orNull(time('The time at which it was resolved or voided; null: not yet.')),
} satisfies Columns;

const ACCOUNTS = {
  id: text('The account.'),
  opened_seq: whole('sequence', 'The journal sequence of its opening.'),
  opened_at: time('The time of its opening.'),
  starting_balance_units: whole('units', 'The cash that it began with.'),
} satisfies Columns;

const SIGNALS = {
  seq: whole('sequence', 'The journal sequence of the signal.'),
  id: text('The id of its event.'),
  recorded_at: time('The time of its recording.'),
  market_id: orNull(text('The market; null: it concerns the whole platform.')),
  source: text('The source.'),
  external_id: text("The source's own id of it."),
  published_at: time('The time of its publication.'),
  headline: text('The headline.'),
  citation_url: text('The citation.'),
  event: orNull(text('The kind of event; null: not given.')),
  fair_prob: orNull(number('The fair probability by the source; null: not given.')),
  fact_value: orNull(number('A measured value; null: not given.')),
  threshold: orNull(number('The threshold of that value; null: not given.')),
  confidence: orNull(number('The confidence of the source, 0 to 1; null: not given.')),
  freshness_ms: orNull(number('Its age in milliseconds when it was recorded, by its sender; null: not given.')),
} satisfies Columns;

const SETTLEMENTS = {
  seq: whole('sequence', 'The journal sequence of the settlement.'),
  id: text('The id of its event. A merge has two rows with it, YES first.'),
  settled_at: time('The time of the settlement.'),
  account_id: text('The account.'),
  market_id: text('The market.'),
  outcome: text('The outcome whose shares ended: yes or no.'),
  cause: text('resolved, voided, or merged: the account turned pairs of YES and NO into $1 each.'),
  shares: whole('shares', 'The shares that ended.'),
  cost_units: whole('units', 'What they had cost.'),
  payout_units: whole('units', 'What was paid for them; of a merged pair half of the dollar each.'),
} satisfies Columns;

const CANDLES = {
  market_id: text('The market.'),
  start: time('The start of the minute.'),
  open_units: whole('units', 'The first YES price.'),
  high_units: whole('units', 'The highest.'),
  low_units: whole('units', 'The lowest.'),
  close_units: whole('units', 'The last.'),
  volume_shares: whole('shares', 'The shares that were traded.'),
  trades: whole('count', 'The number of trades, at least one: a minute without trades has no row.'),
  yes_bid_close_units: orNull(whole('units', 'The best YES bid at the end of the minute; null: there was none.')),
  yes_ask_close_units: orNull(whole('units', 'The best YES ask at the end of the minute; null: there was none.')),
} satisfies Columns;

const EQUITY = {
  account_id: text('The account.'),
  seq: whole('sequence', "The journal sequence of the hour's last event, after which this holds."),
  as_of: time('The time of that event.'),
  cash_units: whole('units', 'Cash, with what open orders reserve.'),
  positions_half_units: whole('half units', "The positions at their markets' probabilities."),
  equity_half_units: whole('half units', 'Cash and positions.'),
} satisfies Columns;

export const TABLES = {
  markets: MARKETS,
  accounts: ACCOUNTS,
  signals: SIGNALS,
  trades: TRADES,
  orders: ORDERS,
  order_events: ORDER_EVENTS,
  settlements: SETTLEMENTS,
  candles: CANDLES,
  equity: EQUITY,
} as const satisfies Readonly<Record<string, Columns>>;

export type TableName = keyof typeof TABLES;
export type TableRow<T extends TableName> = RowOf<(typeof TABLES)[T]>;

export const TABLE_NAMES = Object.keys(TABLES) as readonly TableName[];
