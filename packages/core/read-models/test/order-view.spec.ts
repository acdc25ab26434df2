import { PLAIN_ORDER } from '@paper/exchange/commands';
import { expect } from 'chai';
import { toOrderDetail, toOrderView } from '../src/models/orders/order-view.ts';
import { OPTIONAL_COLUMNS } from '../src/models/orders/table.ts';
import type { OrderRow } from '../src/models/orders/table.ts';

/** The columns of the fields that an order may leave out, in one that does. */
const plainColumns = Object.fromEntries(
  Object.entries(OPTIONAL_COLUMNS).map(([name, { field }]) => [name, PLAIN_ORDER[field]]),
) as Pick<OrderRow, keyof typeof OPTIONAL_COLUMNS>;

/** A market order for 8 shares of YES that filled in part. */
const row: OrderRow = {
  ...plainColumns,
  account_id: 'a',
  cancelled_key_id: null,
  created_at_ms: 1,
  created_seq: 5,
  ended_seq: 5,
  filled: 2,
  filled_cost_units: 10_001,
  id: 'o',
  market_id: 'm',
  notional_units: null,
  order_type: 'market',
  placed_key_id: null,
  outcome: 'yes',
  price_units: 9_900,
  quantity: 8,
  reason: 'ioc_remainder',
  side: 'buy',
  status: 'cancelled',
  time_in_force: 'IOC',
};

describe('the average price of an order', () => {
  const averageOf = (filled: number, filled_cost_units: number): (number | null)[] => {
    const order = { ...row, filled, filled_cost_units };
    return [toOrderDetail(order, 5).averagePriceUnits, toOrderView(order).priceUnits];
  };

  it('that ends in exactly a half is rounded up, and just below it down', () => {
    expect(averageOf(2, 10_001)).to.deep.equal([5_001, 5_001]);
    expect(averageOf(8, 40_004)).to.deep.equal([5_001, 5_001]);
    expect(averageOf(3, 15_001)).to.deep.equal([5_000, 5_000]);
  });

  it('is none without a fill: a market order then shows its bound', () => {
    expect(averageOf(0, 0)).to.deep.equal([null, 9_900]);
  });
});
