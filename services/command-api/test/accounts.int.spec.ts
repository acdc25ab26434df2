import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { httpHarness } from './http-harness.ts';
import type { HttpHarness, Reply } from './http-harness.ts';

interface KeyAnswer {
  readonly id: string;
  readonly rawKey?: string;
  readonly last4: string;
  readonly permissions: readonly string[];
  readonly name: string;
  readonly createdAt: string;
  readonly revokedAt: string | null;
}
const keyIn = (reply: Reply) => (reply.body as unknown as { apiKey: KeyAnswer }).apiKey;
const codeIn = (reply: Reply) => [reply.status, reply.body['code']];

describe('accounts over HTTP', () => {
  let harness: HttpHarness;
  let master: string;

  before(async () => {
    harness = await httpHarness();
    master = keyIn(await harness.operate('POST', '/api/operator/accounts', { displayName: 'Ada' })).rawKey ?? '';
  });
  after(() => harness.close());

  const create = (body: unknown, key = master, idempotencyKey?: string) =>
    harness.call('POST', '/api/accounts/sub', {
      body,
      key,
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    });

  it('creates a sub-account with its first key, which is stored as a hash only', async () => {
    const reply = await create({ displayName: 'fleet one' });
    const { subAccount, apiKey } = reply.body as unknown as { subAccount: Record<string, unknown>; apiKey: KeyAnswer };
    expect(apiKey.rawKey).to.match(/^svc_live_[A-Za-z0-9_-]{43}$/);
    expect(apiKey.last4).to.equal(apiKey.rawKey?.slice(-4));
    const { rawKey, ...listed } = apiKey;
    expect(listed).to.deep.include({ name: 'default', permissions: ['view', 'trade'], revokedAt: null });
    expect(subAccount).to.deep.equal({
      cash: 10_000,
      createdAt: apiKey.createdAt,
      displayName: 'fleet one',
      id: subAccount['id'],
      keys: [listed],
      permissions: ['view', 'trade'],
      pnl: 0,
      portfolioValue: 10_000,
    });
    const stored = harness.log.events.map((event) => event.publicText + (event.privateText ?? '')).join();
    expect(stored.includes(rawKey ?? 'no key')).to.equal(false);
    expect(
      stored.includes(
        createHash('sha256')
          .update(rawKey ?? '')
          .digest('hex'),
      ),
    ).to.equal(true);
  });

  it('answers the first creation again without the raw key', async () => {
    const first = await create({ displayName: 'once' }, master, 'k');
    const again = await create({ displayName: 'once' }, master, 'k');
    const { rawKey, ...apiKey } = keyIn(first);
    expect(rawKey).to.be.a('string');
    expect(again.body).to.deep.equal({ ...first.body, apiKey });
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
  });

  it("refuses display names like the exchange's own, and stores none", async () => {
    const before = harness.log.events.length;
    for (const displayName of ['House maker', 'Demo Boris', 'Operator', 'Нouse', 'DEМO', 'SYSТEM', 'Admins']) {
      const refused = await create({ displayName });
      expect(codeIn(refused), displayName).to.deep.equal([400, 'validation_failed']);
      expect(refused.body['error']).to.match(/^validation failure: displayName: reads like "/);
    }
    expect(harness.log.events.length).to.equal(before);
  });

  it('makes further keys, each permission once and in one order', async () => {
    const sub = await create({ displayName: 'fleet two' });
    const { subAccount } = sub.body as unknown as { subAccount: { id: string } };
    const path = `/api/accounts/sub/${subAccount.id}/keys`;
    const made = await harness.call('POST', path, {
      body: { name: 'reader', permissions: ['trade', 'view', 'trade'] },
      key: master,
    });
    expect(keyIn(made)).to.deep.include({ name: 'reader', permissions: ['view', 'trade'] });
    const asked = await harness.call('POST', path, { body: { name: 'x', permissions: ['master'] }, key: master });
    expect(codeIn(asked)).to.deep.equal([400, 'validation_failed']);
  });

  it('finds only its own fleet', async () => {
    const stranger = keyIn(await harness.operate('POST', '/api/operator/accounts', { displayName: 'Bob' }));
    const sub = await create({ displayName: 'mine' });
    const { subAccount, apiKey } = sub.body as unknown as { subAccount: { id: string }; apiKey: KeyAnswer };
    const body = { name: 'x', permissions: ['view'] };
    for (const id of [subAccount.id, 'unknown']) {
      const reply = await harness.call('POST', `/api/accounts/sub/${id}/keys`, { body, key: stranger.rawKey ?? '' });
      expect(codeIn(reply)).to.deep.equal([404, 'account_not_found']);
    }
    for (const id of [apiKey.id, 'unknown']) {
      const reply = await harness.call('DELETE', `/api/accounts/keys/${id}`, { key: stranger.rawKey ?? '' });
      expect(codeIn(reply)).to.deep.equal([403, 'forbidden']);
    }
    for (let again = 0; again < 2; again += 1) {
      const reply = await harness.call('DELETE', `/api/accounts/keys/${apiKey.id}`, { key: master });
      expect([reply.status, reply.body]).to.deep.equal([200, { ok: true }]);
    }
  });

  it("sends a sub-account's key to the primary, and a key without master away", async () => {
    const sub = keyIn(await create({ displayName: 'fleet three' })).rawKey ?? '';
    const reply = await create({ displayName: 'nested' }, sub);
    expect(codeIn(reply)).to.deep.equal([403, 'primary_account_required']);
    expect(reply.body['error']).to.match(/^Switch to your primary account/);
    const plain = await harness.operate('POST', '/api/operator/accounts', {
      displayName: 'Cy',
      permissions: ['trade'],
    });
    expect(codeIn(await create({ displayName: 'x2' }, keyIn(plain).rawKey))).to.deep.equal([403, 'forbidden']);
  });

  it('opens accounts as the operator says, once for an Idempotency-Key', async () => {
    const body = { displayName: 'Rich', permissions: ['reconcile', 'view'], startingBalance: 123.4567 };
    const first = await harness.operate('POST', '/api/operator/accounts', body, 'open');
    const { account } = first.body as unknown as { account: Record<string, unknown> };
    expect(account).to.deep.include({ displayName: 'Rich', startingBalance: 123.4567 });
    expect(keyIn(first)).to.deep.include({ name: 'default', permissions: ['view', 'reconcile'] });
    const { rawKey, ...apiKey } = keyIn(first);
    expect(rawKey).to.be.a('string');
    const again = await harness.operate('POST', '/api/operator/accounts', body, 'open');
    expect(again.body).to.deep.equal({ account, apiKey });
    const fine = await harness.operate('POST', '/api/operator/accounts', { ...body, startingBalance: 1.00001 });
    expect(fine.body).to.deep.equal({
      code: 'validation_failed',
      error: 'validation failure: startingBalance: must be a multiple of 0.0001',
    });
  });

  it('issues a key for a primary whose key was lost, and approves accounts', async () => {
    const opened = await harness.operate('POST', '/api/operator/accounts', { displayName: 'Lost' });
    const { account } = opened.body as unknown as { account: { id: string } };
    const path = `/api/operator/accounts/${account.id}`;
    const issued = await harness.operate('POST', `${path}/keys`, { name: 'new', permissions: ['master', 'view'] });
    expect((await create({ displayName: 'again' }, keyIn(issued).rawKey)).status).to.equal(200);
    const length = harness.log.events.length;
    for (let again = 0; again < 2; again += 1) {
      expect((await harness.operate('POST', `${path}/approve`)).body).to.deep.equal({ account });
    }
    expect(harness.log.events.length).to.equal(length + 1);
    for (const [tail, body] of [
      ['keys', { name: 'x', permissions: ['view'] }],
      ['approve', undefined],
    ] as const) {
      const reply = await harness.operate('POST', `/api/operator/accounts/unknown/${tail}`, body);
      expect(codeIn(reply)).to.deep.equal([404, 'account_not_found']);
    }
  });

  it('revokes any key for the operator, repeatedly too, and answers 404 for unknown keys', async () => {
    const opened = keyIn(await harness.operate('POST', '/api/operator/accounts', { displayName: 'Robbed' }));
    const length = harness.log.events.length;
    for (let again = 0; again < 2; again += 1) {
      const reply = await harness.operate('DELETE', `/api/operator/keys/${opened.id}`);
      expect([reply.status, reply.body]).to.deep.equal([200, { ok: true }]);
    }
    expect(harness.log.events.length).to.equal(length + 1);
    expect((await create({ displayName: 'no more' }, opened.rawKey)).status).to.equal(401);
    expect(codeIn(await harness.operate('DELETE', '/api/operator/keys/never'))).to.deep.equal([404, 'not_found']);
  });

  it('asks the read model about a key that the exchange has forgotten', async () => {
    const forgetful = await httpHarness({ settings: { revokedKeyWindowMs: 0 } });
    const open = async () => keyIn(await forgetful.operate('POST', '/api/operator/accounts', { displayName: 'Ada' }));
    const [ada, bob] = [await open(), await open()];
    const sub = await forgetful.call('POST', '/api/accounts/sub', {
      body: { displayName: 'sub' },
      key: ada.rawKey ?? '',
    });
    const path = `/api/accounts/keys/${keyIn(sub).id}`;
    expect((await forgetful.call('DELETE', path, { key: ada.rawKey ?? '' })).body).to.deep.equal({ ok: true });
    const revokedBy = Date.now();
    while (Date.now() <= revokedBy) await new Promise((resolve) => setImmediate(resolve));
    const length = forgetful.log.events.length;
    expect((await forgetful.call('DELETE', path, { key: ada.rawKey ?? '' })).body).to.deep.equal({ ok: true });
    expect(codeIn(await forgetful.call('DELETE', path, { key: bob.rawKey ?? '' }))).to.deep.equal([403, 'forbidden']);
    const never = await forgetful.call('DELETE', '/api/accounts/keys/never', { key: ada.rawKey ?? '' });
    expect(codeIn(never)).to.deep.equal([403, 'forbidden']);
    const byOperator = await forgetful.operate('DELETE', `/api/operator/keys/${keyIn(sub).id}`);
    expect([byOperator.status, byOperator.body]).to.deep.equal([200, { ok: true }]);
    expect(forgetful.log.events.length).to.equal(length);
    await forgetful.close();
  });

  it('asks for approval where compliance is kyc, before it looks at what is ordered', async () => {
    const strict = await httpHarness({ settings: { complianceMode: 'kyc' } });
    const opened = await strict.operate('POST', '/api/operator/accounts', { displayName: 'Ada' });
    const { account } = opened.body as unknown as { account: { id: string } };
    const order = () =>
      strict.call('POST', '/api/orders', {
        body: { marketId: 'none', outcome: 'yes', price: 0.5, quantity: 1 },
        key: keyIn(opened).rawKey ?? '',
      });
    expect(codeIn(await order())).to.deep.equal([403, 'kyc_required']);
    const malformed = { body: { price: 'much' }, key: keyIn(opened).rawKey ?? '' };
    expect(codeIn(await strict.call('POST', '/api/orders', malformed))).to.deep.equal([403, 'kyc_required']);
    await strict.operate('POST', `/api/operator/accounts/${account.id}/approve`);
    expect(codeIn(await order())).to.deep.equal([400, 'market_not_found']);
    expect(codeIn(await strict.call('POST', '/api/orders', malformed))).to.deep.equal([400, 'validation_failed']);
    await strict.close();
  });
});
