import { RULES_VERSION } from '@paper/exchange';
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { decideAll, goldenFile, type GoldenStep } from './golden.ts';

describe('the golden corpus', () => {
  const steps = readFileSync(goldenFile(RULES_VERSION), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as GoldenStep);

  it('decides as it did when this version of the rules was made; if it must not, raise RULES_VERSION', () => {
    const decided = decideAll(steps.map((step) => step.command));
    for (const [index, step] of steps.entries()) {
      expect(JSON.stringify(decided[index]?.decision), `line ${index + 1}`).to.equal(JSON.stringify(step.decision));
    }
  });

  it('has every type of event, every reason of a cancel and every kind of fill in it', () => {
    const seen = new Set<string>();
    for (const { decision } of steps) {
      seen.add(decision.kind);
      if (decision.kind === 'rejected') seen.add(decision.code);
      if (decision.kind !== 'accepted') continue;
      for (const event of decision.events) {
        seen.add(event.type);
        if (event.type === 'OrderCancelled') seen.add(event.reason);
        if (event.type === 'OrderFilled') seen.add(event.kind);
      }
    }
    expect([...seen].sort()).to.deep.equal(EXPECTED);
  });
});

const EXPECTED = [
  'AccountApproved',
  'AccountOpened',
  'ApiKeyIssued',
  'ApiKeyRevoked',
  'MarketActivated',
  'MarketAmended',
  'MarketClosed',
  'MarketListed',
  'MarketPaused',
  'MarketResolved',
  'MarketSettled',
  'MarketVoided',
  'OrderCancelled',
  'OrderFilled',
  'OrderPlaced',
  'PositionSettled',
  'SignalRecorded',
  'SubAccountOpened',
  'WriterEpochStarted',
  'accepted',
  'account_not_found',
  'fill_limit',
  'fok_unfillable',
  'forbidden',
  'idempotency_conflict',
  'insufficient_balance',
  'insufficient_shares',
  'invalid_tick',
  'ioc_remainder',
  'kyc_required',
  'limit_reached',
  'market_already_resolved',
  'market_closed',
  'market_not_active',
  'market_not_found',
  'market_resolved',
  'merge',
  'mint',
  'no_liquidity',
  'not_authenticated',
  'primary_account_required',
  'rejected',
  'replayed',
  'self_trade',
  'transfer',
  'unchanged',
  'unknown_order',
  'user',
  'validation_failed',
];
