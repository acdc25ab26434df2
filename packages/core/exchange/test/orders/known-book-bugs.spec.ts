import { base, keyOf, tradingScenario } from '@paper/testkit';
import { expect } from 'chai';
import { checkInvariants } from '../invariants.ts';

/** Faults that are known from public order books, each with a test that has the fault's name. */
const scenario = () => tradingScenario({}, checkInvariants);
const cancel = (account: string, orderId: string) =>
  ({ ...base(keyOf(account)), type: 'CancelOrder', orderId }) as const;

describe('book bugs seen in public', () => {
  it('bids swept with the ask comparator: a sale takes the highest bid first', () => {
    const s = scenario().given('x1 ann buy yes 10 @ 0.50', 'x2 dan buy no 10 @ 0.50');
    s.given('b1 bob buy yes 1 @ 0.30', 'c1 cy buy yes 1 @ 0.40', 'b2 bob buy yes 1 @ 0.35');
    s.when('a1 ann sell yes 3 @ 0.30').then(
      'a1 ann limit sell yes 3 @ 0.3 GTC: fills 3, rests 0',
      'transfer 1 at 0.4: c1 cy buy yes cost 0.4 left 0 <- a1 ann sell yes cost 0.5 left 2',
      'transfer 1 at 0.35: b2 bob buy yes cost 0.35 left 0 <- a1 ann sell yes cost 0.5 left 1',
      'transfer 1 at 0.3: b1 bob buy yes cost 0.3 left 0 <- a1 ann sell yes cost 0.5 left 0',
    );
  });

  it('residual not becoming best: what an order leaves is the next one’s best price', () => {
    const s = scenario().given('b1 bob buy no 2 @ 0.50', 'a1 ann buy yes 5 @ 0.60', 'c1 cy buy yes 1 @ 0.55');
    expect(s.ladder()).to.equal('-----\n0.60 | a1 ann buy yes 3\n0.55 | c1 cy buy yes 1');
    s.when('d1 dan buy no 1 @ 0.40').then(
      'd1 dan limit buy no 1 @ 0.4 GTC: fills 1, rests 0',
      'mint 1 at 0.6: a1 ann buy yes cost 0.6 left 2 <- d1 dan buy no cost 0.4 left 0',
    );
  });

  it('cancelling the best level leaving a phantom: the next level is best, and nothing fills against the ghost', () => {
    const s = scenario().given('b1 bob buy no 2 @ 0.50', 'c1 cy buy no 2 @ 0.40', cancel('bob', 'b1'));
    expect(s.ladder()).to.equal('0.60 | c1 cy buy no 2\n-----');
    s.when('a1 ann buy yes 2 @ 0.55').then('a1 ann limit buy yes 2 @ 0.55 GTC: fills 0, rests 2');
    s.given(cancel('cy', 'c1'), cancel('ann', 'a1'));
    expect(s.ladder()).to.equal('-----');
    s.when('d1 dan market buy yes 1').then(
      'd1 dan market buy yes 1 @ 0.99 GTC: fills 0, rests 0',
      'd1 dan buy yes @ 0.99: 1 incoming cancelled, no_liquidity',
    );
  });

  it('price improvement left reserved: what was not needed is free at once', () => {
    const s = scenario().given('a1 ann buy yes 10 @ 0.60');
    expect(s.money('ann').reserved).to.equal(6);
    // The maker trades at its own limit; the taker bids 0.70 for NO and pays 0.40.
    s.given('b1 bob buy no 10 @ 0.70');
    expect(s.money('ann')).to.deep.equal({ cash: 9_994, reserved: 0 });
    expect(s.money('bob')).to.deep.equal({ cash: 9_996, reserved: 0 });
    // Part filled at a better price, the rest reserved at the limit.
    s.given('c1 cy buy yes 5 @ 0.30', 'd1 dan buy no 8 @ 0.90');
    expect(s.money('dan')).to.deep.equal({ cash: 9_996.5, reserved: 2.7 });
  });

  it('shares debited twice: a sale takes its shares once, when it fills', () => {
    const s = scenario().given('a0 ann buy yes 10 @ 0.50', 'b0 bob buy no 10 @ 0.50', 'a1 ann sell yes 6 @ 0.60');
    expect(s.holds('ann')).to.equal('yes 10 cost 5');
    s.given('c1 cy buy yes 4 @ 0.60');
    expect(s.holds('ann')).to.equal('yes 6 cost 3');
    s.when('a2 ann sell yes 5 @ 0.70').thenRejected('insufficient_shares');
    s.given('a3 ann sell yes 4 @ 0.70', 'c2 cy buy yes 6 @ 0.70');
    expect(s.holds('ann')).to.equal('nothing');
  });

  it('shares debited twice: several sales of one maker in one decision each take their own part of the cost', () => {
    const s = scenario().given(
      'a0 ann buy yes 7 @ 0.3333',
      'b0 bob buy no 7 @ 0.6667',
      'a1 ann sell yes 2 @ 0.60',
      'a2 ann sell yes 2 @ 0.61',
      'a3 ann sell yes 3 @ 0.62',
    );
    // 2.3331 is taken off as ⌊23,331 × 2 / 7⌋, ⌊16,665 × 2 / 5⌋ and the rest.
    s.when('c1 cy buy yes 7 @ 0.65').then(
      'c1 cy limit buy yes 7 @ 0.65 GTC: fills 7, rests 0',
      'transfer 2 at 0.6: a1 ann sell yes cost 0.6666 left 0 <- c1 cy buy yes cost 1.2 left 5',
      'transfer 2 at 0.61: a2 ann sell yes cost 0.6666 left 0 <- c1 cy buy yes cost 1.22 left 3',
      'transfer 3 at 0.62: a3 ann sell yes cost 0.9999 left 0 <- c1 cy buy yes cost 1.86 left 0',
    );
  });

  it('a self-trade dropping the maker without release: the maker stays, and all of its reserve with it', () => {
    const s = scenario().given('a1 ann buy yes 10 @ 0.60', 'a2 ann buy no 10 @ 0.50');
    expect(s.ladder()).to.equal('-----\n0.60 | a1 ann buy yes 10');
    expect(s.money('ann')).to.deep.equal({ cash: 10_000, reserved: 6 });
    s.given(cancel('ann', 'a1'));
    expect(s.money('ann')).to.deep.equal({ cash: 10_000, reserved: 0 });
  });

  it('NO marked at the YES price: a NO fill costs, and a NO share pays, 1 − YES', () => {
    const s = scenario().given('a1 ann buy no 10 @ 0.20', 'b1 bob buy yes 10 @ 0.80');
    expect([s.holds('ann'), s.holds('bob')]).to.deep.equal(['no 10 cost 2', 'yes 10 cost 8']);
    s.given({
      ...base({ kind: 'operator', name: 'op' }),
      type: 'VoidMarket',
      marketId: 'm',
      priceUnits: 8_000,
      reason: 'r',
    });
    s.when({ ...base({ kind: 'system' }), type: 'ContinueRun', marketId: 'm' }).then(
      'ann settles no 10, cost 2, paid 2',
      'bob settles yes 10, cost 8, paid 8',
      'market settled: 0 orders cancelled, 2 accounts, paid 10',
    );
  });

  it('a level taken out in the middle: its neighbours stay in order, first in, first out', () => {
    const s = scenario().given('a1 ann buy yes 1 @ 0.50', 'b1 bob buy yes 2 @ 0.50', 'c1 cy buy yes 3 @ 0.50');
    s.given(cancel('bob', 'b1'), 'b2 bob buy yes 4 @ 0.50');
    expect(s.ladder()).to.equal('-----\n0.50 | a1 ann buy yes 1, c1 cy buy yes 3, b2 bob buy yes 4');
    s.given(cancel('ann', 'a1'), cancel('bob', 'b2'));
    expect(s.ladder()).to.equal('-----\n0.50 | c1 cy buy yes 3');
  });

  it('a part-filled maker losing its place: it stays first in its queue', () => {
    const s = scenario().given('a1 ann buy yes 5 @ 0.50', 'b1 bob buy yes 5 @ 0.50', 'c1 cy buy no 2 @ 0.50');
    expect(s.ladder()).to.equal('-----\n0.50 | a1 ann buy yes 3, b1 bob buy yes 5');
  });
});
