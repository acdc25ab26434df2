import { dueTimer, nextTimerAt } from '@paper/exchange';
import { base, keyOf, OPERATOR, SCENARIO_AT, startEpoch } from '@paper/testkit';
import { expect } from 'chai';
import { amend, arm, cancelMany, fire, fleetScenario, later, market } from '../tool-commands.ts';

const scenario = (settings = {}) =>
  fleetScenario(settings).given(
    'a1 ann buy yes 1 @ 0.30',
    'a2 ann buy no 2 @ 0.20',
    'a3 ann buy yes 3 @ 0.10',
    's1 sub buy yes 1 @ 0.25',
    'b1 bob buy yes 1 @ 0.25',
  );
const A1 = 'a1 ann buy yes @ 0.3: 1 resting cancelled, dead_man_switch';
const A2 = 'a2 ann buy no @ 0.2: 2 resting cancelled, dead_man_switch';
const A3 = 'a3 ann buy yes @ 0.1: 3 resting cancelled, dead_man_switch';

describe('arming a dead-man switch', () => {
  it('sets it to so many seconds from now', () => {
    const s = scenario();
    s.when(later(1_500, arm(5))).then('ann switch at 6.5s');
    expect(nextTimerAt(s.state)).to.equal(SCENARIO_AT + 6_500);
  });

  it('sets it anew, later or earlier', () => {
    const s = scenario().given(arm(10));
    s.when(later(1_000, arm(3_600))).then('ann switch at 3601s');
    s.when(later(2_000, arm(5))).then('ann switch at 7s');
    expect(dueTimer(s.state, SCENARIO_AT + 6_999)).to.equal(null);
    expect(dueTimer(s.state, SCENARIO_AT + 7_000)).to.deep.equal({ accountId: 'ann', type: 'FireDeadManSwitch' });
  });

  it('turns it off with 0, and appends nothing where it is off', () => {
    const s = scenario().given(arm(10));
    s.when(arm(0)).then('ann switch off');
    s.when(arm(0)).thenNothing();
    expect(dueTimer(s.state, SCENARIO_AT + 60_000)).to.equal(null);
  });

  it('works with no open order', () => {
    scenario()
      .when(arm(5, keyOf('dan')))
      .then('dan switch at 5s');
  });

  for (const seconds of [-1, 1, 4, 3_601, 5.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    it(`is refused for ${seconds} seconds`, () => {
      scenario()
        .when(arm(seconds))
        .thenRejected(
          'validation_failed',
          'validation failure: seconds: must be 0 to turn it off, or a whole number, 5 to 3600',
        );
    });
  }

  it('takes the ends of its range', () => {
    scenario().given(arm(5), arm(3_600), arm(0));
  });

  it('is for those who may trade, approved or not', () => {
    const s = scenario().given(startEpoch({ complianceMode: 'kyc' }), arm(5));
    s.when(arm(5, keyOf('ann', 'viewer'))).thenRejected('forbidden');
    s.when(arm(5, keyOf('ann', 'no-such-key'))).thenRejected('not_authenticated');
    s.when(arm(5, OPERATOR)).thenRejected('not_authenticated');
  });
});

describe('a dead-man switch that is due', () => {
  it('cancels all open orders of its account by acceptance, and turns itself off', () => {
    const s = scenario().given(arm(5), amend('a1', { price: 0.31 }));
    s.when(later(5_000, fire('ann'))).then(
      'a1 ann buy yes @ 0.31: 1 resting cancelled, dead_man_switch',
      A2,
      A3,
      'ann switch off',
    );
    s.when(later(5_000, fire('ann'))).thenNothing();
    expect(nextTimerAt(s.state)).to.equal(2 * SCENARIO_AT);
  });

  it('does so in bounded decisions; the last turns it off, and till then it is due', () => {
    const s = scenario({ runChunk: 2 }).given(arm(5));
    s.when(later(5_000, fire('ann'))).then(A1, A2);
    expect(dueTimer(s.state, 0)).to.deep.equal({ accountId: 'ann', type: 'FireDeadManSwitch' });
    s.when(later(5_000, fire('ann'))).then(A3, 'ann switch off');
    expect(dueTimer(s.state, 0)).to.equal(null);
  });

  it('needs no further decision where its orders are just as many as one may cancel', () => {
    const s = scenario({ runChunk: 3 }).given(arm(5));
    s.when(later(5_000, fire('ann'))).then(A1, A2, A3, 'ann switch off');
  });

  it('only turns itself off where no order is open', () => {
    const s = scenario().given(arm(5), cancelMany('ann'));
    s.when(later(5_000, fire('ann'))).then('ann switch off');
  });

  it('cancels in paused markets too', () => {
    const s = scenario().given(arm(5), market('PauseMarket'));
    s.when(later(5_000, fire('ann'))).then(A1, A2, A3, 'ann switch off');
  });

  it('of a primary covers its own orders alone, and that of a sub-account the sub-account’s', () => {
    const s = scenario().given(arm(5, keyOf('sub')));
    s.when(later(5_000, fire('sub'))).then(
      's1 sub buy yes @ 0.25: 1 resting cancelled, dead_man_switch',
      'sub switch off',
    );
  });

  it('covers orders that were placed after it was armed', () => {
    const s = scenario().given(arm(5, keyOf('dan')), 'd1 dan buy yes 1 @ 0.01');
    s.when(later(5_000, fire('dan'))).then(
      'd1 dan buy yes @ 0.01: 1 resting cancelled, dead_man_switch',
      'dan switch off',
    );
  });

  it('does nothing before its time, when it is off, and for an unknown account', () => {
    const s = scenario().given(arm(5));
    s.when(later(4_999, fire('ann'))).thenNothing();
    s.when(later(9_000, fire('bob'))).thenNothing();
    s.when(later(9_000, fire('none'))).thenNothing();
  });

  it('is fired by the clock alone', () => {
    const s = scenario().given(arm(5));
    s.when(later(5_000, fire('ann', keyOf('ann')))).thenRejected('forbidden');
    s.when(later(5_000, fire('ann', OPERATOR))).thenRejected('forbidden');
  });

  it('outlives the key that armed it', () => {
    const s = scenario().given(arm(5, keyOf('ann', 'trader')), {
      ...base(keyOf('ann')),
      keyId: 'trader',
      type: 'RevokeApiKey',
    });
    s.when(later(5_000, fire('ann'))).then(A1, A2, A3, 'ann switch off');
  });
});
