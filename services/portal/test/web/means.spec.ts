import { expect } from 'chai';
import { meansOf } from '../../web/data/orders/means.ts';

type Portfolio = Parameters<typeof meansOf>[0];

const order = (change: object) => ({
  marketId: 'm',
  side: 'buy',
  outcome: 'yes',
  quantity: 10,
  filledQty: 4,
  status: 'partial',
  reservedAmount: 0,
  ...change,
});

const portfolio = (orders: readonly object[], positions: readonly object[] = []): Portfolio =>
  ({ summary: { cash: 10_000 }, orders, positions }) as unknown as Portfolio;

describe('what a person has to trade with', () => {
  it('is the cash that no open order of any market reserves', () => {
    const orders = [
      order({ reservedAmount: 0.1 }),
      order({ marketId: 'other', reservedAmount: 0.2 }),
      order({ status: 'filled', reservedAmount: 5 }),
      order({ side: 'sell' }),
    ];
    const { free, reserved, reservedBy } = meansOf(portfolio(orders), 'm');
    expect({ free, reserved, reservedBy }).to.deep.equal({ free: 9_999.7, reserved: 0.3, reservedBy: 2 });
  });

  it('is the shares that no open sale of this market offers', () => {
    const orders = [order({ side: 'sell' }), order({ side: 'sell', marketId: 'other' }), order({ side: 'buy' })];
    const positions = [{ marketId: 'm', yesShares: 20, noShares: 3 }];
    expect(meansOf(portfolio(orders, positions), 'm').shares).to.deep.equal({
      yes: { held: 20, offered: 6 },
      no: { held: 3, offered: 0 },
    });
    expect(meansOf(portfolio([]), 'm').shares.yes).to.deep.equal({ held: 0, offered: 0 });
  });
});
