import { marketView } from '@paper/exchange';
import type { CommandOf } from '@paper/exchange/commands';
import { base, keyOf, listMarket, OPERATOR, SCENARIO_AT, startEpoch } from '@paper/testkit';
import { expect } from 'chai';
import { fleetScenario, keyed, later, mandate, market, merge } from '../tool-commands.ts';

/** ann holds 10 yes at a cost of $5.5 and 6 no at a cost of $2.4. */
const scenario = () =>
  fleetScenario().given(
    'b1 bob buy no 10 @ 0.45',
    'a1 ann buy yes 10 @ 0.55',
    'c1 cy buy yes 6 @ 0.60',
    'a2 ann buy no 6 @ 0.40',
  );
const resolve: CommandOf<'ResolveMarket'> = {
  ...base(OPERATOR),
  type: 'ResolveMarket',
  citationUrl: null,
  headline: null,
  marketId: 'm',
  outcome: 'yes',
  source: null,
};

describe('merging shares', () => {
  it('turns pairs into $1 each; the cost falls pro rata on both sides', () => {
    const s = scenario();
    expect(s.money('ann').cash).to.equal(9_992.1);
    s.when(merge(4)).then('ann merges 4, cost yes 2.2 no 1.6, cash 9996.1');
    expect(s.holds('ann')).to.equal('yes 6 cost 3.3, no 2 cost 0.8');
    expect(s.money('ann').cash).to.equal(9_996.1);
  });

  it('rounds the cost that leaves down', () => {
    const s = fleetScenario().given(
      'b1 bob buy no 3 @ 0.4999',
      'c0 cy buy no 4 @ 0.50',
      'a1 ann buy yes 7 @ 0.5001',
      'c1 cy buy yes 3 @ 0.60',
      'a2 ann buy no 3 @ 0.40',
    );
    expect(s.holds('ann')).to.equal('yes 7 cost 3.5003, no 3 cost 1.2');
    s.when(merge(3)).then('ann merges 3, cost yes 1.5001 no 1.2, cash 9998.2997');
    expect(s.holds('ann')).to.equal('yes 4 cost 2.0002');
  });

  it('lowers the open interest, and is no trade', () => {
    const s = scenario();
    const before = marketView(s.state, 'm');
    s.given(merge(4));
    expect(before).to.include({ lastTradeUnits: 6_000, openInterest: 16, volume: 16 });
    expect(marketView(s.state, 'm')).to.include({ lastTradeUnits: 6_000, openInterest: 12, volume: 16 });
  });

  it('merges all pairs where no quantity is given, and then has nothing to do', () => {
    const s = scenario();
    s.when(merge(null)).then('ann merges 6, cost yes 3.3 no 2.4, cash 9998.1');
    expect(s.holds('ann')).to.equal('yes 4 cost 2.2');
    s.when(merge(null)).thenNothing();
    s.when(merge(null, keyOf('dan'))).thenNothing();
  });

  it('is whole in its event', () => {
    scenario()
      .when(later(1, merge(4)))
      .thenEvents([
        {
          accountId: 'ann',
          at: SCENARIO_AT + 1,
          cashUnits: 99_961_000,
          marketId: 'm',
          noCostUnits: 16_000,
          quantity: 4,
          type: 'SharesMerged',
          yesCostUnits: 22_000,
        },
      ]);
  });

  it('takes free shares alone', () => {
    const s = scenario().given('a3 ann sell no 4 @ 0.90', 'a4 ann sell yes 9 @ 0.99');
    s.when(merge(2)).thenRejected(
      'insufficient_shares',
      'Insufficient shares: 1 pairs of free YES and NO shares can be merged, not 2.',
    );
    s.when(merge(null)).then('ann merges 1, cost yes 0.55 no 0.4, cash 9993.1');
  });

  it('is refused for more than there is', () => {
    scenario().when(merge(7)).thenRejected('insufficient_shares');
    scenario()
      .when(merge(1, keyOf('dan')))
      .thenRejected('insufficient_shares');
  });

  for (const quantity of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    it(`is refused for ${quantity} pairs`, () => {
      scenario()
        .when(merge(quantity))
        .thenRejected('validation_failed', 'validation failure: quantity: must be a whole number from 1');
    });
  }

  it('takes shares of the same account only', () => {
    const s = fleetScenario().given(
      'b1 bob buy no 10 @ 0.45',
      'a1 ann buy yes 10 @ 0.55',
      'c1 cy buy yes 6 @ 0.60',
      's1 sub buy no 6 @ 0.40',
    );
    s.when(merge(1)).thenRejected('insufficient_shares');
  });

  it('works in any phase before the settlement', () => {
    scenario().given(market('PauseMarket'), merge(1));
    scenario().given(market('CloseMarket'), merge(1));
    scenario().given(later(2_000_000, merge(1)));
    scenario()
      .given(listMarket('n', { phase: 'scheduled' }))
      .when(merge(null, keyOf('ann'), 'n'))
      .thenNothing();
  });

  it('is refused once the market is resolved', () => {
    const s = scenario().given(resolve);
    s.when(merge(1)).thenRejected('market_already_resolved');
    s.given({ ...base({ kind: 'system' }), type: 'ContinueRun', marketId: 'm' });
    s.when(merge(null)).thenRejected('market_already_resolved');
  });

  it('is refused in an unknown market', () => {
    scenario()
      .when(merge(null, keyOf('ann'), 'none'))
      .thenRejected('market_not_found');
  });

  it('is for those who may trade', () => {
    scenario()
      .when(merge(1, keyOf('ann', 'viewer')))
      .thenRejected('forbidden');
    scenario()
      .when(merge(1, keyOf('ann', 'no-such-key')))
      .thenRejected('not_authenticated');
    scenario().when(merge(1, OPERATOR)).thenRejected('not_authenticated');
  });

  it('is not forbidden by a mandate', () => {
    scenario()
      .given(mandate('trader', { marketIds: [], maxOrderCostUnits: 0, maxShares: 0, reduceOnly: true }))
      .given(merge(1, keyOf('ann', 'trader')));
  });

  it('works for an account that awaits approval', () => {
    scenario().given(startEpoch({ complianceMode: 'kyc' }), merge(1));
  });

  it('replays with its Idempotency-Key, also when the market has ended', () => {
    const command = keyed('k', merge(6));
    const s = scenario().given(command);
    s.when(command).thenNothing('replayed');
    s.given(resolve).when(command).thenNothing('replayed');
  });

  it('leaves the settlement what is left', () => {
    const s = scenario().given(merge(4), { ...resolve });
    s.when({ ...base({ kind: 'system' }), type: 'ContinueRun', marketId: 'm' }).then(
      'bob settles no 10, cost 4.5, paid 0',
      'ann settles yes 6, cost 3.3, paid 6',
      'ann settles no 2, cost 0.8, paid 0',
      'cy settles yes 6, cost 3.6, paid 6',
      'market settled: 0 orders cancelled, 3 accounts, paid 12',
    );
  });
});
