import { createMemoryLog } from '@paper/journal';
import { createMemoryNames } from '@paper/names';
import type { MemoryName, NameStore } from '@paper/names';
import { eventually } from '@paper/testkit';
import { expect } from 'chai';
import { httpHarness, listing } from './http-harness.ts';
import type { HttpHarness, Reply } from './http-harness.ts';

interface Opened {
  readonly account: { readonly id: string; readonly displayName: string };
  readonly apiKey: { readonly id: string; readonly rawKey: string };
}
const codeIn = (reply: Reply) => [reply.status, reply.body['code']];
const NOBODY = '01890000-0000-7000-8000-000000000000';

describe('closing and forgetting an account over HTTP', () => {
  const log = createMemoryLog();
  const rows = new Map<string, MemoryName>();
  let isBroken = false;
  const memory = createMemoryNames(rows);
  const names: NameStore = {
    ...memory,
    forget: (ids) => (isBroken ? Promise.reject(new Error('the table is away')) : memory.forget(ids)),
  };
  let harness: HttpHarness;
  let ada: Opened;
  let subId: string;

  before(async () => {
    harness = await httpHarness({ log, names, settings: { runChunk: 1 } });
    ada = (await harness.operate('POST', '/api/operator/accounts', { displayName: 'Ada' })).body as unknown as Opened;
    await harness.operate('POST', '/api/operator/markets', listing('m'));
    const { rawKey: key } = ada.apiKey;
    const sub = await harness.call('POST', '/api/accounts/sub', { key, body: { displayName: 'Fleet' } });
    const { apiKey, subAccount } = sub.body as unknown as {
      apiKey: Opened['apiKey'];
      subAccount: Opened['account'];
    };
    subId = subAccount.id;
    const order = { marketId: 'm', outcome: 'yes', price: 0.5, quantity: 2 };
    for (const of of [key, key, apiKey.rawKey]) await harness.call('POST', '/api/orders', { key: of, body: order });
  });
  after(() => harness.close());

  const act = (what: 'close' | 'forget', id: string) => harness.operate('POST', `/api/operator/accounts/${id}/${what}`);

  it('forgets no account that is open', async () => {
    const reply = await act('forget', ada.account.id);
    expect(codeIn(reply)).to.deep.equal([400, 'validation_failed']);
    expect(reply.body['error']).to.match(/close it first$/);
    expect([...rows.keys()]).to.include.members([ada.account.id, subId]);
  });

  it('closes a sub-account for the master key of its primary, once all its keys and orders are ended', async () => {
    const { rawKey: key } = ada.apiKey;
    const made = await harness.call('POST', '/api/accounts/sub', { key, body: { displayName: 'Short lived' } });
    const { apiKey, subAccount } = made.body as unknown as { apiKey: Opened['apiKey']; subAccount: Opened['account'] };
    const order = { marketId: 'm', outcome: 'yes', price: 0.4, quantity: 1 };
    const { rawKey: subKey } = apiKey;
    for (const key of [subKey, subKey, subKey]) await harness.call('POST', '/api/orders', { key, body: order });
    const path = `/api/accounts/sub/${subAccount.id}`;
    const refused = [
      [apiKey.rawKey, path, [403, 'primary_account_required']],
      [key, `/api/accounts/sub/${NOBODY}`, [404, 'account_not_found']],
      [key, `/api/accounts/sub/${ada.account.id}`, [404, 'account_not_found']],
    ] as const;
    for (const [by, at, expected] of refused) {
      expect(codeIn(await harness.call('DELETE', at, { key: by }))).to.deep.equal(expected);
    }
    const from = log.events.length;
    expect((await harness.call('DELETE', path, { key })).body).to.deep.equal({ ok: true });
    const ends = ['AccountClosed', 'ApiKeyRevoked', 'OrderCancelled', 'OrderCancelled', 'OrderCancelled'];
    expect(log.events.slice(from).map(({ type }) => type)).to.have.members(ends);
    expect((await harness.call('DELETE', path, { key })).body).to.deep.equal({ ok: true });
    expect(log.events).to.have.length(from + ends.length);
    expect((await harness.call('POST', '/api/orders', { key: apiKey.rawKey, body: order })).status).to.equal(401);
    const issued = await harness.call('POST', `${path}/keys`, { key, body: { name: 'back', permissions: ['view'] } });
    expect(codeIn(issued)).to.deep.equal([403, 'forbidden']);
  });

  it('finds no account that is not there, and closes no sub-account alone', async () => {
    for (const what of ['close', 'forget'] as const) {
      expect(codeIn(await act(what, NOBODY))).to.deep.equal([404, 'account_not_found']);
      expect(codeIn(await act(what, subId))).to.deep.equal([400, 'validation_failed']);
    }
  });

  it('closes it with its sub-accounts, and answers the same again', async () => {
    const closed = await act('close', ada.account.id);
    expect(closed.body).to.deep.equal({ account: ada.account, cancelledOrders: 3, revokedKeys: 2 });
    const length = log.events.length;
    expect((await act('close', ada.account.id)).body).to.deep.equal(closed.body);
    expect(log.events.length).to.equal(length);
    const types = log.events.map(({ type }) => type);
    // One of them is the sub-account's that was closed before.
    expect(types.filter((type) => type === 'AccountClosed')).to.have.length(3);
  });

  it('lets it have no orders and no keys any more', async () => {
    const { rawKey: key } = ada.apiKey;
    const order = await harness.call('POST', '/api/orders', {
      key,
      body: { marketId: 'm', outcome: 'yes', price: 0.5, quantity: 1 },
    });
    expect(order.status).to.equal(401);
    for (const id of [ada.account.id, subId]) {
      const issued = await harness.operate('POST', `/api/operator/accounts/${id}/keys`, {
        name: 'back',
        permissions: ['view'],
      });
      expect(codeIn(issued)).to.deep.equal([403, 'forbidden']);
    }
  });

  it('says 503 while names cannot be deleted, and goes on trying', async () => {
    isBroken = true;
    expect(codeIn(await act('forget', ada.account.id))).to.deep.equal([503, 'unavailable']);
    expect(rows.has(ada.account.id)).to.equal(true);
    isBroken = false;
    const again = await httpHarness({ log, names });
    try {
      await eventually('the next start has deleted them', () => !rows.has(ada.account.id) && !rows.has(subId));
    } finally {
      await again.close();
    }
  });

  it('forgets its names and those of its sub-accounts, and answers the same again', async () => {
    // Another process has taken over the journal.
    const later = await httpHarness({ log, names });
    try {
      const path = `/api/operator/accounts/${ada.account.id}/forget`;
      const length = log.events.length;
      const forgotten = await later.operate('POST', path);
      expect(forgotten.body).to.deep.equal({
        account: { ...ada.account, displayName: `Trader ${ada.account.id.slice(-6)}` },
      });
      expect((await later.operate('POST', path)).body).to.deep.equal(forgotten.body);
      expect(log.events.length).to.equal(length);
      expect(log.events.filter(({ type }) => type === 'DisplayNameForgotten')).to.have.length(3);
    } finally {
      await later.close();
    }
  });
});
