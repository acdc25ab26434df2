import { dueTimer, nextTimerAt } from '@paper/exchange';
import { keyOf, orderFrom, SCENARIO_AT, SYSTEM } from '@paper/testkit';
import { expect } from 'chai';
import { amend, cancel, expire, keyed, later, market, toolScenario } from '../tool-commands.ts';

const DAY_MS = 86_400_000;

describe('an order with expiresAt', () => {
  it('is cancelled with what remains when its time has come', () => {
    const s = toolScenario().given('a1 ann buy yes 10 @ 0.55 until 5s', 'b1 bob buy no 4 @ 0.45');
    s.when(later(5_000, expire())).then('a1 ann buy yes @ 0.55: 6 resting cancelled, expired');
    expect(s.money('ann')).to.deep.equal({ cash: 9_997.8, reserved: 0 });
  });

  it('has whole milliseconds', () => {
    const order = { ...orderFrom('a1 ann buy yes 10 @ 0.55'), expiresAt: SCENARIO_AT + 5_000.5 };
    toolScenario()
      .when(order)
      .thenRejected('validation_failed', 'validation failure: expiresAt: must be a time in whole milliseconds');
  });

  it('stays before its time', () => {
    const s = toolScenario().given('a1 ann buy yes 10 @ 0.55 until 5s');
    s.when(later(4_999, expire())).thenNothing();
    expect(dueTimer(s.state, SCENARIO_AT + 4_999)).to.equal(null);
    expect(dueTimer(s.state, SCENARIO_AT + 5_000)).to.deep.equal({ type: 'ExpireOrders' });
    expect(nextTimerAt(s.state)).to.equal(SCENARIO_AT + 5_000);
  });

  it('expires in the order of the times, then of acceptance, in every market and a bounded number at a time', () => {
    const s = toolScenario({ runChunk: 2 }).given(
      'a1 ann buy yes 1 @ 0.10 until 9s',
      'a2 ann buy yes 1 @ 0.30 until 5s',
      'b1 bob buy yes 1 @ 0.20 until 5s',
      'a3 ann buy yes 1 @ 0.10 until 4s',
      'a4 ann buy yes 1 @ 0.10 until 10s',
      'a5 ann buy yes 1 @ 0.10',
    );
    s.when(later(9_000, expire())).then(
      'a3 ann buy yes @ 0.1: 1 resting cancelled, expired',
      'a2 ann buy yes @ 0.3: 1 resting cancelled, expired',
    );
    s.when(later(9_000, expire())).then(
      'b1 bob buy yes @ 0.2: 1 resting cancelled, expired',
      'a1 ann buy yes @ 0.1: 1 resting cancelled, expired',
    );
    s.when(later(9_000, expire())).thenNothing();
  });

  it('expires while its market is paused', () => {
    const s = toolScenario().given('a1 ann buy yes 1 @ 0.55 until 5s', market('PauseMarket'));
    s.when(later(5_000, expire())).then('a1 ann buy yes @ 0.55: 1 resting cancelled, expired');
  });

  it('is disarmed by its end', () => {
    const s = toolScenario().given(
      'a1 ann buy yes 10 @ 0.55 until 5s',
      'a2 ann buy yes 10 @ 0.50 until 5s',
      'b1 bob buy no 10 @ 0.45',
      cancel('a2'),
    );
    s.when(later(5_000, expire())).thenNothing();
  });

  it('is not armed where nothing of it rests', () => {
    const s = toolScenario().given('b1 bob buy no 10 @ 0.45', 'a1 ann buy yes 10 @ 0.55 until 5s');
    expect(dueTimer(s.state, SCENARIO_AT + 5_000)).to.equal(null);
  });

  it('keeps its time when it is amended', () => {
    const s = toolScenario().given(
      'a1 ann buy yes 10 @ 0.55 until 5s',
      'a2 ann buy yes 10 @ 0.50 until 5s',
      amend('a1', { price: 0.4 }),
      amend('a2', { quantity: 3 }),
    );
    s.when(later(5_000, expire())).then(
      'a1 ann buy yes @ 0.4: 10 resting cancelled, expired',
      'a2 ann buy yes @ 0.5: 3 resting cancelled, expired',
    );
  });

  it('is expired by the clock alone', () => {
    const s = toolScenario().given('a1 ann buy yes 10 @ 0.55 until 5s');
    s.when(later(5_000, expire(keyOf('ann')))).thenRejected('forbidden');
    s.when(later(5_000, expire({ kind: 'operator', name: 'op' }))).thenRejected('forbidden');
    s.when(later(5_000, expire(SYSTEM))).events();
  });
});

describe('the time of expiresAt', () => {
  const until = (expiresAt: number) => ({ ...orderFrom('a1 ann buy yes 10 @ 0.55'), expiresAt });

  it('is later than the command’s own', () => {
    toolScenario().given(later(1_000, until(SCENARIO_AT + 1_001)));
    for (const ms of [1_000, 999, 0]) {
      toolScenario()
        .when(later(1_000, until(SCENARIO_AT + ms)))
        .thenRejected(
          'validation_failed',
          'validation failure: expiresAt: must be later than now, and at most 366 days ahead',
        );
    }
  });

  it('is later than the last event, where the clock stepped back', () => {
    const s = toolScenario().given(later(5_000, orderFrom('b1 bob buy no 1 @ 0.1')));
    s.when(later(4_000, until(SCENARIO_AT + 5_000))).thenRejected(
      'validation_failed',
      /^validation failure: expiresAt/,
    );
    s.given(later(4_000, until(SCENARIO_AT + 5_001)));
  });

  it('is at most 366 days ahead', () => {
    toolScenario().given(until(SCENARIO_AT + 366 * DAY_MS));
    toolScenario()
      .when(until(SCENARIO_AT + 366 * DAY_MS + 1))
      .thenRejected('validation_failed', /^validation failure: expiresAt/);
  });

  for (const text of ['a1 ann market buy yes 10', 'a1 ann buy yes 10 @ 0.5 IOC', 'a1 ann buy yes 10 @ 0.5 FOK']) {
    it(`is refused: ${text}`, () => {
      toolScenario()
        .when({ ...orderFrom(text), expiresAt: SCENARIO_AT + 5_000 })
        .thenRejected('validation_failed', 'validation failure: expiresAt: is only for limit orders with GTC');
    });
  }

  it('is checked after the Idempotency-Key, so a repeat replays when it has passed', () => {
    const order = keyed('k', orderFrom('a1 ann buy yes 10 @ 0.55 until 5s'));
    const s = toolScenario().given(order);
    s.when(later(6_000, order)).thenNothing('replayed');
  });

  it('is checked before the market', () => {
    toolScenario()
      .when({ ...until(SCENARIO_AT), marketId: 'none' })
      .thenRejected('validation_failed', /^validation failure: expiresAt/);
  });
});
