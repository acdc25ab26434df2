import { accountView, findKeyOwner } from '@paper/exchange';
import type { CommandOf } from '@paper/exchange/commands';
import type { Permission } from '@paper/exchange/vocabulary';
import {
  base,
  issueKey,
  keyOf,
  openAccount,
  openSubAccount,
  OPERATOR,
  Scenario,
  SCENARIO_AT,
  SYSTEM,
} from '@paper/testkit';
import { expect } from 'chai';
import { checkInvariants } from '../invariants.ts';

const at = SCENARIO_AT;
const revoke = (keyId: string, by = keyOf('ann')): CommandOf<'RevokeApiKey'> => ({
  ...base(by),
  type: 'RevokeApiKey',
  keyId,
});
/** ann and bob are primaries; ann's keys: all, and `ann-<permission>` with one each. */
const scenario = (settings = {}) =>
  new Scenario(settings, checkInvariants).given(openAccount('ann'), openAccount('bob'));

describe('opening an account', () => {
  it('by the operator, with its first key', () => {
    new Scenario()
      .when(openAccount('ann', { permissions: ['trade', 'view', 'trade'], startingBalanceUnits: 15_000 }))
      .thenEvents([
        {
          accountId: 'ann',
          at,
          nameDigest: 'd1'.repeat(32),
          startingBalanceUnits: 15_000,
          type: 'AccountOpened',
        },
        {
          accountId: 'ann',
          at,
          keyHash: 'ann-hash',
          keyId: 'ann-key',
          last4: 'last',
          name: 'default',
          permissions: ['view', 'trade'],
          type: 'ApiKeyIssued',
        },
      ]);
  });

  it('is refused where an account has the id already', () => {
    new Scenario()
      .given(openAccount('ann'))
      .when({ ...openAccount('ann'), id: 'another-command' })
      .thenRejected('idempotency_conflict', /has this id already/);
  });

  it('starts with the epoch’s balance where none is given', () => {
    const s = new Scenario({ startingBalanceUnits: 20_000 }).given(openAccount('ann'));
    expect(accountView(s.state, 'ann')).to.deep.equal({
      accountId: 'ann',
      approved: false,
      cashUnits: 20_000,
      createdAt: at,
      primaryAccountId: null,
      reservedUnits: 0,
      startingBalanceUnits: 20_000,
    });
    expect(accountView(s.state, 'bob')).to.equal(null);
  });

  it('has only the digest of a display name, and accepts nothing else for one', () => {
    const s = new Scenario();
    for (const nameDigest of ['', 'ann', 'D1'.repeat(32), 'd1'.repeat(31), 'd1'.repeat(33)]) {
      s.when(openAccount('ann', { nameDigest })).thenRejected('validation_failed', /^validation failure: nameDigest: /);
    }
  });

  it('refuses a starting balance outside $1 to $10,000,000', () => {
    for (const startingBalanceUnits of [9_999, 100_000_000_001, Number.NaN, 10_000.5]) {
      new Scenario()
        .when(openAccount('ann', { startingBalanceUnits }))
        .thenRejected('validation_failed', /^validation failure: startingBalance: /);
    }
  });

  it('is the operator’s alone', () => {
    const s = scenario();
    for (const by of [keyOf('ann'), SYSTEM]) s.when(openAccount('eve', { by })).thenRejected('forbidden');
  });

  it('ends where all money ever granted would leave the safe integers', () => {
    const s = new Scenario().given(openAccount('ann'));
    s.state.grantedUnits = Number.MAX_SAFE_INTEGER - 20_000;
    s.when(openAccount('eve', { startingBalanceUnits: 20_001 })).thenRejected('limit_reached');
    s.when(openSubAccount('sub')).thenRejected('limit_reached');
    expect(s.when(openAccount('eve', { startingBalanceUnits: 20_000 })).decision.kind).to.equal('accepted');
  });
});

describe('opening a sub-account', () => {
  it('by the primary’s master key, with a balance and a first key of its own', () => {
    scenario()
      .when(openSubAccount('sub'))
      .thenEvents([
        {
          accountId: 'sub',
          at,
          nameDigest: 'd1'.repeat(32),
          permissions: ['view', 'trade'],
          primaryAccountId: 'ann',
          startingBalanceUnits: 100_000_000,
          type: 'SubAccountOpened',
        },
        {
          accountId: 'sub',
          at,
          keyHash: 'sub-hash',
          keyId: 'sub-key',
          last4: 'last',
          name: 'default',
          permissions: ['view', 'trade'],
          type: 'ApiKeyIssued',
        },
      ]);
  });

  const defaults: readonly (readonly [maker: readonly Permission[], given: readonly Permission[]])[] = [
    [['master'], []],
    [['master', 'view'], ['view']],
    [
      ['master', 'trade'],
      ['view', 'trade'],
    ],
    [
      ['master', 'reconcile', 'view', 'trade'],
      ['view', 'trade'],
    ],
  ];
  for (const [maker, given] of defaults) {
    it(`gives [${given.join()}] by default when its maker has [${maker.join()}]`, () => {
      const s = scenario().given(issueKey('maker', { permissions: maker }));
      const [opened] = s.when(openSubAccount('sub', { by: keyOf('ann', 'maker') })).events();
      expect(opened).to.deep.include({ permissions: given });
    });
  }

  it('gives what is asked for, within the maker’s rights; [] too', () => {
    const s = scenario().given(issueKey('maker', { permissions: ['master', 'trade'] }));
    const by = keyOf('ann', 'maker');
    const [none] = s.when(openSubAccount('s1', { by, permissions: [] })).events();
    expect(none).to.deep.include({ permissions: [] });
    s.given(openSubAccount('s2', { by, permissions: ['view'] }));
    s.when(openSubAccount('s3', { by, permissions: ['reconcile'] })).thenRejected('forbidden', 'Forbidden');
    s.when(openSubAccount('s3', { by, permissions: ['master'] })).thenRejected('validation_failed', /permissions/);
  });

  it('is refused to a sub-account before anything is said about its rights', () => {
    const s = scenario().given(openSubAccount('sub', { permissions: [] }));
    s.when(openSubAccount('s2', { by: keyOf('sub') })).thenRejected(
      'primary_account_required',
      /^Switch to your primary account/,
    );
  });

  it('takes master; trade is not enough', () => {
    const s = scenario().given(issueKey('maker', { permissions: ['view', 'trade', 'reconcile'] }));
    s.when(openSubAccount('sub', { by: keyOf('ann', 'maker') })).thenRejected('forbidden', 'Forbidden');
    s.when(openSubAccount('sub', { by: OPERATOR })).thenRejected('not_authenticated', 'Not authenticated');
  });

  it('looks at the form before the maker’s limits', () => {
    const s = scenario({ subAccountsPerPrimary: 1 }).given(openSubAccount('s1'));
    s.when(openSubAccount('s2', { nameDigest: 'x' })).thenRejected('validation_failed');
    s.when(openSubAccount('s2')).thenRejected('limit_reached', /1 sub-accounts/);
    s.given(openSubAccount('s2', { by: keyOf('bob') }));
  });
});

describe('issuing a key', () => {
  it('by a primary for itself or a sub-account', () => {
    const s = scenario().given(openSubAccount('sub'));
    s.when(issueKey('k1', { accountId: 'sub', permissions: ['trade', 'view'] })).thenEvents([
      {
        accountId: 'sub',
        at,
        keyHash: 'k1-hash',
        keyId: 'k1',
        last4: 'last',
        name: 'a key',
        permissions: ['view', 'trade'],
        type: 'ApiKeyIssued',
      },
    ]);
    s.given(issueKey('k2', { permissions: ['master'] }));
    expect(findKeyOwner(s.state, 'k1-hash')).to.deep.equal({
      accountId: 'sub',
      awaitsApproval: false,
      hasMandate: false,
      keyId: 'k1',
      permissions: ['view', 'trade'],
      primaryAccountId: 'ann',
    });
    expect(findKeyOwner(s.state, 'k2-hash')?.primaryAccountId).to.equal(null);
  });

  it('finds no other account than those of the fleet', () => {
    const s = scenario().given(openSubAccount('sub', { by: keyOf('bob') }));
    for (const accountId of ['bob', 'sub', 'nobody']) {
      s.when(issueKey('k', { accountId })).thenRejected('account_not_found');
    }
  });

  it('above its maker’s rights is refused; view comes with trade', () => {
    const s = scenario().given(issueKey('maker', { permissions: ['master', 'trade'] }));
    const by = keyOf('ann', 'maker');
    s.when(issueKey('k', { by, permissions: ['trade', 'reconcile'] })).thenRejected('forbidden', 'Forbidden');
    s.given(issueKey('k', { by, permissions: ['view', 'trade', 'master'] }));
  });

  it('never gives a sub-account master, not by the operator either', () => {
    const s = scenario().given(openSubAccount('sub'));
    for (const by of [keyOf('ann'), OPERATOR]) {
      s.when(issueKey('k', { by, accountId: 'sub', permissions: ['master'] })).thenRejected(
        'validation_failed',
        /master/,
      );
    }
  });

  it('by the operator, as the way back in', () => {
    const s = scenario().given(revoke('ann-key'), issueKey('k', { by: OPERATOR, permissions: ['master'] }));
    expect(findKeyOwner(s.state, 'k-hash')?.accountId).to.equal('ann');
    s.when(issueKey('k2', { by: OPERATOR, accountId: 'nobody' })).thenRejected('account_not_found');
  });

  it('has a name of 1 to 40 characters and at least one permission', () => {
    const s = scenario();
    for (const name of ['', 'x'.repeat(41)]) s.when(issueKey('k', { name })).thenRejected('validation_failed', /name/);
    s.when(issueKey('k', { permissions: [] })).thenRejected('validation_failed', /permissions/);
    s.given(issueKey('k', { name: '𝒜'.repeat(40) }));
  });

  it('ends at the limit of live keys; a revoked one makes room', () => {
    const s = scenario({ liveKeysPerAccount: 2 }).given(issueKey('k1'));
    s.when(issueKey('k2')).thenRejected('limit_reached', /2 live keys/);
    s.given(revoke('k1'), issueKey('k2'));
  });

  it('is refused to a sub-account and to those without master', () => {
    const s = scenario().given(openSubAccount('sub'), issueKey('trader', { permissions: ['trade'] }));
    s.when(issueKey('k', { by: keyOf('sub') })).thenRejected('primary_account_required');
    s.when(issueKey('k', { by: keyOf('ann', 'trader') })).thenRejected('forbidden');
    s.when(issueKey('k', { by: SYSTEM })).thenRejected('not_authenticated');
  });
});

describe('revoking a key', () => {
  it('ends it at once', () => {
    const s = scenario().given(issueKey('k1'));
    s.when(revoke('k1')).thenEvents([{ accountId: 'ann', at, keyId: 'k1', type: 'ApiKeyRevoked' }]);
    expect(findKeyOwner(s.state, 'k1-hash')).to.equal(null);
    s.when(openSubAccount('sub', { by: keyOf('ann', 'k1') })).thenRejected('not_authenticated');
  });

  it('of a sub-account is the primary’s to do, and again changes nothing', () => {
    const s = scenario().given(openSubAccount('sub'), revoke('sub-key'));
    s.when(revoke('sub-key')).thenNothing();
  });

  it('is refused for another fleet’s; of one that is not known the read model tells', () => {
    const s = scenario();
    s.when(revoke('bob-key')).thenRejected('forbidden', 'Forbidden');
    s.when(revoke('no-such-key')).thenNothing('unknown_key');
  });
});

describe('approving an account', () => {
  const approve = (accountId: string, by = OPERATOR as Parameters<typeof base>[0]) =>
    ({ ...base(by), type: 'ApproveAccount', accountId }) as const;

  it('happens once, by the operator', () => {
    const s = scenario();
    s.when(approve('ann')).thenEvents([{ accountId: 'ann', at, type: 'AccountApproved' }]);
    s.when(approve('ann')).thenNothing();
    s.when(approve('nobody')).thenRejected('account_not_found');
    s.when(approve('bob', keyOf('bob'))).thenRejected('forbidden');
  });
});
