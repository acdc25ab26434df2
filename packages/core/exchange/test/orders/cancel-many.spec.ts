import { keyOf, listMarket, OPERATOR, startEpoch } from '@paper/testkit';
import { expect } from 'chai';
import { amend, cancelMany, fleetScenario, later, market } from '../tool-commands.ts';

/** ann has a1 (buy yes), a2 (sell yes), a3 (buy no) in m and a4 (buy yes) in n; her sub-account and bob have one each. */
const scenario = (settings = {}) =>
  fleetScenario(settings).given(
    listMarket('n'),
    'b0 bob buy no 5 @ 0.50',
    'a0 ann buy yes 5 @ 0.50',
    'a1 ann buy yes 1 @ 0.30',
    'a2 ann sell yes 5 @ 0.70',
    'a3 ann buy no 2 @ 0.20',
    'a4 ann buy yes 1 @ 0.40 in n',
    's1 sub buy yes 1 @ 0.25',
    'b1 bob buy yes 1 @ 0.25',
  );
const A1 = 'a1 ann buy yes @ 0.3: 1 resting cancelled, user';
const A2 = 'a2 ann sell yes @ 0.7: 5 resting cancelled, user';
const A3 = 'a3 ann buy no @ 0.2: 2 resting cancelled, user';
const A4 = 'a4 ann buy yes @ 0.4: 1 resting cancelled, user in n';

describe('cancelling many orders', () => {
  const cases: readonly (readonly [string, Parameters<typeof cancelMany>[1], readonly string[]])[] = [
    ['all of the account, in the order of acceptance', {}, [A1, A2, A3, A4]],
    ['those in a market', { marketId: 'm' }, [A1, A2, A3]],
    ['those of an outcome', { outcome: 'no' }, [A3]],
    ['those of a side', { side: 'sell' }, [A2]],
    ['those that match every filter', { marketId: 'm', outcome: 'yes', side: 'buy' }, [A1]],
  ];
  for (const [what, filters, expected] of cases) {
    it(`cancels ${what}`, () => {
      const s = scenario();
      s.when(cancelMany('ann', filters)).then(...expected);
      s.when(cancelMany('ann', filters)).thenNothing();
    });
  }

  it('gives back all that was reserved', () => {
    const s = scenario().given(cancelMany('ann'));
    expect(s.money('ann')).to.deep.equal({ cash: 9_997.5, reserved: 0 });
    expect(s.ladder()).to.equal('-----\n0.25 | s1 sub buy yes 1, b1 bob buy yes 1');
    s.given('a5 ann sell yes 5 @ 0.70');
  });

  it('finds nothing to do where none matches', () => {
    const s = scenario();
    s.when(cancelMany('ann', { outcome: 'no', side: 'sell' })).thenNothing();
    s.when(cancelMany('ann', { marketId: 'none' })).thenNothing();
    s.when(cancelMany('dan')).thenNothing();
  });

  it('cancels a bounded number a decision, the oldest first, until none is left', () => {
    const s = scenario({ runChunk: 3 });
    s.when(cancelMany('ann')).then(A1, A2, A3);
    s.when(cancelMany('ann')).then(A4);
    s.when(cancelMany('ann')).thenNothing();
  });

  it('cancels 400 a decision by the usual settings', () => {
    const s = scenario();
    for (let n = 0; n < 401; n += 1) s.given(`c${n} cy buy yes 1 @ 0.01`);
    expect(s.when(cancelMany('cy')).events()).to.have.lengthOf(400);
    s.when(cancelMany('cy')).then('c400 cy buy yes @ 0.01: 1 resting cancelled, user');
  });

  it('goes by acceptance also where an order was amended since', () => {
    const s = scenario().given(amend('a1', { price: 0.31 }), amend('a3', { quantity: 1 }));
    s.when(cancelMany('ann', { side: 'buy' })).then(
      'a1 ann buy yes @ 0.31: 1 resting cancelled, user',
      'a3 ann buy no @ 0.2: 1 resting cancelled, user',
      A4,
    );
  });

  it('works while a market is paused, and past its closing time', () => {
    const s = scenario().given(market('PauseMarket'));
    s.when(later(2_000_000, cancelMany('ann', { side: 'sell' }))).then(A2);
  });

  it('works for an account that awaits approval', () => {
    scenario()
      .given(startEpoch({ complianceMode: 'kyc' }))
      .when(cancelMany('ann', { side: 'sell' }))
      .then(A2);
  });

  it('of a sub-account is for its own key, and for the primary’s with master and trade', () => {
    const cancelled = 's1 sub buy yes @ 0.25: 1 resting cancelled, user';
    scenario().when(cancelMany('sub')).then(cancelled);
    scenario()
      .when(cancelMany('sub', {}, keyOf('ann', 'both')))
      .then(cancelled);
  });

  const refused: readonly (readonly [string, string, ReturnType<typeof keyOf>])[] = [
    ['a primary without master', 'sub', keyOf('ann', 'trader')],
    ['a primary without trade', 'ann', keyOf('ann', 'viewer')],
    ['a sub-account, of its primary', 'ann', keyOf('sub')],
    ['a sub-account, of its sibling', 'sub', keyOf('sib')],
    ['another fleet', 'bob', keyOf('ann', 'both')],
    ['anyone, of an unknown account', 'none', keyOf('ann', 'both')],
  ];
  for (const [who, accountId, by] of refused) {
    it(`is refused to ${who}`, () => {
      scenario()
        .when(cancelMany(accountId, {}, by))
        .thenRejected('forbidden', 'Forbidden');
    });
  }

  it('is refused without a live key', () => {
    scenario()
      .when(cancelMany('ann', {}, OPERATOR))
      .thenRejected('not_authenticated');
    scenario()
      .when(cancelMany('ann', {}, keyOf('ann', 'no-such-key')))
      .thenRejected('not_authenticated');
  });
});
