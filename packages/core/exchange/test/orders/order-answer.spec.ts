import { orderAnswer } from '@paper/exchange';
import type { OrderAnswer } from '@paper/exchange';
import { SCENARIO_AT, tradingScenario } from '@paper/testkit';
import { expect } from 'chai';

/** The book has YES asks of 10 at 0.50, 5 at 0.60, 1 at 0.99. */
const scenario = () =>
  tradingScenario().given(
    'b0 bob buy no 10 @ 0.50',
    'b1 bob buy no 5 @ 0.40',
    'b2 bob buy no 1 @ 0.01',
    'd0 dan buy yes 10 @ 0.40',
  );
const answer = (text: string): OrderAnswer => orderAnswer(scenario().when(text).events());

describe('the answer to an order', () => {
  it('has every field', () => {
    expect(answer('a1 ann buy yes 12 @ 0.50')).to.deep.equal({
      accountId: 'ann',
      averagePriceUnits: 5_000,
      clientOrderId: null,
      createdAt: SCENARIO_AT,
      expiresAt: null,
      filledQty: 10,
      marketId: 'm',
      orderId: 'a1',
      orderType: 'limit',
      outcome: 'yes',
      postOnly: false,
      priceUnits: 5_000,
      quantity: 12,
      reason: null,
      reservedUnits: 10_000,
      side: 'buy',
      status: 'partial',
      timeInForce: 'GTC',
    });
  });

  const table: readonly (readonly [order: string, expected: Partial<OrderAnswer>])[] = [
    ['a1 ann buy yes 12 @ 0.45', { status: 'open', filledQty: 0, priceUnits: 4_500, reservedUnits: 54_000 }],
    ['a1 ann buy yes 5 @ 0.70', { status: 'filled', filledQty: 5, priceUnits: 7_000, reservedUnits: 0 }],
    ['a1 ann buy yes 12 @ 0.50 IOC', { status: 'cancelled', filledQty: 10, quantity: 12, reservedUnits: 0 }],
    ['a1 ann buy yes 12 @ 0.50 FOK', { status: 'cancelled', filledQty: 0, quantity: 12, priceUnits: 5_000 }],
    // 10 × 0.50 and 3 × 0.60 are 6.8; a 13th of that is 0.523076…
    ['a1 ann market buy yes 13', { status: 'filled', priceUnits: 5_231, timeInForce: 'GTC' }],
    ['a1 ann market buy yes 13 max 0.30', { status: 'cancelled', filledQty: 0, priceUnits: 3_000 }],
    ['a1 ann market buy yes $5.6', { status: 'filled', quantity: 11, filledQty: 11, priceUnits: 5_091 }],
    ['a1 ann market buy yes 17', { status: 'cancelled', quantity: 17, filledQty: 16 }],
    ['a1 ann market buy no 4', { status: 'filled', priceUnits: 6_000 }],
  ];
  for (const [order, expected] of table) {
    it(order, () => expect(answer(order)).to.include(expected));
  }

  it('rounds half a unit up', () => {
    const s = tradingScenario().given('b1 bob buy no 1 @ 0.50', 'b2 bob buy no 1 @ 0.4999');
    expect(orderAnswer(s.when('a1 ann market buy yes 2').events()).priceUnits).to.equal(5_001);
  });

  it('of a sale that rests reserves no money', () => {
    const s = scenario().given('a0 ann buy yes 5 @ 0.50');
    expect(orderAnswer(s.when('a1 ann sell yes 5 @ 0.80').events())).to.include({ status: 'open', reservedUnits: 0 });
  });

  it('is asked for the events of an order only', () => {
    expect(() => orderAnswer([])).to.throw('not the events of a PlaceOrder');
  });
});
