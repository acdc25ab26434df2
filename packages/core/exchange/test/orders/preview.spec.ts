import { previewOrder } from '@paper/exchange';
import { orderFrom } from '@paper/testkit';
import { dump } from '@paper/testkit/dumps';
import { expect } from 'chai';
import { fleetScenario, mandate, toolScenario, withKey } from '../tool-commands.ts';

describe('a preview', () => {
  it('has what the order would do, with the fills a price level', () => {
    const s = toolScenario().given(
      'b1 bob buy no 2 @ 0.50',
      'c1 cy buy no 1 @ 0.50',
      'd1 dan buy no 4 @ 0.45',
      'a0 ann buy no 1 @ 0.10',
    );
    expect(previewOrder(s.state, orderFrom('a1 ann buy yes 10 @ 0.60'))).to.deep.equal({
      averageUnits: 5_286,
      cashAfterUnits: 100_000_000 - 37_000,
      costUnits: 37_000,
      fills: [
        { priceUnits: 5_000, quantity: 3 },
        { priceUnits: 5_500, quantity: 4 },
      ],
      filledQty: 7,
      freeCashAfterUnits: 100_000_000 - 37_000 - 18_000 - 1_000,
      noSharesAfter: 0,
      priceUnits: 6_000,
      quantity: 10,
      reason: null,
      reservedUnits: 18_000,
      status: 'partial',
      yesSharesAfter: 7,
    });
  });

  it('has a negative cost for the proceeds of a sale, in the order’s own terms', () => {
    const s = toolScenario().given('b1 bob buy yes 10 @ 0.45', 'a1 ann buy no 10 @ 0.55', 'c1 cy buy no 4 @ 0.60');
    expect(previewOrder(s.state, orderFrom('a2 ann sell no 6 @ 0.50 IOC'))).to.deep.include({
      averageUnits: 6_000,
      cashAfterUnits: 100_000_000 - 55_000 + 24_000,
      costUnits: -24_000,
      fills: [{ priceUnits: 6_000, quantity: 4 }],
      noSharesAfter: 6,
      reason: 'ioc_remainder',
      status: 'cancelled',
      yesSharesAfter: 0,
    });
  });

  it('is the named account’s where it is for a sub-account', () => {
    const s = fleetScenario().given('s1 sub buy yes 10 @ 0.50', 'a1 ann buy yes 100 @ 0.50');
    expect(previewOrder(s.state, orderFrom('a2 ann buy yes 10 @ 0.40 for sub'))).to.deep.include({
      cashAfterUnits: 100_000_000,
      freeCashAfterUnits: 100_000_000 - 90_000,
      reservedUnits: 40_000,
      status: 'open',
    });
  });

  it('has the reason why an order would end', () => {
    const s = toolScenario().given('b1 bob buy no 2 @ 0.50');
    for (const [text, reason] of [
      ['a1 ann buy yes 10 @ 0.60 post-only', 'post_only'],
      ['a1 ann buy yes 10 @ 0.60 FOK', 'fok_unfillable'],
      ['a1 ann buy yes 10 @ 0.40 IOC', 'no_liquidity'],
      ['b2 bob buy yes 10 @ 0.60', 'self_trade'],
    ] as const) {
      expect(previewOrder(s.state, orderFrom(text)), text).to.deep.include({
        averageUnits: null,
        costUnits: 0,
        fills: [],
        filledQty: 0,
        reason,
        status: 'cancelled',
      });
    }
  });

  it('is refused as the order would be', () => {
    const s = fleetScenario().given(mandate('trader', { maxOrderCostUnits: 0 }), 'a0 ann buy yes 1 @ 0.10 as c1');
    for (const order of [
      orderFrom('a1 ann buy yes 501 @ 0.60'),
      orderFrom('a1 ann buy yes 10 @ 0.60 for bob'),
      orderFrom('a1 ann buy yes 10 @ 0.60 until 0s'),
      orderFrom('a1 ann buy yes 10 @ 0.60 in none'),
      orderFrom('a1 ann buy yes 10 @ 0.60 as c1'),
      withKey('trader', orderFrom('a1 ann buy yes 10 @ 0.60')),
      orderFrom('a1 ann sell yes 10 @ 0.60'),
    ]) {
      const preview = previewOrder(s.state, order);
      expect(preview).to.deep.equal(s.when(order).decision);
      expect(preview).to.include({ kind: 'rejected' });
    }
  });

  it('costs 0, not minus 0, where a sale takes nothing', () => {
    const s = toolScenario().given('b1 bob buy no 2 @ 0.50', 'a0 ann buy yes 2 @ 0.50');
    expect(previewOrder(s.state, orderFrom('a1 ann sell yes 2 @ 0.60'))).to.deep.include({ costUnits: 0 });
  });

  it('changes nothing', () => {
    const s = toolScenario().given('b1 bob buy no 2 @ 0.50');
    const before = dump(s.state);
    previewOrder(s.state, orderFrom('a1 ann buy yes 10 @ 0.60 until 5s as c1'));
    expect(dump(s.state)).to.deep.equal(before);
    s.given('a1 ann buy yes 10 @ 0.60 until 5s as c1');
  });
});
