import { base, keyOf, tradingScenario } from '@paper/testkit';
import { expect } from 'chai';
import { checkInvariants } from '../invariants.ts';

/** The asks are bob's 2 at 0.50, then ann's own 2 at 0.50, then cy's 5 at 0.55. */
const scenario = () =>
  tradingScenario({}, checkInvariants)
    .given({
      ...base(keyOf('ann'), 'sub'),
      type: 'OpenSubAccount',
      accountId: 'sub',
      nameDigest: 'd1'.repeat(32),
      keyHash: 'sub-hash',
      keyId: 'sub-key',
      last4: 'last',
      permissions: null,
    })
    .given('b1 bob buy no 2 @ 0.50', 'a1 ann buy no 2 @ 0.50', 'c1 cy buy no 5 @ 0.45');
const first = (order: string, account: string, left: number) =>
  `mint 2 at 0.5: b1 bob buy no cost 1 left 0 <- ${order} ${account} buy yes cost 1 left ${left}`;

describe('self-trade', () => {
  for (const tif of ['GTC', 'IOC']) {
    it(`ends a ${tif} order where it reaches an own one: its fills stand, its rest is cancelled`, () => {
      const s = scenario();
      s.when(`a2 ann buy yes 6 @ 0.60 ${tif}`).then(
        `a2 ann limit buy yes 6 @ 0.6 ${tif}: fills 2, rests 0`,
        first('a2', 'ann', 4),
        'a2 ann buy yes @ 0.6: 4 incoming cancelled, self_trade',
      );
      expect(s.ladder()).to.equal('0.55 | c1 cy buy no 5\n0.50 | a1 ann buy no 2\n-----');
    });
  }

  it('goes by owner: a sub-account does not trade with its primary', () => {
    scenario()
      .when('s2 sub buy yes 6 @ 0.60')
      .then(
        's2 sub limit buy yes 6 @ 0.6 GTC: fills 2, rests 0',
        first('s2', 'sub', 4),
        's2 sub buy yes @ 0.6: 4 incoming cancelled, self_trade',
      );
  });

  it('is the reason of a killed FOK before fok_unfillable, and nothing is done', () => {
    scenario()
      .when('a2 ann buy yes 50 @ 0.60 FOK')
      .then(
        'a2 ann limit buy yes 50 @ 0.6 FOK: fills 0, rests 0',
        'a2 ann buy yes @ 0.6: 50 incoming cancelled, self_trade',
      );
  });

  it('an own order that is not reached is no hindrance', () => {
    scenario()
      .when('a2 ann buy yes 2 @ 0.60 FOK')
      .then('a2 ann limit buy yes 2 @ 0.6 FOK: fills 2, rests 0', first('a2', 'ann', 0));
  });

  it('as the first order reached, nothing is filled', () => {
    scenario()
      .given('d1 dan buy yes 2 @ 0.50')
      .when('a2 ann market buy yes $3')
      .then(
        'a2 ann market buy yes 3 of $3 @ 0.99 GTC: fills 0, rests 0',
        'a2 ann buy yes @ 0.99: 3 incoming cancelled, self_trade',
      );
  });

  it('keeps everything that the maker had reserved, and releases it on cancel', () => {
    const s = scenario().given('a2 ann buy yes 6 @ 0.60');
    expect(s.money('ann').reserved).to.equal(1);
    s.given({ ...base(keyOf('ann')), type: 'CancelOrder', orderId: 'a1' });
    expect(s.money('ann').reserved).to.equal(0);
  });
});
