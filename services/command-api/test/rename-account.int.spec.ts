import { createMemoryLog, nameDigest } from '@paper/journal';
import { createMemoryNames, keyTextOf } from '@paper/names';
import type { MemoryName, NameStore } from '@paper/names';
import { FakeClock } from '@paper/testkit';
import { expect } from 'chai';
import { httpHarness } from './http-harness.ts';
import type { HttpHarness, Reply } from './http-harness.ts';

interface Opened {
  readonly account: { readonly id: string };
  readonly apiKey: { readonly id: string; readonly rawKey: string };
}
const codeIn = (reply: Reply) => [reply.status, reply.body['code']];
const WEEK_MS = 7 * 86_400_000;

describe('changing the display name over HTTP', () => {
  const log = createMemoryLog();
  const rows = new Map<string, MemoryName>();
  const clock = new FakeClock();
  let isBroken = false;
  const memory = createMemoryNames(rows);
  const names: NameStore = {
    ...memory,
    store: (some) => (isBroken ? Promise.reject(new Error('the table is away')) : memory.store(some)),
  };
  let harness: HttpHarness;
  let ada: Opened;

  before(async () => {
    harness = await httpHarness({ clock, log, names });
    ada = (await harness.operate('POST', '/api/operator/accounts', { displayName: 'Ada' })).body as unknown as Opened;
  });
  after(() => harness.close());

  const rename = (displayName: string, key = ada.apiKey.rawKey, idempotencyKey?: string): Promise<Reply> =>
    harness.call('PATCH', '/api/me', {
      body: { displayName },
      key,
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    });
  const shown = () => [...rows.values()].map(({ name, pending }) => [name, pending]);

  it('refuses names like the exchange’s own, and forms that a name cannot have, and stores none', async () => {
    for (const displayName of ['House maker', 'DEМO', 'A', 'a'.repeat(25), ' Ada', 'Ada\u200b L.']) {
      const refused = await rename(displayName);
      expect(codeIn(refused), displayName).to.deep.equal([400, 'validation_failed']);
      expect(refused.body['error']).to.match(/^validation failure: displayName: /);
    }
    expect(codeIn(await harness.call('PATCH', '/api/me', { body: {}, key: ada.apiKey.rawKey }))).to.deep.equal([
      400,
      'validation_failed',
    ]);
    expect(shown()).to.deep.equal([['Ada', false]]);
  });

  it('needs a primary’s key with master', async () => {
    const { rawKey: key } = ada.apiKey;
    const sub = await harness.call('POST', '/api/accounts/sub', { body: { displayName: 'Book' }, key });
    const { apiKey, subAccount } = sub.body as unknown as { apiKey: Opened['apiKey']; subAccount: { id: string } };
    expect(codeIn(await rename('Booked', apiKey.rawKey))).to.deep.equal([403, 'primary_account_required']);
    const path = `/api/accounts/sub/${ada.account.id}/keys`;
    const viewer = await harness.call('POST', path, { body: { name: 'v', permissions: ['view', 'trade'] }, key });
    expect(codeIn(await rename('Other', (viewer.body as unknown as Opened).apiKey.rawKey))).to.deep.equal([
      403,
      'forbidden',
    ]);
    expect(codeIn(await rename('Other', 'svc_live_nothing'))).to.deep.equal([401, 'not_authenticated']);
    rows.delete(subAccount.id);
  });

  it('changes nothing where the name cannot be stored', async () => {
    isBroken = true;
    const from = log.events.length;
    expect(codeIn(await rename('Ada L.'))).to.deep.equal([503, 'unavailable']);
    isBroken = false;
    expect([log.events.length, shown()]).to.deep.equal([from, [['Ada', false]]]);
  });

  it('answers as GET /api/me, keeps the former name, and puts only the digest into the journal', async () => {
    const renamed = await rename('Ada L.', ada.apiKey.rawKey, 'once');
    expect(renamed.body).to.deep.equal({
      accountId: ada.account.id,
      approved: true,
      complianceMode: 'paper',
      displayName: 'Ada L.',
      keyId: ada.apiKey.id,
      keyName: 'default',
      mandate: null,
      permissions: ['view', 'trade', 'master', 'reconcile'],
      primaryAccountId: ada.account.id,
      spentToday: 0,
    });
    expect(shown()).to.deep.equal([
      ['Ada', false],
      ['Ada L.', false],
    ]);
    const [, row] = [...rows.values()];
    const digest = nameDigest(row!.salt, 'Ada L.');
    expect(row).to.include({ accountId: ada.account.id, digest });
    const stored = log.events.at(-1)!;
    expect(stored.type).to.equal('AccountRenamed');
    expect(stored.publicText.split(digest)).to.have.length(3);
    expect(stored.publicText + (stored.privateText ?? '')).not.to.include('Ada L.');
  });

  it('answers the same again with the Idempotency-Key, and refuses another change for 7 days', async () => {
    const from = log.events.length;
    const again = await rename('Ada L.', ada.apiKey.rawKey, 'once');
    expect([again.body['displayName'], again.headers.get('idempotent-replayed')]).to.deep.equal(['Ada L.', 'true']);
    const refused = await rename('Ada Lovelace');
    expect(codeIn(refused)).to.deep.equal([400, 'limit_reached']);
    expect(refused.body['error']).to.match(
      /^A display name can be changed once in 7 days: this one again in 7 d 0 h\.$/,
    );
    expect(log.events).to.have.length(from);
    expect(shown()).to.deep.equal([
      ['Ada', false],
      ['Ada L.', false],
    ]);
    clock.advance(WEEK_MS);
    expect((await rename('Ada Lovelace')).body['displayName']).to.equal('Ada Lovelace');
  });

  it('is seen in operators’ answers, and forgetting deletes all of the names', async () => {
    const act = (what: string) => harness.operate('POST', `/api/operator/accounts/${ada.account.id}/${what}`);
    expect((await act('approve')).body).to.have.nested.property('account.displayName', 'Ada Lovelace');
    expect((await act('close')).body).to.have.nested.property('account.displayName', 'Ada Lovelace');
    expect([...rows.values()].filter(({ accountId }) => accountId === ada.account.id)).to.have.length(3);
    expect((await act('forget')).status).to.equal(200);
    expect([...rows.values()].filter(({ accountId }) => accountId === ada.account.id)).to.deep.equal([]);
  });

  it('of a process that was killed between name and append is swept by the next start, and no other', async () => {
    const bea = (await harness.operate('POST', '/api/operator/accounts', { displayName: 'Bea' }))
      .body as unknown as Opened;
    await rename('Bea B.', bea.apiKey.rawKey);
    const name = { accountId: bea.account.id, salt: Buffer.alloc(32) };
    const orphan = { ...name, digest: '0'.repeat(64), name: 'Bea C.', pending: true };
    rows.set(keyTextOf(orphan), orphan);
    const given = [...rows.values()].find((row) => row.name === 'Bea B.')!;
    given.pending = true;
    await harness.close();
    harness = await httpHarness({ clock, log, names });
    expect(shown()).to.deep.equal([
      ['Bea', false],
      ['Bea B.', false],
    ]);
  });
});
