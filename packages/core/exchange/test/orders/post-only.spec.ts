import { orderFrom } from '@paper/testkit';
import { expect } from 'chai';
import { fleetScenario, toolScenario } from '../tool-commands.ts';

describe('a post-only order', () => {
  it('rests where it takes nothing', () => {
    const s = toolScenario().given('b1 bob buy no 5 @ 0.40');
    s.when('a1 ann buy yes 10 @ 0.59 post-only').then(
      'a1 ann limit buy yes 10 @ 0.59 GTC post-only: fills 0, rests 10',
    );
    expect(s.ladder()).to.equal('0.60 | b1 bob buy no 5\n-----\n0.59 | a1 ann buy yes 10');
  });

  it('is cancelled with nothing filled where it would take any share', () => {
    const s = toolScenario().given('b1 bob buy no 1 @ 0.40');
    s.when('a1 ann buy yes 10 @ 0.60 post-only').then(
      'a1 ann limit buy yes 10 @ 0.6 GTC post-only: fills 0, rests 0',
      'a1 ann buy yes @ 0.6: 10 incoming cancelled, post_only',
    );
    expect(s.money('ann')).to.deep.equal({ cash: 10_000, reserved: 0 });
  });

  it('is cancelled as a sale too, and where it would take shares of the same outcome', () => {
    const s = toolScenario().given('b0 bob buy no 5 @ 0.50', 'a0 ann buy yes 5 @ 0.50', 'b1 bob buy yes 2 @ 0.45');
    s.when('a1 ann sell yes 5 @ 0.45 post-only').then(
      'a1 ann limit sell yes 5 @ 0.45 GTC post-only: fills 0, rests 0',
      'a1 ann sell yes @ 0.45: 5 incoming cancelled, post_only',
    );
    s.given('a2 ann sell yes 5 @ 0.46 post-only');
  });

  it('is cancelled for the self-trade where an own order stops the walk before any share', () => {
    const s = fleetScenario().given('s1 sub buy no 5 @ 0.40');
    s.when('a1 ann buy yes 10 @ 0.60 post-only').then(
      'a1 ann limit buy yes 10 @ 0.6 GTC post-only: fills 0, rests 0',
      'a1 ann buy yes @ 0.6: 10 incoming cancelled, self_trade',
    );
  });

  it('is cancelled as post-only where it would take a share before an own order', () => {
    const s = fleetScenario().given('b1 bob buy no 1 @ 0.41', 's1 sub buy no 5 @ 0.40');
    s.when('a1 ann buy yes 10 @ 0.60 post-only').then(
      'a1 ann limit buy yes 10 @ 0.6 GTC post-only: fills 0, rests 0',
      'a1 ann buy yes @ 0.6: 10 incoming cancelled, post_only',
    );
  });

  it('that would take is cancelled before its balance and its room are looked at', () => {
    const s = toolScenario({ openOrdersPerAccount: 1, startingBalanceUnits: 10_000 });
    s.given('b1 bob buy no 1 @ 0.40', 'a0 ann buy yes 1 @ 0.10');
    s.when('a1 ann buy yes 500 @ 0.59 post-only').thenRejected('insufficient_balance');
    s.when('a1 ann buy yes 1 @ 0.59 post-only').thenRejected('limit_reached');
    s.when('a1 ann buy yes 500 @ 0.60 post-only').then(
      'a1 ann limit buy yes 500 @ 0.6 GTC post-only: fills 0, rests 0',
      'a1 ann buy yes @ 0.6: 500 incoming cancelled, post_only',
    );
  });

  it('that would take needs the shares of a sale all the same', () => {
    const s = toolScenario().given('b1 bob buy yes 2 @ 0.45');
    s.when('a1 ann sell yes 5 @ 0.45 post-only').thenRejected('insufficient_shares');
  });

  it('can be by notional', () => {
    const s = toolScenario().given('b1 bob buy no 5 @ 0.40');
    s.when('a1 ann buy yes $10 @ 0.50 post-only').then(
      'a1 ann limit buy yes 20 of $10 @ 0.5 GTC post-only: fills 0, rests 20',
    );
  });

  it('is made by a later order as any other', () => {
    const s = toolScenario().given('a1 ann buy yes 10 @ 0.60 post-only');
    s.when('b1 bob buy no 4 @ 0.40').then(
      'b1 bob limit buy no 4 @ 0.4 GTC: fills 4, rests 0',
      'mint 4 at 0.6: a1 ann buy yes cost 2.4 left 6 <- b1 bob buy no cost 1.6 left 0',
    );
  });

  for (const text of ['a1 ann market buy yes 10', 'a1 ann buy yes 10 @ 0.5 IOC', 'a1 ann buy yes 10 @ 0.5 FOK']) {
    it(`is refused: ${text}`, () => {
      toolScenario()
        .when({ ...orderFrom(text), postOnly: true })
        .thenRejected('validation_failed', 'validation failure: postOnly: is only for limit orders with GTC');
    });
  }
});
