import { expect } from 'chai';
import fc from 'fast-check';
import { bindToPreview } from '../src/orders/bound-order.ts';
import type { Preview } from '../src/orders/bound-order.ts';
import type { OrderInput } from '../src/orders/order-input.ts';

const wanted = (more: Partial<OrderInput>): OrderInput => ({
  marketId: 'm',
  outcome: 'yes',
  side: 'buy',
  orderType: 'market',
  timeInForce: 'IOC',
  ...more,
});

const shown = (fills: Preview['fills'], more: Partial<Preview> = {}): Preview => {
  const filledQty = fills.reduce((sum, { quantity }) => sum + quantity, 0);
  return {
    status: 'filled',
    quantity: filledQty,
    price: 0.5,
    filledQty,
    averagePrice: null,
    cost: fills.reduce((sum, { price, quantity }) => sum + Math.round(price * 10_000) * quantity, 0) / 10_000,
    reserved: 0,
    fills,
    reason: null,
    cashAfter: 0,
    freeCashAfter: 0,
    yesSharesAfter: 0,
    noSharesAfter: 0,
    seq: 1,
    ...more,
  };
};

const TWO_LEVELS = [
  { price: 0.5, quantity: 4 },
  { price: 0.52, quantity: 6 },
];
const DOWN = [
  { price: 0.6, quantity: 4 },
  { price: 0.55, quantity: 6 },
];

const rows: readonly [string, OrderInput, Preview, object | null][] = [
  [
    'a market buy: the worst level, the filled quantity, and the cost as its budget',
    wanted({ notional: 50, slippage: 0.1 }),
    shown(TWO_LEVELS, { quantity: 60 }),
    { order: wanted({ quantity: 10, maxPrice: 0.52, notional: 5.12 }), boundPrice: 0.52, maxCost: 5.12 },
  ],
  [
    'a market buy of exactly a dollar, the least budget',
    wanted({ quantity: 2 }),
    shown([{ price: 0.5, quantity: 2 }]),
    { order: wanted({ quantity: 2, maxPrice: 0.5, notional: 1 }), boundPrice: 0.5, maxCost: 1 },
  ],
  [
    'a market buy below a dollar, which no budget can be for',
    wanted({ quantity: 3 }),
    shown([
      { price: 0.1, quantity: 1 },
      { price: 0.2, quantity: 2 },
    ]),
    { order: wanted({ quantity: 3, maxPrice: 0.2 }), boundPrice: 0.2, maxCost: 0.6 },
  ],
  [
    'a market sale: the lowest level is its floor',
    wanted({ side: 'sell', quantity: 20 }),
    shown(DOWN, { quantity: 20, cost: -5.7 }),
    { order: wanted({ side: 'sell', quantity: 10, price: 0.55 }), boundPrice: 0.55, maxCost: null },
  ],
  [
    'a limit that may not rest: the worst level that it filled at',
    wanted({ orderType: 'limit', price: 0.6, quantity: 10 }),
    shown(TWO_LEVELS),
    { order: wanted({ orderType: 'limit', price: 0.52, quantity: 10 }), boundPrice: 0.52, maxCost: 5.2 },
  ],
  [
    'a limit that may rest: its own limit, and the previewed quantity',
    wanted({ orderType: 'limit', timeInForce: 'GTC', price: 0.3, notional: 10 }),
    shown([], { status: 'open', quantity: 33, reserved: 9.9 }),
    {
      order: wanted({ orderType: 'limit', timeInForce: 'GTC', price: 0.3, quantity: 33 }),
      boundPrice: 0.3,
      maxCost: 9.9,
    },
  ],
  [
    'an order that may only rest, and until a time: so it stays',
    wanted({
      orderType: 'limit',
      timeInForce: 'GTC',
      price: 0.3,
      quantity: 4,
      postOnly: true,
      expiresAt: '2027-01-01T00:00:00Z',
    }),
    shown([], { status: 'open', quantity: 4 }),
    {
      order: wanted({
        orderType: 'limit',
        timeInForce: 'GTC',
        price: 0.3,
        quantity: 4,
        postOnly: true,
        expiresAt: '2027-01-01T00:00:00Z',
      }),
      boundPrice: 0.3,
      maxCost: 1.2,
    },
  ],
  [
    'an order that may only rest, and would take',
    wanted({ orderType: 'limit', timeInForce: 'GTC', price: 0.5, quantity: 3, postOnly: true }),
    shown([], { status: 'cancelled', quantity: 3, reason: 'post_only' }),
    null,
  ],
  [
    'a resting sale: what it gets at least',
    wanted({ orderType: 'limit', timeInForce: 'GTC', side: 'sell', price: 0.9, quantity: 4 }),
    shown([], { status: 'open', quantity: 4 }),
    {
      order: wanted({ orderType: 'limit', timeInForce: 'GTC', side: 'sell', price: 0.9, quantity: 4 }),
      boundPrice: 0.9,
      maxCost: null,
    },
  ],
  [
    'an order of which nothing fills',
    wanted({ quantity: 3 }),
    shown([], { status: 'cancelled', quantity: 3, reason: 'no_liquidity' }),
    null,
  ],
  [
    'a resting order that its own fleet stops',
    wanted({ orderType: 'limit', timeInForce: 'GTC', price: 0.5, quantity: 3 }),
    shown([], { status: 'cancelled', quantity: 3, reason: 'self_trade' }),
    null,
  ],
];

describe('an order that is bound to its preview', () => {
  for (const [name, order, preview, expected] of rows) {
    it(`is ${name}`, () => expect(bindToPreview(order, preview)).to.deep.equal(expected));
  }

  it('never costs more than the bound price for each previewed share, nor has more shares', () => {
    const level = fc.record({
      price: fc.integer({ min: 1, max: 99 }).map((cents) => cents / 100),
      quantity: fc.nat(50),
    });
    fc.assert(
      fc.property(fc.array(level, { minLength: 1 }), (fills) => {
        const preview = shown(fills);
        const bound = bindToPreview(wanted({ quantity: 500 }), preview);
        if (bound === null) return preview.filledQty === 0;
        const { boundPrice, maxCost, order } = bound;
        return (
          order.quantity === preview.filledQty &&
          order.maxPrice === boundPrice &&
          fills.every(({ price }) => price <= boundPrice) &&
          maxCost !== null &&
          maxCost <= Math.round(boundPrice * 10_000 * preview.filledQty) / 10_000
        );
      }),
    );
  });
});
