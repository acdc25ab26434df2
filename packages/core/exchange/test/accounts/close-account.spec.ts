import { closureView, findKeyOwner, forgottenAccounts, isOpenedBy, pendingClosings } from '@paper/exchange';
import type { Command } from '@paper/exchange/commands';
import {
  base,
  issueKey,
  keyOf,
  listMarket,
  openAccount,
  openSubAccount,
  OPERATOR,
  Scenario,
  SYSTEM,
  tradingScenario,
} from '@paper/testkit';
import { expect } from 'chai';
import { checkInvariants } from '../invariants.ts';
import { amend, mandate } from '../tool-commands.ts';

const close = (accountId = 'ann'): Command => ({ ...base(OPERATOR, 'close'), accountId, type: 'CloseAccount' });
const more = (accountId = 'ann'): Command => ({ ...base(SYSTEM), accountId, type: 'ContinueClosing' });
const forget = (accountId = 'ann'): Command => ({ ...base(OPERATOR), accountId, type: 'ForgetDisplayNames' });
const resolve: Command = {
  ...base(OPERATOR, 'resolve'),
  citationUrl: null,
  headline: null,
  marketId: 'm',
  outcome: 'yes',
  source: null,
  type: 'ResolveMarket',
};

/** ann has a sub-account with a resting order, two orders of her own, two keys, and 5 YES shares. */
const scenario = (runChunk = 400) =>
  tradingScenario({ runChunk }, checkInvariants).given(
    openSubAccount('sub'),
    issueKey('spare'),
    'a0 ann buy yes 5 @ 0.60',
    'b0 bob buy no 5 @ 0.40',
    'a1 ann buy yes 3 @ 0.50',
    'a2 ann sell yes 2 @ 0.90',
    's1 sub buy no 4 @ 0.20',
  );

describe('closing an account', () => {
  it('closes its fleet, revokes all keys, then cancels all orders, account by account', () => {
    const s = scenario();
    s.when(close()).then(
      '{"accountId":"ann","type":"AccountClosed"}',
      '{"accountId":"sub","type":"AccountClosed"}',
      '{"accountId":"ann","keyId":"ann-key","type":"ApiKeyRevoked"}',
      '{"accountId":"ann","keyId":"spare","type":"ApiKeyRevoked"}',
      '{"accountId":"sub","keyId":"sub-key","type":"ApiKeyRevoked"}',
      'a1 ann buy yes @ 0.5: 3 resting cancelled, account_closed',
      'a2 ann sell yes @ 0.9: 2 resting cancelled, account_closed',
      's1 sub buy no @ 0.2: 4 resting cancelled, account_closed',
    );
    expect(closureView(s.state, 'ann')).to.deep.equal({
      cancelledOrders: 3,
      commandId: 'close',
      isPending: false,
      revokedKeys: 3,
    });
    for (const key of ['ann-key', 'spare', 'sub-key']) expect(findKeyOwner(s.state, `${key}-hash`)).to.equal(null);
    expect(s.money('ann')).to.deep.equal({ cash: 9_997, reserved: 0 });
    expect(pendingClosings(s.state)).to.deep.equal([]);
  });

  it('goes on in bounded decisions, and is over with the last key and order', () => {
    const s = scenario(2);
    expect(
      s
        .when(close())
        .events()
        .map(({ type }) => type),
    ).to.deep.equal([
      'AccountClosed',
      'AccountClosed',
      'ApiKeyRevoked',
      'ApiKeyRevoked',
      'OrderCancelled',
      'OrderCancelled',
    ]);
    expect(pendingClosings(s.state)).to.deep.equal(['ann']);
    s.when(more()).then(
      '{"accountId":"sub","keyId":"sub-key","type":"ApiKeyRevoked"}',
      's1 sub buy no @ 0.2: 4 resting cancelled, account_closed',
    );
    expect(pendingClosings(s.state)).to.deep.equal([]);
    expect(closureView(s.state, 'ann')).to.include({ cancelledOrders: 3, revokedKeys: 3 });
    s.when(more()).thenNothing();
  });

  it('is over when a market ends the last order first', () => {
    const s = scenario(2).given(close(), { ...base(OPERATOR), keyId: 'sub-key', type: 'RevokeApiKey' });
    expect(pendingClosings(s.state)).to.deep.equal(['ann']);
    s.given(resolve);
    while (s.state.runs.size > 0) s.given({ ...base(SYSTEM), marketId: 'm', type: 'ContinueRun' });
    expect(pendingClosings(s.state)).to.deep.equal([]);
    s.when(more()).thenNothing();
  });

  it('of an account without keys and orders is over at once', () => {
    const s = tradingScenario().given({ ...base(OPERATOR), keyId: 'dan-key', type: 'RevokeApiKey' }, close('dan'));
    expect(pendingClosings(s.state)).to.deep.equal([]);
    s.when(close('dan')).thenNothing();
  });

  it('leaves positions, which settle with their market', () => {
    const s = scenario().given(close(), resolve, { ...base(SYSTEM), marketId: 'm', type: 'ContinueRun' });
    expect(s.holds('ann')).to.equal('nothing');
    expect(s.money('ann')).to.deep.equal({ cash: 10_002, reserved: 0 });
  });

  it('again changes nothing, also while it is at work', () => {
    const s = scenario(1).given(close());
    s.when(close()).thenNothing();
    while (pendingClosings(s.state).length > 0) s.given(more());
    s.when(close()).thenNothing();
  });

  it('refuses all that a key does which is still live, and further keys by the operator', () => {
    const s = scenario(1).given(close());
    expect(pendingClosings(s.state)).to.deep.equal(['ann']);
    const by = keyOf('sub');
    const refused: (Command | string)[] = [
      'x1 sub buy yes 1 @ 0.5',
      { ...base(by), orderId: 's1', type: 'CancelOrder' },
      { ...base(by), seconds: 60, type: 'SetDeadManSwitch' },
      { ...base(by), marketId: 'm', quantity: null, type: 'MergeShares' },
      openSubAccount('sub2', { by: keyOf('ann', 'spare') }),
      issueKey('other', { by: OPERATOR }),
      issueKey('other', { accountId: 'sub', by: OPERATOR }),
    ];
    for (const command of refused) s.when(command).thenRejected('forbidden');
    s.when('x2 ann buy yes 1 @ 0.5').thenRejected('not_authenticated');
    s.given('b9 bob buy yes 1 @ 0.1');
  });

  it('is the operator’s, of a primary account that exists', () => {
    const s = scenario();
    s.when({ ...close(), by: SYSTEM }).thenRejected('forbidden');
    s.when({ ...more(), by: OPERATOR }).thenRejected('forbidden');
    s.when(close('nobody')).thenRejected('account_not_found');
    s.when(close('sub')).thenRejected('validation_failed', /^validation failure: id: is of a sub-account/);
  });
});

describe('closing a sub-account', () => {
  const byAnn = (accountId = 'sub'): Command => ({
    ...base(keyOf('ann'), 'close-sub'),
    accountId,
    type: 'CloseAccount',
  });
  const moreOfSub = more('sub');

  it('revokes its keys and cancels its orders, and leaves the rest of the fleet', () => {
    const s = scenario();
    s.when(byAnn()).then(
      '{"accountId":"sub","type":"AccountClosed"}',
      '{"accountId":"sub","keyId":"sub-key","type":"ApiKeyRevoked"}',
      's1 sub buy no @ 0.2: 4 resting cancelled, account_closed',
    );
    expect(closureView(s.state, 'sub')).to.deep.equal({
      cancelledOrders: 1,
      commandId: 'close-sub',
      isPending: false,
      revokedKeys: 1,
    });
    expect(closureView(s.state, 'ann')).to.equal(null);
    expect(s.money('sub')).to.deep.equal({ cash: 10_000, reserved: 0 });
    s.given('a3 ann buy yes 1 @ 0.10');
  });

  it('goes on in bounded decisions, in which its orders can no longer be changed', () => {
    const s = scenario(1).given('s2 sub buy no 2 @ 0.10', byAnn());
    expect(pendingClosings(s.state)).to.deep.equal(['sub']);
    s.when(amend('s2', { quantity: 1 })).thenRejected('forbidden', /^The account is closed/);
    s.when(moreOfSub).then('s2 sub buy no @ 0.1: 2 resting cancelled, account_closed');
    expect(pendingClosings(s.state)).to.deep.equal([]);
    s.when(moreOfSub).thenNothing();
  });

  it('again changes nothing, also while it is at work', () => {
    const s = scenario(1).given('s2 sub buy no 2 @ 0.10', byAnn());
    s.when(byAnn()).thenNothing();
    s.given(moreOfSub);
    s.when(byAnn()).thenNothing();
  });

  it('takes no orders and no keys from then on, and counts among the sub-accounts', () => {
    const s = new Scenario({ subAccountsPerPrimary: 1 }, checkInvariants).given(
      openAccount('ann'),
      listMarket('m'),
      openSubAccount('sub'),
      byAnn(),
    );
    s.when('x1 ann buy yes 1 @ 0.50 for sub').thenRejected('forbidden', /^The account is closed/);
    s.when(issueKey('other', { accountId: 'sub' })).thenRejected('forbidden', /^The account is closed/);
    s.when(issueKey('other', { accountId: 'sub', by: OPERATOR })).thenRejected('forbidden');
    s.when(openSubAccount('sub2')).thenRejected('limit_reached');
  });

  it('leaves its positions, which settle with their market', () => {
    const s = scenario().given('s3 sub buy yes 2 @ 0.90', 'b1 bob buy no 2 @ 0.10', byAnn());
    s.given(resolve, { ...base(SYSTEM), marketId: 'm', type: 'ContinueRun' });
    expect(s.holds('sub')).to.equal('nothing');
  });

  it('is followed by the closing of its primary, which names it no more', () => {
    const s = scenario(1).given('s2 sub buy no 2 @ 0.10', byAnn());
    s.when(close()).then(
      '{"accountId":"ann","type":"AccountClosed"}',
      '{"accountId":"ann","keyId":"ann-key","type":"ApiKeyRevoked"}',
      'a1 ann buy yes @ 0.5: 3 resting cancelled, account_closed',
    );
    expect(pendingClosings(s.state)).to.deep.equal(['sub', 'ann']);
    while (pendingClosings(s.state).includes('ann')) s.given(more());
    expect(pendingClosings(s.state)).to.deep.equal([]);
    expect(closureView(s.state, 'sub')).to.include({ cancelledOrders: 2, revokedKeys: 1 });
    expect(closureView(s.state, 'ann')).to.include({ cancelledOrders: 3, revokedKeys: 2 });
    s.given(forget());
    expect(forgottenAccounts(s.state)).to.deep.equal(['ann', 'sub']);
  });

  it('is of a master key without a mandate, for an own sub-account', () => {
    const s = scenario().given(
      openSubAccount('bobs', { by: keyOf('bob') }),
      issueKey('trader', { permissions: ['view', 'trade'] }),
      issueKey('limited'),
      mandate('limited', { maxShares: 5 }),
    );
    for (const id of ['ann', 'bob', 'bobs', 'nobody']) s.when(byAnn(id)).thenRejected('account_not_found');
    s.when({ ...byAnn(), by: keyOf('bob') }).thenRejected('account_not_found');
    s.when({ ...byAnn(), by: keyOf('sub') }).thenRejected('primary_account_required');
    for (const key of ['trader', 'limited']) s.when({ ...byAnn(), by: keyOf('ann', key) }).thenRejected('forbidden');
  });

  it('came with rules version 6', () => {
    const s = new Scenario({}, checkInvariants, 5).given(openAccount('ann'), openSubAccount('sub'));
    s.when(byAnn()).thenRejected('forbidden');
  });
});

describe('forgetting display names', () => {
  it('names each account of a closed fleet, once', () => {
    const s = scenario();
    s.when(forget()).thenRejected(
      'validation_failed',
      /^validation failure: id: must be of an account that was closed/,
    );
    s.given(close());
    s.when(forget()).then(
      '{"accountId":"ann","type":"DisplayNameForgotten"}',
      '{"accountId":"sub","type":"DisplayNameForgotten"}',
    );
    expect(forgottenAccounts(s.state)).to.deep.equal(['ann', 'sub']);
    s.when(forget()).thenNothing();
  });

  it('is the operator’s, of a primary account that exists', () => {
    const s = scenario().given(close());
    for (const by of [keyOf('bob'), SYSTEM]) s.when({ ...forget(), by }).thenRejected('forbidden');
    s.when(forget('nobody')).thenRejected('account_not_found');
    s.when(forget('sub')).thenRejected('validation_failed', /^validation failure: id: is of a sub-account/);
  });
});

describe('the operator that opened an account', () => {
  it('is remembered of a primary, also for its sub-accounts', () => {
    const s = tradingScenario().given(
      openAccount('eve', { by: { kind: 'operator', name: 'portal' } }),
      openSubAccount('eves', { by: keyOf('eve') }),
      listMarket('n'),
    );
    const opened = ['eve', 'eves', 'ann'].map((id) => isOpenedBy(s.state, id, 'portal'));
    expect(opened).to.deep.equal([true, true, false]);
    expect(isOpenedBy(s.state, 'nobody', 'portal')).to.equal(null);
  });
});
