import { expect } from 'chai';
import { IS_LONG_RUN, longTest } from '@paper/testkit';
import { judgedRun, PROFILES } from './judged-run.ts';

/** The cases that all runs together must contain, each at least this often; otherwise agreement would prove little. */
const MUST_HAPPEN: readonly (readonly [what: RegExp, atLeast: number])[] = [
  [/^fill transfer$/, 1_000],
  [/^fill mint$/, 1_000],
  [/^fill merge$/, 1_000],
  [/^fill leaves a maker partly filled$/, 1_000],
  [/^order limit GTC fills and rests$/, 500],
  [/^order by notional$/, 1_000],
  [/^cancel user$/, 1_000],
  [/^cancel ioc_remainder$/, 500],
  [/^cancel fok_unfillable$/, 500],
  [/^cancel self_trade$/, 500],
  [/^cancel no_liquidity$/, 500],
  [/^cancel fill_limit$/, 100],
  [/^cancel post_only$/, 200],
  [/^cancel expired$/, 200],
  [/^cancel dead_man_switch$/, 50],
  [/^cancel account_closed$/, 50],
  [/^cancel market_closed$/, 100],
  [/^cancel market_resolved$/, 100],
  [/^PlaceOrder replayed$/, 100],
  [/^PlaceOrder rejected idempotency_conflict$/, 100],
  [/^PlaceOrder rejected insufficient_balance$/, 500],
  [/^PlaceOrder rejected insufficient_shares$/, 500],
  [/^PlaceOrder rejected limit_reached$/, 100],
  [/^PlaceOrder rejected invalid_tick$/, 100],
  [/^PlaceOrder rejected validation_failed$/, 500],
  [/^PlaceOrder rejected market_not_active$/, 100],
  [/^PlaceOrder rejected market_not_found$/, 10],
  [/^PlaceOrder rejected not_authenticated$/, 100],
  [/^PlaceOrder rejected forbidden$/, 100],
  [/^PlaceOrder rejected kyc_required$/, 100],
  [/^PlaceOrder rejected duplicate_client_order_id$/, 200],
  [/^PlaceOrder rejected mandate_exceeded$/, 200],
  [/^order for a sub-account$/, 100],
  [/^AmendOrder rejected (validation_failed|forbidden|market_not_active|invalid_tick|mandate_exceeded)$/, 100],
  [/^AmendOrder rejected insufficient_(balance|shares)$/, 50],
  [/^AmendOrder (replayed|unchanged|unknown_order)$/, 100],
  [/^CancelOrders (accepted|unchanged|rejected forbidden)$/, 100],
  [/^MergeShares (unchanged|rejected insufficient_shares)$/, 50],
  [/^ExpireOrders (accepted|unchanged)$/, 100],
  [/^FireDeadManSwitch (accepted|unchanged)$/, 100],
  [/^SetMandate (accepted|unchanged|rejected forbidden)$/, 100],
  [/^CancelOrder rejected forbidden$/, 100],
  [/^CancelOrder unknown_order$/, 100],
  [/^OpenSubAccount rejected primary_account_required$/, 10],
  [/^OpenSubAccount rejected limit_reached$/, 10],
  [/^IssueApiKey rejected limit_reached$/, 3],
  [/^IssueApiKey rejected account_not_found$/, 10],
  [/^RevokeApiKey unchanged$/, 10],
  [/^(OpenAccount|OpenSubAccount|IssueApiKey|ListMarket|VoidMarket) rejected validation_failed$/, 100],
  [/^ListMarket rejected idempotency_conflict$/, 10],
  [/^(Resolve|Void)Market rejected market_already_resolved$/, 10],
  [/^RecordSignal unchanged$/, 10],
  [/^ContinueRun accepted$/, 500],
  [/^CloseAccount accepted$/, 50],
  [/^CloseAccount (unchanged|rejected (validation_failed|account_not_found|forbidden))$/, 10],
  [/^sub-account closed by its primary$/, 50],
  [/^RenameAccount accepted$/, 50],
  [/^RenameAccount rejected limit_reached$/, 50],
  [/^ContinueClosing accepted$/, 50],
  [/^ForgetDisplayNames accepted$/, 20],
  [/^ForgetDisplayNames (unchanged|rejected (validation_failed|account_not_found))$/, 20],
  [/^event OrderAmended$/, 200],
  [/^event OrderReplaced$/, 400],
  [/^event SharesMerged$/, 50],
  [/^event DeadManSwitchSet$/, 100],
  [/^event MandateSet$/, 50],
  [/^event AccountClosed$/, 50],
  [/^event DisplayNameForgotten$/, 20],
  [/^event MarketAmended$/, 100],
  [/^event MarketPaused$/, 100],
  [/^event MarketClosed$/, 100],
  [/^event MarketResolved$/, 100],
  [/^event MarketVoided$/, 100],
  [/^event PositionSettled$/, 500],
  [/^event MarketSettled$/, 100],
];

/** Commands of the long comparison. */
const MANY = 1_000_000;

describe('the exchange against its naive twin', () => {
  const only = process.env['SEED'];
  if (only !== undefined) {
    it(`agrees in seed ${only}`, () => judgedRun(process.env['PROFILE'] ?? 'small', Number(only), 1));
    return;
  }

  const met = new Map<string, number>();
  let commands = 0;
  for (const [name, profile] of Object.entries(PROFILES)) {
    const seeds = IS_LONG_RUN ? profile.seeds : Math.ceil(profile.seeds / 4);
    it(`agrees, and every invariant holds, in ${seeds} ${name} runs`, function () {
      this.timeout(300_000);
      for (let seed = 1; seed <= seeds; seed++) {
        for (const [what, count] of judgedRun(name, seed)) met.set(what, (met.get(what) ?? 0) + count);
        commands += profile.commands;
      }
    });
  }

  it('has met everything there is, in at least 100,000 commands', function () {
    longTest(this);
    expect(commands).to.be.at.least(100_000);
    const seldom = MUST_HAPPEN.map(([what, atLeast]) => {
      let count = 0;
      for (const [name, times] of met) if (what.test(name)) count += times;
      return { what: what.source, atLeast, count };
    }).filter(({ count, atLeast }) => count < atLeast);
    expect(seldom).to.deep.equal([]);
  });

  it('agrees in 1,000,000 further commands', function () {
    longTest(this);
    this.timeout(3_600_000);
    let left = MANY;
    for (let round = 0; left > 0; round++) {
      for (const [name, profile] of Object.entries(PROFILES)) {
        judgedRun(name, profile.seeds + 1 + round);
        left -= profile.commands;
      }
    }
  });
});
