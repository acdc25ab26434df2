import type { CancelReason, OrderStatus, OrderType, Outcome, Side, TimeInForce } from '@paper/exchange/vocabulary';
import { bool, int8, nullable, text } from '@paper/pg-bulk';
import { table } from '../../engine/table.ts';
import type { Row, Writable } from '../../engine/table.ts';
import { LIFETIME_NODE } from './lifetime.ts';
import { placed } from './placed-columns.ts';

/** The columns that an order's placement fills and its view shows, each under the name of its field. */
export const SHOWN_COLUMNS = {
  id: placed('orderId', text()),
  market_id: placed('marketId', text()),
  account_id: placed('accountId', text()),
  side: placed('side', text<Side>()),
  outcome: placed('outcome', text<Outcome>()),
  order_type: placed('orderType', text<OrderType>()),
  time_in_force: placed('timeInForce', text<TimeInForce>()),
};

/** The columns of the fields that an order may leave out; rows and views take them from here. */
export const OPTIONAL_COLUMNS = {
  client_order_id: placed('clientOrderId', nullable(text())),
  /** The time at which the resting part of the order is cancelled; null: never. */
  expires_at_ms: placed('expiresAt', nullable(int8)),
  post_only: placed('postOnly', bool),
};

export const ORDERS = table(
  'orders',
  {
    ...SHOWN_COLUMNS,
    /** The limit price, or a market order's price bound, in terms of the order's own outcome. */
    price_units: int8,
    notional_units: nullable(int8),
    quantity: int8,
    filled: int8,
    /** The sum of own price × shares over the order's fills: a buyer's cost or a seller's proceeds. */
    filled_cost_units: int8,
    status: text<OrderStatus>(),
    reason: nullable(text<CancelReason>()),
    created_at_ms: int8,
    created_seq: int8,
    /** The sequence of the order's end; null while it is live. */
    ended_seq: nullable(int8),
    ...OPTIONAL_COLUMNS,
    placed_key_id: nullable(text()),
    /** The key whose request cancelled the order; null if it is not cancelled, or no key cancelled it. */
    cancelled_key_id: nullable(text()),
  },
  ['id'],
  {
    checks: ['filled between 0 and quantity'],
    keyedLater: true,
    indexes: [
      { on: '(account_id, created_seq)' },
      { on: '(account_id, created_seq) where ended_seq is null' },
      { on: '(account_id, ended_seq) where ended_seq is not null' },
      { on: '(account_id, status, ended_seq) where ended_seq is not null' },
      { on: '(account_id, market_id, ended_seq) where ended_seq is not null' },
      { on: `(account_id, (${LIFETIME_NODE})) where ended_seq is not null` },
      { on: '(account_id, client_order_id, created_seq) where client_order_id is not null' },
    ],
  },
);

/** The changes of resting orders: one row for each event that changed an order's price or total. */
export const ORDER_CHANGES = table(
  'order_changes',
  {
    order_id: text(),
    seq: int8,
    id: text(),
    account_id: text(),
    type: text<'OrderAmended' | 'OrderReplaced'>(),
    /** The limit and the total, after and before the change. */
    price_units: int8,
    quantity: int8,
    former_price_units: int8,
    former_quantity: int8,
    /** Shares of the order that were filled before the change. */
    filled: int8,
    /** The shares that the change's own decision fills, and the shares that rest after that. */
    fill_quantity: int8,
    rest_quantity: int8,
    at_ms: int8,
    key_id: nullable(text()),
  },
  ['order_id', 'seq'],
  { keyedLater: true, indexes: [{ on: '(account_id, seq)' }] },
);

export type OrderRow = Writable<Row<typeof ORDERS>>;
export type OrderChangeRow = Row<typeof ORDER_CHANGES>;
