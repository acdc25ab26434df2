import { expect } from 'chai';
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
  [/^CancelOrder rejected forbidden$/, 100],
  [/^CancelOrder unknown_order$/, 100],
  [/^OpenSubAccount rejected primary_account_required$/, 10],
  [/^OpenSubAccount rejected limit_reached$/, 10],
  [/^IssueApiKey rejected limit_reached$/, 5],
  [/^IssueApiKey rejected account_not_found$/, 10],
  [/^RevokeApiKey unchanged$/, 10],
  [/^(OpenAccount|OpenSubAccount|IssueApiKey|ListMarket|VoidMarket) rejected validation_failed$/, 100],
  [/^ListMarket rejected idempotency_conflict$/, 10],
  [/^(Resolve|Void)Market rejected market_already_resolved$/, 10],
  [/^RecordSignal unchanged$/, 10],
  [/^ContinueRun accepted$/, 500],
  [/^event MarketAmended$/, 100],
  [/^event MarketPaused$/, 100],
  [/^event MarketClosed$/, 100],
  [/^event MarketResolved$/, 100],
  [/^event MarketVoided$/, 100],
  [/^event PositionSettled$/, 500],
  [/^event MarketSettled$/, 100],
];

describe('the exchange against its naive twin', () => {
  const only = process.env['SEED'];
  if (only !== undefined) {
    it(`agrees in seed ${only}`, () => judgedRun(process.env['PROFILE'] ?? 'small', Number(only), 1));
    return;
  }

  const met = new Map<string, number>();
  let commands = 0;
  for (const [name, profile] of Object.entries(PROFILES)) {
    it(`agrees, and every invariant holds, in ${profile.seeds} ${name} runs`, function () {
      this.timeout(300_000);
      for (let seed = 1; seed <= profile.seeds; seed++) {
        for (const [what, count] of judgedRun(name, seed)) met.set(what, (met.get(what) ?? 0) + count);
        commands += profile.commands;
      }
    });
  }

  it('has met everything there is, in at least 100,000 commands', () => {
    expect(commands).to.be.at.least(100_000);
    const seldom = MUST_HAPPEN.map(([what, atLeast]) => {
      let count = 0;
      for (const [name, times] of met) if (what.test(name)) count += times;
      return { what: what.source, atLeast, count };
    }).filter(({ count, atLeast }) => count < atLeast);
    expect(seldom).to.deep.equal([]);
  });
});
