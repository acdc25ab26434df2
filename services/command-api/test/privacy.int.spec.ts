import { createHash } from 'node:crypto';
import { canonicalJson, createMemoryLog, nameDigest, withhold } from '@paper/journal';
import type { MemoryLog } from '@paper/journal';
import { expect } from 'chai';
import { createMemoryNames } from '@paper/names';
import type { MemoryName } from '@paper/names';
import { openAccount, writerHarness } from '@paper/command-side/test/writer-harness';
import { FakeClock } from '@paper/testkit';
import { httpHarness } from './http-harness.ts';
import type { HttpHarness } from './http-harness.ts';

interface Opened {
  readonly account: { readonly id: string; readonly displayName: string };
  readonly subAccount: { readonly id: string; readonly displayName: string };
  readonly apiKey: { readonly id: string; readonly last4: string; readonly rawKey: string };
}

/** The text of all events as GET /api/journal serves them. */
const publicText = (log: MemoryLog): string => JSON.stringify(log.events.map(withhold));

describe('Names and owners', () => {
  let harness: HttpHarness;
  let rows: Map<string, MemoryName>;

  async function restarted(log?: MemoryLog): Promise<void> {
    const names = createMemoryNames(rows);
    harness = await httpHarness({ names, ...(log === undefined ? {} : { log }) });
  }
  beforeEach(async () => {
    rows = new Map();
    await restarted();
  });
  afterEach(() => harness.close());

  const open = async (displayName: string, idempotencyKey?: string): Promise<Opened> =>
    (await harness.operate('POST', '/api/operator/accounts', { displayName }, idempotencyKey))
      .body as unknown as Opened;
  const openSub = async (key: string, displayName: string): Promise<Opened> =>
    (await harness.call('POST', '/api/accounts/sub', { body: { displayName, permissions: ['view'] }, key }))
      .body as unknown as Opened;

  it('of a fleet are nowhere in the public journal, nor are names, last four and rights of its keys', async () => {
    const { account, apiKey } = await open('Quetzalcoatl 7');
    const { subAccount, apiKey: subKey } = await openSub(apiKey.rawKey, 'Huitzilopochtli 8');
    const made = await harness.call('POST', `/api/accounts/sub/${subAccount.id}/keys`, {
      body: { name: 'Xochipilli 9', permissions: ['view', 'trade'] },
      key: apiKey.rawKey,
    });
    const { last4 } = made.body['apiKey'] as Opened['apiKey'];
    await harness.call('DELETE', `/api/accounts/keys/${subKey.id}`, { key: apiKey.rawKey });
    const told = publicText(harness.log);
    for (const secret of ['Quetzalcoatl', 'Huitzilopochtli', 'Xochipilli', 'default', 'master', 'reconcile', 'ops']) {
      expect(told, secret).not.to.include(secret);
    }
    for (const name of ['permissions', 'primaryAccountId', 'last4', 'keyHash', 'displayName', 'fingerprint']) {
      expect(told, name).not.to.include(name);
    }
    // Four characters can occur in any id by chance, so only their own fields are searched.
    for (const four of [apiKey.last4, subKey.last4, last4]) expect(told).not.to.include(`"${four}"`);
    // No event names both accounts, and no event shares a command or a cause with one of the other account.
    const linesOf = (id: string) => harness.log.events.filter((event) => event.publicText.includes(id));
    const [primary, sub] = [linesOf(account.id), linesOf(subAccount.id)];
    expect(primary).to.have.length(2);
    expect(sub).to.have.length(4);
    const chains = (events: typeof primary) =>
      events.flatMap((event) => {
        const { causationId, commandId, correlationId } = JSON.parse(event.publicText) as Record<string, string>;
        return [causationId, commandId, correlationId, event.id];
      });
    expect(primary.filter((event) => sub.includes(event))).to.deep.equal([]);
    expect(chains(primary).filter((id) => chains(sub).includes(id))).to.deep.equal([]);
  });

  it('are kept before the account is opened, and the journal has the digest', async () => {
    const { account } = await open('Ann');
    expect(account.displayName).to.equal('Ann');
    const row = rows.get(account.id)!;
    expect(row).to.include({ name: 'Ann' });
    expect(row.salt).to.have.length(32);
    expect(harness.log.events.at(-2)!.publicText).to.include(`"nameDigest":"${nameDigest(row.salt, 'Ann')}"`);
    const other = await open('Ann');
    expect(nameDigest(rows.get(other.account.id)!.salt, 'Ann')).not.to.equal(nameDigest(row.salt, 'Ann'));
  });

  it('go where no account is opened, and stay as they were where a request is repeated', async () => {
    const { account, apiKey } = await open('Ann', 'once');
    expect((await open('Ann', 'once')).account).to.deep.equal(account);
    await harness.operate('POST', '/api/operator/accounts', { displayName: 'Bob' }, 'once');
    const refused = await harness.call('POST', '/api/accounts/sub', {
      body: { displayName: 'Cy', permissions: ['master'] },
      key: apiKey.rawKey,
    });
    expect(refused.status).to.equal(400);
    expect([...rows.values()].map(({ name, pending }) => [name, pending])).to.deep.equal([['Ann', false]]);
  });

  it('of a process that was killed between name and append are swept by the next start, and no others', async () => {
    const { account } = await open('Ann');
    rows.get(account.id)!.pending = true;
    rows.set('orphan', { accountId: 'orphan', digest: '', name: 'Nobody', pending: true, salt: Buffer.alloc(32) });
    const { log } = harness;
    await harness.close();
    await restarted(log);
    expect([...rows.keys()]).to.deep.equal([account.id]);
    expect(rows.get(account.id)).to.include({ name: 'Ann', pending: false });
  });

  it('that are gone show as the end of the account’s id', async () => {
    const { account } = await open('Ann');
    const approve = async () => (await harness.operate('POST', `/api/operator/accounts/${account.id}/approve`)).body;
    expect(await approve()).to.have.nested.property('account.displayName', 'Ann');
    rows.clear();
    expect(await approve()).to.have.nested.property('account.displayName', `Trader ${account.id.slice(-6)}`);
  });

  it('that cannot be stored open no account, and every other command goes on', async () => {
    await harness.close();
    const broken = { ...createMemoryNames(rows), store: () => Promise.reject(new Error('no database')) };
    harness = await httpHarness({ names: broken });
    const body = {
      commands: [
        { displayName: 'Ann', op: 'open-account' },
        { id: 'none', op: 'pause-market' },
      ],
    };
    const single = await harness.operate('POST', '/api/operator/accounts', { displayName: 'Ann' });
    expect([single.status, single.body['code']]).to.deep.equal([503, 'unavailable']);
    const { results } = (await harness.operate('POST', '/api/operator/batch', body)).body as { results: unknown };
    expect((results as { code: string }[]).map(({ code }) => code)).to.deep.equal(['unavailable', 'market_not_found']);
    expect(publicText(harness.log)).not.to.include('AccountOpened');
  });
});

describe('Fingerprints of requests', () => {
  const body = JSON.stringify({ displayName: 'Ann' });
  const bare = createHash('sha256').update(`POST\n/api/operator/accounts\n${body}`).digest('hex');
  const fingerprints = (log: MemoryLog): readonly string[] =>
    log.events.flatMap(({ privateText }) => {
      const secret = JSON.parse(privateText ?? '{}') as { command?: { idempotency: { fingerprint: string } | null } };
      const told = secret.command?.idempotency?.fingerprint;
      return told === undefined ? [] : [told];
    });

  it('are no digests of what was asked, which could be guessed', async () => {
    const harness = await httpHarness();
    await harness.operate('POST', '/api/operator/accounts', { displayName: 'Ann' }, 'once');
    expect(fingerprints(harness.log)).to.have.length(1).and.not.to.include(bare);
    await harness.close();
  });

  const item = { displayName: 'Ann', op: 'open-account', permissions: ['view', 'trade', 'master', 'reconcile'] };
  const bareItem = createHash('sha256')
    .update(`POST /api/operator/batch\n${canonicalJson(item)}`)
    .digest('hex');
  interface BatchReply {
    readonly results: readonly { readonly ok: boolean; readonly code?: string }[];
  }

  it('of a batch are no bare digests of its items either', async () => {
    const harness = await httpHarness();
    await harness.operate('POST', '/api/operator/batch', { commands: [item, item] }, 'once');
    const [first, second, ...more] = fingerprints(harness.log);
    expect(more).to.deep.equal([]);
    expect(first)
      .to.match(/^[0-9a-f]{64}$/)
      .and.not.to.equal(bareItem);
    // The items are equal, and so are their fingerprints; the index is stored beside the fingerprint.
    expect(second).to.equal(first);
    await harness.close();
  });

  it('of a batch from before an update are still those of the same items, and of no others', async () => {
    const log = createMemoryLog();
    const clock = new FakeClock();
    clock.jump(Date.now() - clock.now());
    const old = writerHarness({ clock, log });
    await old.writer.start();
    await old.submit({ ...openAccount('ann'), idempotency: { fingerprint: bareItem, index: 0, key: 'once' } });
    const harness = await httpHarness({ log });
    const again = await harness.operate('POST', '/api/operator/batch', { commands: [item] }, 'once');
    expect([again.status, again.headers.get('idempotent-replayed')]).to.deep.equal([200, 'true']);
    const others = { commands: [{ ...item, displayName: 'Bob' }, item] };
    const { results } = (await harness.operate('POST', '/api/operator/batch', others, 'once'))
      .body as unknown as BatchReply;
    expect(results.map(({ code = 'ok' }) => code)).to.deep.equal(['idempotency_conflict', 'ok']);
    const [kept, added, ...more] = fingerprints(log);
    expect([kept, more]).to.deep.equal([bareItem, []]);
    expect(added).not.to.equal(bareItem);
    await harness.close();
  });

  it('from before an update are still those of the same request, and of no other', async () => {
    const log = createMemoryLog();
    const clock = new FakeClock();
    clock.jump(Date.now() - clock.now());
    const old = writerHarness({ clock, log });
    await old.writer.start();
    await old.submit({ ...openAccount('ann'), idempotency: { fingerprint: bare, key: 'once' } });
    const harness = await httpHarness({ log });
    const again = await harness.operate('POST', '/api/operator/accounts', { displayName: 'Ann' }, 'once');
    expect([again.status, again.headers.get('idempotent-replayed')]).to.deep.equal([200, 'true']);
    const other = await harness.operate('POST', '/api/operator/accounts', { displayName: 'Bob' }, 'once');
    expect([other.status, other.body['code']]).to.deep.equal([400, 'idempotency_conflict']);
    expect(fingerprints(log)).to.deep.equal([bare]);
    await harness.close();
  });
});
