import { dueTimer, nextTimerAt } from '@paper/exchange';
import type { DueTimer } from '@paper/exchange';
import { base, keyOf, listMarket, orderFrom, SCENARIO_AT, SYSTEM } from '@paper/testkit';
import type { Scenario } from '@paper/testkit';
import { expect } from 'chai';
import { arm, cancel, expire, later, market, toolScenario } from './tool-commands.ts';

const closing = (marketId: string, seconds: number) =>
  listMarket(marketId, { closesAt: SCENARIO_AT + seconds * 1_000 });

/** Decides all that is due at this many milliseconds after SCENARIO_AT, as a command side does; gives what it was. */
function decideDue(s: Scenario, ms: number): readonly DueTimer[] {
  const done: DueTimer[] = [];
  for (let due = dueTimer(s.state, SCENARIO_AT + ms); due !== null; due = dueTimer(s.state, SCENARIO_AT + ms)) {
    s.given(later(ms, { ...base(SYSTEM), ...due }));
    done.push(due);
    if (done.length > 50) throw new Error('a timer stays due');
  }
  return done;
}

describe('timers', () => {
  it('are due by their time', () => {
    const s = toolScenario().given(
      closing('n', 7),
      arm(5),
      arm(9, keyOf('bob')),
      'c1 cy buy yes 1 @ 0.10 until 6s',
      'c2 cy buy yes 1 @ 0.10 until 8s',
    );
    expect(decideDue(s, 8_999)).to.deep.equal([
      { accountId: 'ann', type: 'FireDeadManSwitch' },
      { type: 'ExpireOrders' },
      { marketId: 'n', type: 'CloseMarket' },
      { type: 'ExpireOrders' },
    ]);
    expect(decideDue(s, 9_000)).to.deep.equal([{ accountId: 'bob', type: 'FireDeadManSwitch' }]);
  });

  it('of one time are closings before expiries before switches', () => {
    const s = toolScenario().given(
      arm(5),
      'a1 ann buy yes 1 @ 0.10 until 5s',
      closing('n', 5),
      'a2 ann buy yes 1 @ 0.10 until 5s in n',
      'a3 ann buy yes 1 @ 0.10',
    );
    expect(decideDue(s, 60_000)).to.deep.equal([
      { marketId: 'n', type: 'CloseMarket' },
      { type: 'ExpireOrders' },
      { accountId: 'ann', type: 'FireDeadManSwitch' },
    ]);
  });

  it('of one time and kind are by listing, by acceptance, by arming', () => {
    const s = toolScenario().given(
      closing('z', 5),
      closing('b', 5),
      arm(5, keyOf('bob')),
      arm(6),
      arm(5, keyOf('dan')),
      arm(5),
    );
    expect(decideDue(s, 5_000)).to.deep.equal([
      { marketId: 'z', type: 'CloseMarket' },
      { marketId: 'b', type: 'CloseMarket' },
      { accountId: 'bob', type: 'FireDeadManSwitch' },
      { accountId: 'dan', type: 'FireDeadManSwitch' },
      { accountId: 'ann', type: 'FireDeadManSwitch' },
    ]);
  });

  it('expire no order that is due after a closing or a switch', () => {
    const s = toolScenario().given(
      'a1 ann buy yes 1 @ 0.10 until 4s',
      'a2 ann buy yes 1 @ 0.10 until 5s',
      'a3 ann buy yes 1 @ 0.10 until 6s',
      'b1 bob buy yes 1 @ 0.10 until 5s',
      arm(5),
    );
    s.when(later(9_000, expire())).then(
      'a1 ann buy yes @ 0.1: 1 resting cancelled, expired',
      'a2 ann buy yes @ 0.1: 1 resting cancelled, expired',
      'b1 bob buy yes @ 0.1: 1 resting cancelled, expired',
    );
    s.when(later(9_000, expire())).thenNothing();
    expect(decideDue(s, 9_000)).to.deep.equal([{ accountId: 'ann', type: 'FireDeadManSwitch' }]);
    const t = toolScenario().given(
      closing('n', 5),
      'a1 ann buy yes 1 @ 0.10 until 4s in n',
      'a2 ann buy yes 1 @ 0.10 until 5s in n',
    );
    t.when(later(9_000, expire())).then('a1 ann buy yes @ 0.1: 1 resting cancelled, expired in n');
  });

  it('are due at a closing that is not the first market’s', () => {
    const s = toolScenario().given(closing('n', 5), 'a1 ann buy yes 1 @ 0.10 until 900s');
    expect(decideDue(s, 899_000)).to.deep.equal([{ marketId: 'n', type: 'CloseMarket' }]);
    expect(nextTimerAt(s.state)).to.equal(SCENARIO_AT + 900_000);
  });

  it('cancel a paused market’s orders, but close it only once it is active with a later time', () => {
    const s = toolScenario().given(
      closing('n', 5),
      'a1 ann buy yes 1 @ 0.10 until 6s in n',
      market('PauseMarket', undefined, 'n'),
    );
    expect(decideDue(s, 10_000)).to.deep.equal([{ type: 'ExpireOrders' }]);
  });

  it('are none where nothing is armed', () => {
    const s = toolScenario().given(
      'a1 ann buy yes 1 @ 0.10 until 6s',
      cancel('a1'),
      arm(5),
      arm(0),
      market('CloseMarket'),
    );
    expect(nextTimerAt(s.state)).to.equal(null);
    expect(dueTimer(s.state, Number.MAX_SAFE_INTEGER)).to.equal(null);
  });

  it('are measured by the last event’s time, where the clock stepped back', () => {
    const s = toolScenario().given('a1 ann buy yes 1 @ 0.10 until 5s', later(5_000, closing('n', 60)));
    expect(dueTimer(s.state, SCENARIO_AT)).to.deep.equal({ type: 'ExpireOrders' });
    s.when(expire()).then('a1 ann buy yes @ 0.1: 1 resting cancelled, expired');
  });

  it('that fell due while nobody served leave no fill past an order’s expiresAt', () => {
    const s = toolScenario().given('a1 ann buy yes 10 @ 0.55 until 5s');
    decideDue(s, 60_000);
    s.when(later(60_000, orderFrom('b1 bob buy no 10 @ 0.45'))).then(
      'b1 bob limit buy no 10 @ 0.45 GTC: fills 0, rests 10',
    );
  });
});
