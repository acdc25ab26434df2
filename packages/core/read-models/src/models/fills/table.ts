import type { FillKind, Outcome, Side } from '@paper/exchange/vocabulary';
import { int8, text } from '@paper/pg-bulk';
import { table } from '../../engine/table.ts';
import type { Row } from '../../engine/table.ts';

/** The fills: two rows for each trade, one for each order. */
export const FILLS = table(
  'fills',
  {
    seq: int8,
    role: text<'maker' | 'taker'>(),
    id: text(),
    account_id: text(),
    order_id: text(),
    market_id: text(),
    side: text<Side>(),
    outcome: text<Outcome>(),
    /** The price in terms of the order's outcome. */
    price_units: int8,
    yes_price_units: int8,
    quantity: int8,
    kind: text<FillKind>(),
    /** The market's probability just before and just after this event. */
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
  {
    keyedLater: true,
    indexes: [
      { on: '(account_id, seq)' },
      { on: '(account_id, market_id, seq)' },
      { on: "(market_id, seq) where role = 'taker'" },
      { on: "(at_ms, seq) where role = 'taker'" },
      { on: '(order_id, seq)' },
    ],
  },
);

export type FillRow = Row<typeof FILLS>;
