import { marketView, pendingRuns, unfinishedRun } from '@paper/exchange';
import type { Command, CommandOf } from '@paper/exchange/commands';
import type { Outcome } from '@paper/exchange/vocabulary';
import { base, keyOf, listMarket, OPERATOR, SCENARIO_AT, SYSTEM, tradingScenario } from '@paper/testkit';
import { expect } from 'chai';
import { checkInvariants } from '../invariants.ts';

const at = SCENARIO_AT;
const close: Command = { ...base(OPERATOR, 'close'), type: 'CloseMarket', marketId: 'm' };
const more: Command = { ...base(SYSTEM), type: 'ContinueRun', marketId: 'm' };
const resolve = (outcome: Outcome, id = 'resolve'): CommandOf<'ResolveMarket'> => ({
  ...base(OPERATOR, id),
  type: 'ResolveMarket',
  citationUrl: null,
  headline: 'it happened',
  marketId: 'm',
  outcome,
  source: 'court',
});
const voided = (priceUnits: number | null): CommandOf<'VoidMarket'> => ({
  ...base(OPERATOR, 'void'),
  type: 'VoidMarket',
  marketId: 'm',
  priceUnits,
  reason: 'unclear',
});

/**
 * The market has these pairs: ann 10 YES at 0.60, bob 10 NO at 0.40, of which cy bought 4 NO at 0.30. Two bids and one
 * ask rest.
 */
const scenario = (runChunk = 2) =>
  tradingScenario({ runChunk }, checkInvariants).given(
    'd0 dan market buy yes 1',
    'a0 ann buy yes 10 @ 0.60',
    'b0 bob buy no 10 @ 0.40',
    'b1 bob sell no 4 @ 0.30',
    'c0 cy buy no 4 @ 0.30',
    'a1 ann buy yes 3 @ 0.50',
    'c1 cy buy yes 3 @ 0.50',
    'd1 dan buy no 5 @ 0.20',
  );

describe('closing a market', () => {
  it('cancels all that rests in bounded decisions: bids, then asks, best first, oldest first', () => {
    const s = scenario();
    s.when(close).then(
      '{"by":"operator","marketId":"m","type":"MarketClosed"}',
      'a1 ann buy yes @ 0.5: 3 resting cancelled, market_closed',
      'c1 cy buy yes @ 0.5: 3 resting cancelled, market_closed',
    );
    expect(unfinishedRun(s.state, 'm')).to.deep.equal({ kind: 'close', commandId: 'close' });
    expect(pendingRuns(s.state)).to.deep.equal(['m']);
    s.when(more).then('d1 dan buy no @ 0.2: 5 resting cancelled, market_closed');
    expect(unfinishedRun(s.state, 'm')).to.equal(null);
    s.when(more).thenNothing();
    expect(s.money('ann').reserved + s.money('cy').reserved + s.money('dan').reserved).to.equal(0);
  });

  it('that is still at work cannot be activated; one that is over can', () => {
    const s = scenario().given(close);
    const activate: Command = { ...base(OPERATOR), type: 'ActivateMarket', marketId: 'm' };
    s.when(activate).thenRejected('market_not_active', /is closing/);
    s.given(more, activate);
  });

  it('is over when a user cancels the last order first', () => {
    const s = scenario().given(close, { ...base(keyOf('dan')), type: 'CancelOrder', orderId: 'd1' });
    expect(pendingRuns(s.state)).to.deep.equal([]);
    s.when(more).thenNothing();
  });

  it('of an empty book is over at once', () => {
    const s = tradingScenario().given(close);
    expect(pendingRuns(s.state)).to.deep.equal([]);
  });
});

describe('resolving a market', () => {
  it('stops it, moves the pairs into the pool, cancels, settles and ends, each in bounded decisions', () => {
    const s = scenario();
    s.when(resolve('no')).then(
      '{"citationUrl":null,"headline":"it happened","marketId":"m","outcome":"no","poolUnits":100000,"source":"court","type":"MarketResolved"}',
      'a1 ann buy yes @ 0.5: 3 resting cancelled, market_resolved',
      'c1 cy buy yes @ 0.5: 3 resting cancelled, market_resolved',
    );
    expect(unfinishedRun(s.state, 'm')).to.deep.equal({ kind: 'resolve', commandId: 'resolve' });
    expect(marketView(s.state, 'm')).to.include({
      phase: 'settling',
      openInterest: 0,
      probabilityHalfUnits: 0,
      resolvedAt: at,
      resolvedOutcome: 'no',
      settlement: null,
    });
    s.when('x1 ann buy yes 1 @ 0.5').thenRejected('market_not_active');
    s.when(more).then('d1 dan buy no @ 0.2: 5 resting cancelled, market_resolved');
    s.when(more).then('ann settles yes 10, cost 6, paid 0', 'bob settles no 6, cost 2.4, paid 6');
    s.when(more).then('cy settles no 4, cost 1.2, paid 4', 'market settled: 3 orders cancelled, 3 accounts, paid 10');
    expect(marketView(s.state, 'm')).to.deep.include({
      phase: 'resolved',
      run: null,
      settlement: { cancelledOrders: 3, paidUnits: 100_000, settledAccounts: 3 },
      bestBidUnits: null,
      volume: 14,
      seq: s.state.seq,
    });
    expect(['ann', 'bob', 'cy'].map((name) => s.money(name).cash)).to.deep.equal([9_994, 10_003.2, 10_002.8]);
    s.when(more).thenNothing();
  });

  it('pays the winners exactly, $1 a share', () => {
    const s = scenario(100).given(resolve('yes'), more);
    s.when(more).thenNothing();
    expect(s.money('ann')).to.deep.equal({ cash: 10_004, reserved: 0 });
    expect(s.holds('ann')).to.equal('nothing');
  });

  it('settles both sides of one account, YES first, and counts it once, also over two decisions', () => {
    const s = tradingScenario({ runChunk: 1 }, checkInvariants).given(
      'a0 ann buy yes 5 @ 0.60',
      'b0 bob buy no 5 @ 0.40',
      'b1 bob buy yes 5 @ 0.70',
      'a1 ann buy no 5 @ 0.30',
      resolve('yes'),
    );
    s.when(more).then('ann settles yes 5, cost 3, paid 5');
    s.when(more).then('ann settles no 5, cost 1.5, paid 0');
    s.when(more).then('bob settles yes 5, cost 3.5, paid 5');
    s.when(more).then('bob settles no 5, cost 2, paid 0', 'market settled: 0 orders cancelled, 2 accounts, paid 10');
  });

  it('again with the same outcome changes nothing, while it settles and after', () => {
    const s = scenario(100).given(resolve('yes'));
    s.when(resolve('yes')).thenNothing();
    s.given(more);
    s.when(resolve('yes')).thenNothing();
  });

  it('with another outcome is refused, and so is a void', () => {
    const s = scenario(100).given(resolve('yes'));
    for (const again of [resolve('no'), voided(0), voided(10_000)]) {
      s.when(again).thenRejected('market_already_resolved');
    }
    s.given(more);
    for (const again of [resolve('no'), voided(10_000)]) s.when(again).thenRejected('market_already_resolved');
  });

  it('takes over a close that is still at work', () => {
    const s = scenario().given(close, resolve('yes'));
    expect(unfinishedRun(s.state, 'm')).to.deep.equal({ kind: 'resolve', commandId: 'resolve' });
    s.given(more);
    s.when(more).then('cy settles no 4, cost 1.2, paid 0', 'market settled: 1 orders cancelled, 3 accounts, paid 10');
  });

  it('works from every phase before, and for a market without a trade', () => {
    for (const phase of ['active', 'scheduled'] as const) {
      const s = tradingScenario().given(listMarket('n', { phase }));
      s.given({ ...resolve('yes'), marketId: 'n' });
      s.when({ ...more, marketId: 'n' }).then('market settled: 0 orders cancelled, 0 accounts, paid 0 in n');
    }
  });

  it('lets a user cancel while it is at work, and does not count that', () => {
    const s = scenario().given(resolve('yes'), { ...base(keyOf('dan')), type: 'CancelOrder', orderId: 'd1' });
    s.given(more);
    s.when(more).then('cy settles no 4, cost 1.2, paid 0', 'market settled: 2 orders cancelled, 3 accounts, paid 10');
  });
});

describe('voiding a market', () => {
  it('pays YES the given price and NO the rest', () => {
    const s = scenario(100);
    s.when(voided(2_500)).then(
      '{"marketId":"m","poolUnits":100000,"priceUnits":2500,"reason":"unclear","type":"MarketVoided"}',
      'a1 ann buy yes @ 0.5: 3 resting cancelled, market_resolved',
      'c1 cy buy yes @ 0.5: 3 resting cancelled, market_resolved',
      'd1 dan buy no @ 0.2: 5 resting cancelled, market_resolved',
    );
    expect(unfinishedRun(s.state, 'm')?.kind).to.equal('void');
    s.when(more).then(
      'ann settles yes 10, cost 6, paid 2.5',
      'bob settles no 6, cost 2.4, paid 4.5',
      'cy settles no 4, cost 1.2, paid 3',
      'market settled: 3 orders cancelled, 3 accounts, paid 10',
    );
    expect(marketView(s.state, 'm')).to.include({ phase: 'void', resolvedOutcome: null, probabilityHalfUnits: 5_000 });
  });

  it('at a mark that two one-share quotes have moved is not to be had: a void needs a price', () => {
    const s = scenario(100).given('d2 dan buy yes 1 @ 0.9', 'd3 dan buy no 1 @ 0.02');
    s.when(voided(null)).thenRejected('validation_failed', /^validation failure: price: is required/);
    s.given(voided(6_000));
    s.when(voided(null)).thenRejected('validation_failed', /^validation failure: price: is required/);
  });

  it('without a price pays, by rules 1, the probability, a half unit rounded down; again it changes nothing', () => {
    const s = tradingScenario({}, checkInvariants, 1).given('a1 ann buy yes 1 @ 0.50', 'b1 bob buy no 1 @ 0.4999');
    expect(marketView(s.state, 'm')?.probabilityHalfUnits).to.equal(10_001);
    const [event] = s.when(voided(null)).events();
    expect(event).to.include({ type: 'MarketVoided', priceUnits: 5_000 });
    s.when(voided(null)).thenNothing();
  });

  it('takes a price of 0 to 1 and no other', () => {
    for (const price of [-1, 10_001, 0.5, Number.NaN]) {
      scenario()
        .when(voided(price))
        .thenRejected('validation_failed', /^validation failure: price: /);
    }
    for (const price of [0, 10_000]) scenario().given(voided(price));
  });

  it('again at the same price changes nothing; at another it is refused, and so is a resolution', () => {
    const s = scenario(100).given(voided(2_500));
    s.when(voided(2_500)).thenNothing();
    for (const again of [voided(2_501), resolve('yes')]) s.when(again).thenRejected('market_already_resolved');
  });
});

describe('the probability', () => {
  const probability = (...orders: readonly string[]) =>
    marketView(tradingScenario().given(listMarket('p', { priorUnits: 3_000 }), ...orders).state, 'p')
      ?.probabilityHalfUnits;

  it('is the prior, the last trade, or the midpoint of a spread up to $0.10', () => {
    expect(probability()).to.equal(6_000);
    expect(probability('a1 ann buy yes 1 @ 0.40 in p')).to.equal(6_000);
    expect(probability('a1 ann buy yes 1 @ 0.40 in p', 'b1 bob buy no 1 @ 0.4999 in p')).to.equal(6_000);
    expect(probability('a1 ann buy yes 1 @ 0.40 in p', 'b1 bob buy no 1 @ 0.50 in p')).to.equal(9_000);
    expect(probability('a1 ann buy yes 1 @ 0.40 in p', 'b1 bob buy no 1 @ 0.60 in p')).to.equal(8_000);
  });
});

describe('a run', () => {
  it('is the system’s to continue', () => {
    scenario()
      .given(close)
      .when({ ...more, by: OPERATOR })
      .thenRejected('forbidden');
  });

  it('keeps its decisions within its bound', () => {
    const s = tradingScenario({ runChunk: 7 });
    for (let i = 0; i < 40; i++) s.given(`a${i} ann buy yes 1 @ 0.${10 + i}`, `b${i} bob buy no 1 @ 0.${10 + i}`);
    s.when(resolve('yes'));
    let decisions = 1;
    while (pendingRuns(s.state).length > 0) {
      expect(s.when(more).events().length).to.be.at.most(8);
      decisions += 1;
    }
    expect(decisions).to.equal(Math.ceil(80 / 7) + 1);
  });
});
