import { DEFAULT_SETTINGS } from '@paper/exchange/commands';
import { expect } from 'chai';

describe('the default settings', () => {
  it('are the limits that the rules and the API promise: another one is a change of the rules', () => {
    const dayMs = 86_400_000;
    expect(DEFAULT_SETTINGS).to.deep.equal({
      complianceMode: 'paper',
      fillsPerCommand: 500,
      idempotencyEntries: 2_000_000,
      idempotencyWindowMs: dayMs,
      liveKeysPerAccount: 20,
      openOrdersPerAccount: 1_000,
      revokedKeyWindowMs: dayMs,
      revokedKeysPerAccount: 200,
      runChunk: 400,
      startingBalanceUnits: 100_000_000,
      subAccountsPerPrimary: 50,
    });
  });
});
