import { tradingScenario } from '@paper/testkit';
import { expect } from 'chai';
import { checkInvariants } from '../invariants.ts';

const scenario = () => tradingScenario({}, checkInvariants);

describe('limit orders', () => {
  it('rest when nothing crosses, and reserve limit × shares', () => {
    const s = scenario();
    s.when('a1 ann buy yes 10 @ 0.55').then('a1 ann limit buy yes 10 @ 0.55 GTC: fills 0, rests 10');
    expect(s.money('ann')).to.deep.equal({ cash: 10_000, reserved: 5.5 });
    expect(s.ladder()).to.equal('-----\n0.55 | a1 ann buy yes 10');
  });

  it('stand in one book in YES terms, whichever of the four kinds they are', () => {
    const s = scenario().given('x1 ann buy yes 9 @ 0.50', 'x2 bob buy no 9 @ 0.50');
    s.given(
      'a1 ann buy yes 1 @ 0.40',
      'b1 bob sell no 2 @ 0.60',
      'c1 cy buy no 3 @ 0.30',
      'a2 ann sell yes 4 @ 0.70',
      'd1 dan buy yes 5 @ 0.41',
      'c2 cy buy no 6 @ 0.31',
    );
    expect(s.ladder()).to.equal(
      [
        '0.70 | c1 cy buy no 3, a2 ann sell yes 4',
        '0.69 | c2 cy buy no 6',
        '-----',
        '0.41 | d1 dan buy yes 5',
        '0.40 | a1 ann buy yes 1, b1 bob sell no 2',
      ].join('\n'),
    );
  });

  it('mint: a buy of YES and a buy of NO, each paying its own price', () => {
    const s = scenario().given('b1 bob buy no 10 @ 0.45');
    s.when('a1 ann buy yes 4 @ 0.60').then(
      'a1 ann limit buy yes 4 @ 0.6 GTC: fills 4, rests 0',
      'mint 4 at 0.55: b1 bob buy no cost 1.8 left 6 <- a1 ann buy yes cost 2.2 left 0',
    );
    expect([s.holds('ann'), s.holds('bob')]).to.deep.equal(['yes 4 cost 2.2', 'no 4 cost 1.8']);
    expect(s.money('ann')).to.deep.equal({ cash: 9_997.8, reserved: 0 });
    expect(s.money('bob')).to.deep.equal({ cash: 9_998.2, reserved: 2.7 });
  });

  it('transfer: shares change hands at the resting price, cost leaves the seller pro rata', () => {
    const s = scenario().given('a0 ann buy yes 10 @ 0.50', 'b0 bob buy no 10 @ 0.50', 'a1 ann sell yes 5 @ 0.60');
    s.when('c1 cy buy yes 3 @ 0.65').then(
      'c1 cy limit buy yes 3 @ 0.65 GTC: fills 3, rests 0',
      'transfer 3 at 0.6: a1 ann sell yes cost 1.5 left 2 <- c1 cy buy yes cost 1.8 left 0',
    );
    expect(s.holds('ann')).to.equal('yes 7 cost 3.5');
    expect(s.money('ann')).to.deep.equal({ cash: 9_996.8, reserved: 0 });
  });

  it('sales of two sellers in one decision: each takes its cost off what the seller’s sales before it left', () => {
    const s = scenario().given('b0 bob buy no 2 @ 0.6667', 'a0 ann buy yes 1 @ 0.3333', 'd0 dan buy yes 1 @ 0.3333');
    s.given('b9 bob buy no 4 @ 0.6666', 'a9 ann buy yes 2 @ 0.3334', 'd9 dan buy yes 2 @ 0.3334');
    s.given(
      'd1 dan sell yes 1 @ 0.60',
      'a1 ann sell yes 1 @ 0.60',
      'd2 dan sell yes 1 @ 0.60',
      'a2 ann sell yes 1 @ 0.60',
    );
    s.when('c1 cy buy yes 4 @ 0.60').then(
      'c1 cy limit buy yes 4 @ 0.6 GTC: fills 4, rests 0',
      'transfer 1 at 0.6: d1 dan sell yes cost 0.3333 left 0 <- c1 cy buy yes cost 0.6 left 3',
      'transfer 1 at 0.6: a1 ann sell yes cost 0.3333 left 0 <- c1 cy buy yes cost 0.6 left 2',
      'transfer 1 at 0.6: d2 dan sell yes cost 0.3334 left 0 <- c1 cy buy yes cost 0.6 left 1',
      'transfer 1 at 0.6: a2 ann sell yes cost 0.3334 left 0 <- c1 cy buy yes cost 0.6 left 0',
    );
  });

  it('merge: a sale of YES and a sale of NO end pairs, each paid its own price', () => {
    const s = scenario().given('a0 ann buy yes 10 @ 0.50', 'b0 bob buy no 10 @ 0.50', 'b1 bob sell no 10 @ 0.35');
    s.when('a1 ann sell yes 4 @ 0.60').then(
      'a1 ann limit sell yes 4 @ 0.6 GTC: fills 4, rests 0',
      'merge 4 at 0.65: b1 bob sell no cost 2 left 6 <- a1 ann sell yes cost 2 left 0',
    );
    expect([s.money('ann').cash, s.money('bob').cash]).to.deep.equal([9_997.6, 9_996.4]);
  });

  it('trade by price, then by sequence, native and complementary orders in one queue', () => {
    const s = scenario().given('a0 ann buy yes 9 @ 0.50', 'b0 bob buy no 9 @ 0.50');
    s.given('b1 bob buy no 2 @ 0.40', 'a1 ann sell yes 2 @ 0.60', 'b2 bob buy no 2 @ 0.40', 'a2 ann sell yes 2 @ 0.59');
    s.when('c1 cy buy yes 7 @ 0.60').then(
      'c1 cy limit buy yes 7 @ 0.6 GTC: fills 7, rests 0',
      'transfer 2 at 0.59: a2 ann sell yes cost 1 left 0 <- c1 cy buy yes cost 1.18 left 5',
      'mint 2 at 0.6: b1 bob buy no cost 0.8 left 0 <- c1 cy buy yes cost 1.2 left 3',
      'transfer 2 at 0.6: a1 ann sell yes cost 1 left 0 <- c1 cy buy yes cost 1.2 left 1',
      'mint 1 at 0.6: b2 bob buy no cost 0.4 left 1 <- c1 cy buy yes cost 0.6 left 0',
    );
  });

  it('rest with what they could not fill, at their limit', () => {
    const s = scenario().given('b1 bob buy no 4 @ 0.45');
    s.when('a1 ann buy yes 10 @ 0.60').then(
      'a1 ann limit buy yes 10 @ 0.6 GTC: fills 4, rests 6',
      'mint 4 at 0.55: b1 bob buy no cost 1.8 left 0 <- a1 ann buy yes cost 2.2 left 6',
    );
    expect(s.ladder()).to.equal('-----\n0.60 | a1 ann buy yes 6');
    expect(s.money('ann')).to.deep.equal({ cash: 9_997.8, reserved: 3.6 });
  });

  describe('quantity from a notional', () => {
    const table: readonly (readonly [order: string, quantity: number])[] = [
      ['a1 ann buy yes $10 @ 0.33', 30],
      ['a1 ann buy yes 20 $10 @ 0.33', 20],
      ['a1 ann buy yes 40 $10 @ 0.33', 30],
      ['a1 ann buy yes $5000 @ 0.01', 500_000],
      ['a1 ann buy yes $1 @ 0.99', 1],
    ];
    for (const [order, quantity] of table) {
      it(`${order} is for ${quantity} shares`, () => {
        const [placed] = scenario().when(order).events();
        expect(placed).to.include({ type: 'OrderPlaced', quantity, restQuantity: quantity });
      });
    }
  });

  it('ignore maxPrice and slippage', () => {
    const s = scenario().given('b1 bob buy no 4 @ 0.45');
    s.when('a1 ann buy yes 4 @ 0.60 max 0.50 slip 0').then(
      'a1 ann limit buy yes 4 @ 0.6 GTC: fills 4, rests 0',
      'mint 4 at 0.55: b1 bob buy no cost 1.8 left 0 <- a1 ann buy yes cost 2.2 left 0',
    );
  });

  it('a sale ignores its notional', () => {
    const s = scenario().given('a0 ann buy yes 9 @ 0.50', 'b0 bob buy no 9 @ 0.50');
    s.when('a1 ann sell yes 9 $1 @ 0.60').then('a1 ann limit sell yes 9 of $1 @ 0.6 GTC: fills 0, rests 9');
  });
});

describe('time in force of a limit order', () => {
  const given = () => scenario().given('b1 bob buy no 4 @ 0.45');
  const fill = (left: number) =>
    `mint 4 at 0.55: b1 bob buy no cost 1.8 left 0 <- a1 ann buy yes cost 2.2 left ${left}`;

  it('IOC fills what it can, and the rest is cancelled', () => {
    given()
      .when('a1 ann buy yes 10 @ 0.60 IOC')
      .then(
        'a1 ann limit buy yes 10 @ 0.6 IOC: fills 4, rests 0',
        fill(6),
        'a1 ann buy yes @ 0.6: 6 incoming cancelled, ioc_remainder',
      );
  });

  it('IOC that fills wholly is cancelled in nothing', () => {
    given().when('a1 ann buy yes 4 @ 0.60 IOC').then('a1 ann limit buy yes 4 @ 0.6 IOC: fills 4, rests 0', fill(0));
  });

  it('IOC with nothing within its limit ends with no_liquidity', () => {
    given()
      .when('a1 ann buy yes 10 @ 0.54 IOC')
      .then(
        'a1 ann limit buy yes 10 @ 0.54 IOC: fills 0, rests 0',
        'a1 ann buy yes @ 0.54: 10 incoming cancelled, no_liquidity',
      );
  });

  it('FOK fills when all of it can', () => {
    given().when('a1 ann buy yes 4 @ 0.60 FOK').then('a1 ann limit buy yes 4 @ 0.6 FOK: fills 4, rests 0', fill(0));
  });

  it('FOK that cannot fill wholly does nothing', () => {
    const s = given();
    s.when('a1 ann buy yes 5 @ 0.60 FOK').then(
      'a1 ann limit buy yes 5 @ 0.6 FOK: fills 0, rests 0',
      'a1 ann buy yes @ 0.6: 5 incoming cancelled, fok_unfillable',
    );
    expect(s.ladder()).to.equal('0.55 | b1 bob buy no 4\n-----');
    expect(s.money('ann')).to.deep.equal({ cash: 10_000, reserved: 0 });
  });

  it('FOK with a quantity and a notional is for the smaller number of shares', () => {
    given()
      .when('a1 ann buy yes 10 $2.40 @ 0.60 FOK')
      .then('a1 ann limit buy yes 4 of $2.4 @ 0.6 FOK: fills 4, rests 0', fill(0));
  });
});
