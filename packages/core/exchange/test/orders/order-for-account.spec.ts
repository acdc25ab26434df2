import { keyOf, orderFrom, startEpoch } from '@paper/testkit';
import { expect } from 'chai';
import { cancel, fleetScenario, keyed, withKey } from '../tool-commands.ts';

describe('an order for a sub-account', () => {
  it('uses its cash, and is its order', () => {
    const s = fleetScenario();
    s.when(withKey('both', orderFrom('a1 ann buy yes 10 @ 0.50 for sub'))).then(
      'a1 sub limit buy yes 10 @ 0.5 GTC: fills 0, rests 10',
    );
    expect(s.money('sub')).to.deep.equal({ cash: 10_000, reserved: 5 });
    expect(s.money('ann')).to.deep.equal({ cash: 10_000, reserved: 0 });
    s.given(cancel('a1', keyOf('sub')));
  });

  it('sells its shares', () => {
    const s = fleetScenario().given('b1 bob buy no 10 @ 0.45', 's1 sub buy yes 10 @ 0.55', 'b2 bob buy no 1 @ 0.45');
    s.given('a1 ann buy yes 1 @ 0.55');
    s.when('a2 ann sell yes 2 @ 0.60').thenRejected('insufficient_shares');
    s.given('a2 ann sell yes 10 @ 0.60 for sub');
  });

  it('counts towards its open orders', () => {
    const s = fleetScenario({ openOrdersPerAccount: 1 }).given(
      'a1 ann buy yes 1 @ 0.50',
      'a2 ann buy yes 1 @ 0.50 for sub',
    );
    s.when('a3 ann buy yes 1 @ 0.50 for sub').thenRejected('limit_reached');
    s.given('a3 ann buy yes 1 @ 0.50 for sib');
  });

  it('is as none where it names the caller’s own account, with whatever rights', () => {
    const s = fleetScenario();
    s.given(withKey('trader', orderFrom('a1 ann buy yes 10 @ 0.50 for ann')), 's1 sub buy yes 10 @ 0.50 for sub');
  });

  const refused: readonly (readonly [string, ReturnType<typeof orderFrom>])[] = [
    ['another fleet’s account', orderFrom('a1 ann buy yes 10 @ 0.50 for bob')],
    ['an unknown account', orderFrom('a1 ann buy yes 10 @ 0.50 for none')],
    ['a key without master', withKey('trader', orderFrom('a1 ann buy yes 10 @ 0.50 for sub'))],
    ['a key without trade', withKey('viewer', orderFrom('a1 ann buy yes 10 @ 0.50 for sub'))],
    ['a sub-account’s key for its primary', orderFrom('s1 sub buy yes 10 @ 0.50 for ann')],
    ['a sub-account’s key for its sibling', orderFrom('s1 sub buy yes 10 @ 0.50 for sib')],
  ];
  for (const [what, order] of refused) {
    it(`is refused for ${what}`, () => {
      fleetScenario().when(order).thenRejected('forbidden', 'Forbidden');
    });
  }

  it('is refused for its form before its account, and for its account before its Idempotency-Key and all else', () => {
    const s = fleetScenario().given(keyed('k', orderFrom('a1 ann buy yes 10 @ 0.50')));
    s.when('a2 ann buy yes 501 @ 0.50 for bob').thenRejected('validation_failed');
    s.when(keyed('k', orderFrom('a2 ann buy yes 10 @ 0.50 for bob'), 'other')).thenRejected('forbidden');
    s.when('a2 ann buy yes 10 @ 0.50 until 0s for bob').thenRejected('forbidden');
    s.when('a2 ann buy yes 10 @ 0.50 for bob in none').thenRejected('forbidden');
  });

  it('remembers its Idempotency-Key for the caller', () => {
    const order = keyed('k', orderFrom('a1 ann buy yes 10 @ 0.50 for sub'));
    const s = fleetScenario().given(order);
    s.when(order).thenNothing('replayed');
    s.given(keyed('k', orderFrom('s1 sub buy yes 10 @ 0.50')));
  });

  it('awaits the approval of its account', () => {
    const s = fleetScenario().given(startEpoch({ complianceMode: 'kyc' }));
    s.when('a1 ann buy yes 501 @ 0.50 for sub').thenRejected('kyc_required');
  });

  it('meets no order of the fleet', () => {
    const s = fleetScenario().given('a1 ann buy no 5 @ 0.50');
    s.when('a2 ann buy yes 5 @ 0.50 for sub').then(
      'a2 sub limit buy yes 5 @ 0.5 GTC: fills 0, rests 0',
      'a2 sub buy yes @ 0.5: 5 incoming cancelled, self_trade',
    );
  });
});
