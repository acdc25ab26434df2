import type { CommandOf } from '@paper/exchange/commands';
import { base, issueKey, keyOf, openAccount, openSubAccount, OPERATOR, tradingScenario } from '@paper/testkit';
import { expect } from 'chai';
import { checkInvariants } from '../invariants.ts';

const cancel = (orderId: string, by = keyOf('ann')): CommandOf<'CancelOrder'> => ({
  ...base(by),
  type: 'CancelOrder',
  orderId,
});
const scenario = () => tradingScenario({}, checkInvariants);

describe('cancelling an order', () => {
  it('takes what remains out of the book and frees its reserve', () => {
    const s = scenario().given('a1 ann buy yes 10 @ 0.55', 'b1 bob buy no 4 @ 0.45');
    s.when(cancel('a1')).then('a1 ann buy yes @ 0.55: 6 resting cancelled, user');
    expect(s.money('ann')).to.deep.equal({ cash: 9_997.8, reserved: 0 });
    expect(s.ladder()).to.equal('-----');
  });

  it('frees the shares of a sale', () => {
    const s = scenario().given('b0 bob buy no 10 @ 0.50', 'a0 ann buy yes 10 @ 0.50', 'a1 ann sell yes 10 @ 0.60');
    s.when(cancel('a1')).then('a1 ann sell yes @ 0.6: 10 resting cancelled, user');
    s.given('a2 ann sell yes 10 @ 0.60');
  });

  it('finds nothing to do for one that is filled, cancelled, or never was', () => {
    const s = scenario().given('a1 ann buy yes 10 @ 0.55', 'b1 bob buy no 10 @ 0.45', 'a2 ann buy yes 1 @ 0.1');
    s.given(cancel('a2'));
    for (const id of ['a1', 'a2', 'a3']) s.when(cancel(id)).thenNothing('unknown_order');
  });

  it('works in every phase in which orders can rest', () => {
    const s = scenario().given('a1 ann buy yes 10 @ 0.55', { ...base(OPERATOR), type: 'PauseMarket', marketId: 'm' });
    s.given(cancel('a1'));
  });

  it('is for those who may trade', () => {
    const s = scenario().given(openAccount('eve', { permissions: ['view', 'master'] }));
    s.when(cancel('a1', keyOf('eve'))).thenRejected('forbidden', 'Forbidden');
    s.when(cancel('a1', keyOf('ann', 'no-such-key'))).thenRejected('not_authenticated');
    s.when(cancel('a1', OPERATOR)).thenRejected('not_authenticated');
  });

  describe('of another account', () => {
    const fleet = () =>
      scenario().given(
        openSubAccount('sub'),
        openSubAccount('sib'),
        issueKey('trader', { permissions: ['trade'] }),
        issueKey('both', { permissions: ['trade', 'master'] }),
        's1 sub buy yes 1 @ 0.50',
        'a1 ann buy yes 1 @ 0.50',
        'b1 bob buy yes 1 @ 0.50',
      );

    it('a primary with master and trade cancels its sub-account’s', () => {
      fleet()
        .when(cancel('s1', keyOf('ann', 'both')))
        .then('s1 sub buy yes @ 0.5: 1 resting cancelled, user');
    });

    const refused: readonly (readonly [string, string, ReturnType<typeof keyOf>])[] = [
      ['a primary without master', 's1', keyOf('ann', 'trader')],
      ['a sub-account, of its primary', 'a1', keyOf('sub')],
      ['a sub-account, of its sibling', 's1', keyOf('sib')],
      ['another fleet', 'b1', keyOf('ann', 'both')],
    ];
    for (const [who, orderId, by] of refused) {
      it(`is refused to ${who}`, () => {
        fleet().when(cancel(orderId, by)).thenRejected('forbidden', 'Forbidden');
      });
    }
  });
});
