import { decide, evolve } from '@paper/exchange';
import type { State } from '@paper/exchange';
import type { Command } from '@paper/exchange/commands';
import { Restoration, snapshot } from '@paper/exchange/snapshot';
import { base, keyOf, listMarket, openAccount, OPERATOR, Scenario, SCENARIO_AT, startEpoch } from '@paper/testkit';
import { expect } from 'chai';

const DAY_MS = 24 * 60 * 60 * 1000;
type By = Parameters<typeof base>[0];

const issue = (keyId: string, at = 0, by: By = keyOf('ann')): Command => ({
  ...base(by),
  type: 'IssueApiKey',
  accountId: 'ann',
  at,
  keyHash: `${keyId}-hash`,
  keyId,
  last4: 'last',
  name: 'a key',
  permissions: ['view'],
});
const revoke = (keyId: string, at = 0, by: By = keyOf('ann')): Command => ({
  ...base(by),
  type: 'RevokeApiKey',
  at,
  keyId,
});
/** A command that does not concern keys. */
const happening = (id: string, at: number): Command => listMarket(id, { at, closesAt: 9 * 10 ** 12 });
const scenario = (settings = {}, rulesVersion = 2) =>
  new Scenario(settings, () => undefined, rulesVersion).given(openAccount('ann'), openAccount('bob'));

const restored = (state: State): State => {
  const restoration = new Restoration();
  for (const table of snapshot(state)) restoration.add(structuredClone(table));
  return restoration.end();
};

describe('keys that are revoked again and again', () => {
  it('no further key is issued while 200 were revoked within 24 hours, but by the operator', () => {
    const s = scenario();
    for (let n = 0; n < 200; n += 1) s.given(issue(`k${n}`), revoke(`k${n}`));
    s.when(issue('more')).thenRejected('limit_reached', /200 keys of this account were revoked within 24 hours/);
    const last = SCENARIO_AT + DAY_MS;
    s.when(issue('more', last)).thenRejected('limit_reached');
    s.given(issue('rescue', 0, OPERATOR));
    s.when(issue('more', last + 1)).events();
  });

  it('counts an account for itself, and only what is within the window', () => {
    const s = scenario({ revokedKeysPerAccount: 2, revokedKeyWindowMs: 100 });
    const t = SCENARIO_AT;
    s.given(issue('k1', t), revoke('k1', t), issue('k2', t + 50), revoke('k2', t + 50));
    s.when(issue('k3', t + 100)).thenRejected('limit_reached');
    s.when({ ...issue('b1', t + 100, keyOf('bob')), accountId: 'bob' } as Command).events();
    s.given(issue('k3', t + 101), revoke('k3', t + 101));
    s.when(issue('k4', t + 150)).thenRejected('limit_reached');
    s.given(issue('k4', t + 151));
  });

  it('the live limit binds the operator, too', () => {
    const s = scenario({ liveKeysPerAccount: 1 });
    s.when(issue('k', 0, OPERATOR)).thenRejected('limit_reached', /1 live keys/);
  });

  it('5,000 leave the state, a few with each event, and a restart from a snapshot does not bring them back', () => {
    const s = scenario({ revokedKeysPerAccount: 10_000 });
    for (let n = 0; n < 5_000; n += 1) s.given(issue(`k${n}`), revoke(`k${n}`));
    expect(s.state.keys.size).to.equal(5_002);
    const fromSnapshot = restored(s.state);
    let before = s.state.keys.size;
    for (let n = 0; n < 80; n += 1) {
      const command = happening(`m${n}`, SCENARIO_AT + DAY_MS + 1 + n);
      s.given(command);
      const decision = decide(fromSnapshot, command);
      if (decision.kind !== 'accepted') throw new Error('it was accepted before');
      decision.events.forEach((event, index) => evolve(fromSnapshot, event, index === 0 ? command : null));
      expect(before - s.state.keys.size).to.be.at.most(64);
      before = s.state.keys.size;
    }
    for (const state of [s.state, fromSnapshot, restored(s.state)]) {
      expect([...state.keys.keys()]).to.deep.equal(['ann-key', 'bob-key']);
      expect(state.accounts.get('ann')?.revokedKeys).to.deep.equal([]);
      expect([...state.revokedKeys.oldestFirst()]).to.deep.equal([]);
    }
  }).timeout(60_000);

  it('are unknown when the window has passed, whether they are still there or not', () => {
    const s = scenario().given(issue('k'), revoke('k'));
    s.when(revoke('k', SCENARIO_AT + DAY_MS)).thenNothing('unchanged');
    s.when(revoke('k', SCENARIO_AT + DAY_MS + 1)).thenNothing('unknown_key');
    s.given(happening('m', SCENARIO_AT + DAY_MS + 1));
    s.when(revoke('k')).thenNothing('unknown_key');
    s.when(revoke('k', 0, OPERATOR)).thenNothing('unknown_key');
    s.when(revoke('never')).thenNothing('unknown_key');
  });

  it('stay, and are not counted, in an epoch of rules version 1; the next of version 2 forgets them', () => {
    const s = scenario({ revokedKeysPerAccount: 1 }, 1);
    s.given(issue('k1'), revoke('k1'), issue('k2'), revoke('k2'), happening('m', SCENARIO_AT + 2 * DAY_MS));
    s.when(revoke('k1')).thenNothing('unchanged');
    s.when(revoke('never')).thenRejected('forbidden');
    s.when(revoke('k1', 0, OPERATOR)).thenRejected('not_authenticated');
    expect(s.state.keys.has('k1')).to.equal(true);
    s.given(startEpoch({}, 2), happening('m2', 0));
    expect([...s.state.keys.keys()]).to.deep.equal(['ann-key', 'bob-key']);
  });
});

describe('the operator revokes a key', () => {
  it('of anybody, once', () => {
    const s = scenario();
    s.when(revoke('bob-key', 0, OPERATOR)).thenEvents([
      { accountId: 'bob', at: SCENARIO_AT, keyId: 'bob-key', type: 'ApiKeyRevoked' },
    ]);
    s.when(revoke('bob-key', 0, OPERATOR)).thenNothing('unchanged');
  });
});

describe('the approval of a primary', () => {
  const order = 'o1 sub buy yes 1 @ 0.5';
  const fleet = (rulesVersion: number) =>
    scenario({ complianceMode: 'kyc' }, rulesVersion).given(listMarket('m'), {
      ...base(keyOf('ann')),
      type: 'OpenSubAccount',
      accountId: 'sub',
      keyHash: 'sub-hash',
      keyId: 'sub-key',
      last4: 'last',
      nameDigest: 'd1'.repeat(32),
      permissions: null,
    });
  const approve: Command = { ...base(OPERATOR), type: 'ApproveAccount', accountId: 'ann' };

  it('holds for its sub-accounts', () => {
    const s = fleet(2);
    s.when(order).thenRejected('kyc_required');
    s.given(approve, order);
  });

  it('was its own alone in epochs of rules version 1', () => {
    fleet(1).given(approve).when(order).thenRejected('kyc_required');
  });

  it('is not given by a sub-account', () => {
    const s = fleet(2).given({ ...approve, accountId: 'sub' }, order);
    s.when('o2 ann buy yes 1 @ 0.5').thenRejected('kyc_required');
  });
});
