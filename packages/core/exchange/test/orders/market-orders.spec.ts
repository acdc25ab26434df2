import { listMarket, tradingScenario } from '@paper/testkit';
import { expect } from 'chai';
import { checkInvariants } from '../invariants.ts';

/** The book has YES asks of 10 at 0.50, 10 at 0.60, 10 at 0.70, and YES bids of 10 at 0.40, 10 at 0.30. */
const scenario = () =>
  tradingScenario({}, checkInvariants).given(
    'b1 bob buy no 10 @ 0.50',
    'b2 bob buy no 10 @ 0.40',
    'b3 bob buy no 10 @ 0.30',
    'c1 cy buy yes 10 @ 0.40',
    'c2 cy buy yes 10 @ 0.30',
  );

interface Row {
  readonly order: string;
  readonly placed: string;
  readonly fills?: readonly string[];
  readonly cancelled?: string;
}

const at50 = (left: number, quantity = 10) =>
  `mint ${quantity} at 0.5: b1 bob buy no cost ${quantity / 2} left ${10 - quantity} <- a1 ann buy yes cost ${quantity / 2} left ${left}`;
const at60 = (left: number, quantity = 10) =>
  `mint ${quantity} at 0.6: b2 bob buy no cost ${(quantity * 4) / 10} left ${10 - quantity} <- a1 ann buy yes cost ${(quantity * 6) / 10} left ${left}`;
const at70 = (left: number, quantity = 10) =>
  `mint ${quantity} at 0.7: b3 bob buy no cost ${(quantity * 3) / 10} left ${10 - quantity} <- a1 ann buy yes cost ${(quantity * 7) / 10} left ${left}`;

const rows: Readonly<Record<string, Row>> = {
  'takes the book up to 0.99': {
    order: 'a1 ann market buy yes 25',
    placed: 'a1 ann market buy yes 25 @ 0.99 GTC: fills 25, rests 0',
    fills: [at50(15), at60(5), at70(0, 5)],
  },
  'never rests, also as GTC': {
    order: 'a1 ann market buy yes 35',
    placed: 'a1 ann market buy yes 35 @ 0.99 GTC: fills 30, rests 0',
    fills: [at50(25), at60(15), at70(5)],
    cancelled: 'a1 ann buy yes @ 0.99: 5 incoming cancelled, ioc_remainder',
  },
  'is bounded by its price': {
    order: 'a1 ann market buy yes 25 @ 0.60',
    placed: 'a1 ann market buy yes 25 @ 0.6 GTC: fills 20, rests 0',
    fills: [at50(15), at60(5)],
    cancelled: 'a1 ann buy yes @ 0.6: 5 incoming cancelled, ioc_remainder',
  },
  'is bounded by maxPrice, the tighter of two': {
    order: 'a1 ann market buy yes 25 @ 0.70 max 0.6999 IOC',
    placed: 'a1 ann market buy yes 25 @ 0.6999 IOC: fills 20, rests 0',
    fills: [at50(15), at60(5)],
    cancelled: 'a1 ann buy yes @ 0.6999: 5 incoming cancelled, ioc_remainder',
  },
  'is bounded by slippage from the best opposing order': {
    order: 'a1 ann market buy yes 25 slip 0.1',
    placed: 'a1 ann market buy yes 25 @ 0.6 GTC: fills 20, rests 0',
    fills: [at50(15), at60(5)],
    cancelled: 'a1 ann buy yes @ 0.6: 5 incoming cancelled, ioc_remainder',
  },
  'ends with no_liquidity when nothing is within its bound': {
    order: 'a1 ann market buy yes 5 max 0.49',
    placed: 'a1 ann market buy yes 5 @ 0.49 GTC: fills 0, rests 0',
    cancelled: 'a1 ann buy yes @ 0.49: 5 incoming cancelled, no_liquidity',
  },
  'FOK fills when all of it can': {
    order: 'a1 ann market buy yes 20 FOK',
    placed: 'a1 ann market buy yes 20 @ 0.99 FOK: fills 20, rests 0',
    fills: [at50(10), at60(0)],
  },
  'FOK that cannot does nothing': {
    order: 'a1 ann market buy yes 31 FOK',
    placed: 'a1 ann market buy yes 31 @ 0.99 FOK: fills 0, rests 0',
    cancelled: 'a1 ann buy yes @ 0.99: 31 incoming cancelled, fok_unfillable',
  },
  'by notional: filled when what is unspent buys no share at the worst price paid': {
    order: 'a1 ann market buy yes $8.5',
    placed: 'a1 ann market buy yes 15 of $8.5 @ 0.99 GTC: fills 15, rests 0',
    fills: [at50(5), at60(0, 5)],
  },
  'by notional: spent to the last unit': {
    order: 'a1 ann market buy yes $5',
    placed: 'a1 ann market buy yes 10 of $5 @ 0.99 GTC: fills 10, rests 0',
    fills: [at50(0)],
  },
  'by notional: the depth ends it, and the unspent rest is reported in shares at the bound': {
    order: 'a1 ann market buy yes $20 max 0.80',
    placed: 'a1 ann market buy yes 32 of $20 @ 0.8 GTC: fills 30, rests 0',
    fills: [at50(22), at60(12), at70(2)],
    cancelled: 'a1 ann buy yes @ 0.8: 2 incoming cancelled, ioc_remainder',
  },
  'by notional: at least one share is reported as not filled': {
    order: 'a1 ann market buy yes $18.8 max 0.99',
    placed: 'a1 ann market buy yes 31 of $18.8 @ 0.99 GTC: fills 30, rests 0',
    fills: [at50(21), at60(11), at70(1)],
    cancelled: 'a1 ann buy yes @ 0.99: 1 incoming cancelled, ioc_remainder',
  },
  'by notional: a rest that buys exactly one share at the worst price paid is not the budget': {
    order: 'a1 ann market buy yes $18.7 max 0.99',
    placed: 'a1 ann market buy yes 31 of $18.7 @ 0.99 GTC: fills 30, rests 0',
    fills: [at50(21), at60(11), at70(1)],
    cancelled: 'a1 ann buy yes @ 0.99: 1 incoming cancelled, ioc_remainder',
  },
  'by notional FOK: one whose rest buys exactly one share at the worst price paid does nothing': {
    order: 'a1 ann market buy yes $18.7 max 0.70 FOK',
    placed: 'a1 ann market buy yes 26 of $18.7 @ 0.7 FOK: fills 0, rests 0',
    cancelled: 'a1 ann buy yes @ 0.7: 26 incoming cancelled, fok_unfillable',
  },
  'by notional: no share of the next level, but one of the worst paid, is not the budget': {
    order: 'a1 ann market buy yes $5.55',
    placed: 'a1 ann market buy yes 11 of $5.55 @ 0.99 GTC: fills 10, rests 0',
    fills: [at50(1)],
    cancelled: 'a1 ann buy yes @ 0.99: 1 incoming cancelled, ioc_remainder',
  },
  'by notional FOK: fills when the budget ends it': {
    order: 'a1 ann market buy yes $8.5 FOK',
    placed: 'a1 ann market buy yes 15 of $8.5 @ 0.99 FOK: fills 15, rests 0',
    fills: [at50(5), at60(0, 5)],
  },
  'by notional FOK: killed when the depth ends it, having spent nothing': {
    order: 'a1 ann market buy yes $20 max 0.80 FOK',
    placed: 'a1 ann market buy yes 25 of $20 @ 0.8 FOK: fills 0, rests 0',
    cancelled: 'a1 ann buy yes @ 0.8: 25 incoming cancelled, fok_unfillable',
  },
  'by quantity and notional: the quantity ends it': {
    order: 'a1 ann market buy yes 4 $5',
    placed: 'a1 ann market buy yes 4 of $5 @ 0.99 GTC: fills 4, rests 0',
    fills: [at50(0, 4)],
  },
  'by quantity and notional: the budget ends it, and the quantity stays as asked': {
    order: 'a1 ann market buy yes 12 $5',
    placed: 'a1 ann market buy yes 12 of $5 @ 0.99 GTC: fills 10, rests 0',
    fills: [at50(2)],
    cancelled: 'a1 ann buy yes @ 0.99: 2 incoming cancelled, ioc_remainder',
  },
  'by quantity and notional FOK: needs all of the quantity within the budget': {
    order: 'a1 ann market buy yes 12 $5 FOK',
    placed: 'a1 ann market buy yes 12 of $5 @ 0.99 FOK: fills 0, rests 0',
    cancelled: 'a1 ann buy yes @ 0.99: 12 incoming cancelled, fok_unfillable',
  },
};

describe('a market buy', () => {
  for (const [name, row] of Object.entries(rows)) {
    it(name, () => {
      const expected = [row.placed, ...(row.fills ?? []), ...(row.cancelled === undefined ? [] : [row.cancelled])];
      scenario()
        .when(row.order)
        .then(...expected);
    });
  }

  it('has no slippage bound without an opposing order', () => {
    tradingScenario()
      .when('a1 ann market buy no 5 slip 0.01')
      .then(
        'a1 ann market buy no 5 @ 0.99 GTC: fills 0, rests 0',
        'a1 ann buy no @ 0.99: 5 incoming cancelled, no_liquidity',
      );
  });

  it('of NO takes the YES bids, its slippage counted in NO terms', () => {
    scenario()
      .when('a1 ann market buy no 15 slip 0.05')
      .then(
        'a1 ann market buy no 15 @ 0.65 GTC: fills 10, rests 0',
        'mint 10 at 0.4: c1 cy buy yes cost 4 left 0 <- a1 ann buy no cost 6 left 5',
        'a1 ann buy no @ 0.65: 5 incoming cancelled, ioc_remainder',
      );
  });
});

describe('a market sale', () => {
  const holding = () => scenario().given('a0 ann market buy yes 10', 'a00 ann market buy no 5 IOC');

  it('takes the bids down to 0.01', () => {
    holding()
      .when('a1 ann market sell yes 8')
      .then(
        'a1 ann market sell yes 8 @ 0.01 GTC: fills 8, rests 0',
        'transfer 5 at 0.4: c1 cy buy yes cost 2 left 0 <- a1 ann sell yes cost 2.5 left 3',
        'transfer 3 at 0.3: c2 cy buy yes cost 0.9 left 7 <- a1 ann sell yes cost 1.5 left 0',
      );
  });

  it('is floored by its price and by its slippage, the higher of the two; maxPrice and notional are ignored', () => {
    for (const [bounds, floor] of [
      ['@ 0.35', '0.35'],
      ['@ 0.20 slip 0.05', '0.35'],
      ['@ 0.37 max 0.01 slip 0.05', '0.37'],
    ] as const) {
      holding()
        .when(`a1 ann market sell yes 8 $1 ${bounds}`)
        .then(
          `a1 ann market sell yes 8 of $1 @ ${floor} GTC: fills 5, rests 0`,
          'transfer 5 at 0.4: c1 cy buy yes cost 2 left 0 <- a1 ann sell yes cost 2.5 left 3',
          `a1 ann sell yes @ ${floor}: 3 incoming cancelled, ioc_remainder`,
        );
    }
  });

  it('of NO is paid 1 − the YES price', () => {
    const s = holding();
    s.when('a1 ann market sell no 5').then(
      'a1 ann market sell no 5 @ 0.01 GTC: fills 5, rests 0',
      'transfer 5 at 0.6: b2 bob buy no cost 2 left 5 <- a1 ann sell no cost 3 left 0',
    );
    expect(s.holds('ann')).to.equal('yes 10 cost 5');
  });
});

describe('a bound between two ticks', () => {
  const coarse = () =>
    tradingScenario().given(
      listMarket('cent', { tickUnits: 100 }),
      'x1 ann buy yes 10 @ 0.50 in cent',
      'x2 bob buy no 10 @ 0.50 in cent',
      'b1 bob buy no 10 @ 0.44 in cent',
      'c1 cy buy yes 10 @ 0.40 in cent',
    );

  it('moves down for a buyer', () => {
    const [placed] = coarse().when('d1 dan market buy yes 5 max 0.5699 in cent').events();
    expect(placed).to.include({ priceUnits: 5_600, fillQuantity: 5 });
    const [missed] = coarse().when('d1 dan market buy yes 5 max 0.5599 in cent').events();
    expect(missed).to.include({ priceUnits: 5_500, fillQuantity: 0 });
  });

  it('moves up for a seller', () => {
    const [placed] = coarse().when('a1 ann market sell yes 5 slip 0.0001 in cent').events();
    expect(placed).to.include({ priceUnits: 4_000, fillQuantity: 5 });
    const [lower] = coarse().when('a1 ann market sell yes 5 slip 0.0199 in cent').events();
    expect(lower).to.include({ priceUnits: 3_900 });
  });
});
