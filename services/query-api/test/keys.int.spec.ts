import { endpoints } from '@paper/contracts';
import type { Command, CommandOf } from '@paper/exchange/commands';
import { withClient } from '@paper/runtime';
import { base, keyOf, startEpoch } from '@paper/testkit';
import { expect } from 'chai';
import { keyHash } from './read-harness.ts';
import type { ReadHarness } from './read-harness.ts';
import { get, tradingHarness } from './trading-harness.ts';

const REVOKED = 5_000;

interface Key {
  readonly accountId: string;
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly revokedAt: string | null;
  readonly lastUsedOn: string | null;
}

const issue = (accountId: string, name: string): CommandOf<'IssueApiKey'> => ({
  ...base(keyOf('ann'), `issue-${accountId}-${name}`),
  type: 'IssueApiKey',
  accountId,
  keyHash: keyHash(`${accountId}-${name}`),
  keyId: `${accountId}-${name}`,
  last4: 'last',
  name,
  permissions: ['view'],
});
const revoke = (keyId: string): Command => ({ ...base(keyOf('ann'), `revoke-${keyId}`), type: 'RevokeApiKey', keyId });

describe('5,000 revoked keys of a fleet', function () {
  this.timeout(120_000);
  let harness: ReadHarness;

  before(async () => {
    harness = await tradingHarness();
    // Under rules version 1 an account could revoke any number of keys, and journals have such events for ever.
    await harness.submit({
      ...startEpoch({ revokedKeysPerAccount: REVOKED }),
      ...base({ kind: 'system' }, 'second-epoch'),
    });
    for (let n = 1; n <= REVOKED; n += 1) {
      const accountId = n % 2 === 0 ? 'sub' : 'ann';
      await harness.submit(issue(accountId, `k${n}`), revoke(`${accountId}-k${n}`));
    }
    await harness.submit(issue('sub', 'live'), issue('ann', 'own'));
    await harness.projected();
  });
  after(() => harness.close());

  it('leave the list of sub-accounts small: its live keys, and the newest 3 revoked of each', async () => {
    const { status, body } = await get(harness, 'ann', endpoints.listSubAccounts.path);
    expect(status).to.equal(200);
    expect(JSON.stringify(body)).to.have.length.lessThan(5_000);
    const { subAccounts } = body as { subAccounts: { id: string; keys: Key[] }[] };
    expect(subAccounts.map(({ id, keys }) => [id, keys.map((key) => [key.id, key.revokedAt !== null])])).to.deep.equal([
      [
        'sub',
        [
          ['sub-key', false],
          ['sub-k4996', true],
          ['sub-k4998', true],
          ['sub-k5000', true],
          ['sub-live', false],
        ],
      ],
      ['sib', [['sib-key', false]]],
    ]);
  });

  it('are all in the list of keys, 100 a page, after the live ones', async () => {
    const keys: Key[] = [];
    const lengths: number[] = [];
    let path: string | null = endpoints.listKeys.path;
    while (path !== null) {
      const { body, next } = await get(harness, 'ann', path);
      const page = (body as { keys: Key[] }).keys;
      keys.push(...page);
      lengths.push(page.length);
      path = next;
    }
    expect(lengths).to.deep.equal([105, ...Array<number>(REVOKED / 100 - 1).fill(100)]);
    const live = keys.slice(0, 5);
    expect(live.map(({ accountId, id, name }) => [accountId, id, name])).to.deep.equal([
      ['ann', 'ann-key', 'default'],
      ['ann', 'ann-own', 'own'],
      ['sub', 'sub-key', 'default'],
      ['sub', 'sub-live', 'live'],
      ['sib', 'sib-key', 'default'],
    ]);
    expect(live.map(({ revokedAt }) => revokedAt)).to.deep.equal([null, null, null, null, null]);
    const revoked = keys.slice(5).map(({ id }) => id);
    expect(revoked).to.deep.equal(
      Array.from({ length: REVOKED }, (_, n) => `${(REVOKED - n) % 2 === 0 ? 'sub' : 'ann'}-k${REVOKED - n}`),
    );
  });

  it('come in smaller pages where fewer are asked for, and in none that is larger', async () => {
    for (const [limit, length, taken] of [
      ['2', 7, 2],
      ['500', 105, 100],
    ] as const) {
      const { body, next } = await get(harness, 'ann', `${endpoints.listKeys.path}?limit=${limit}`);
      expect((body as { keys: Key[] }).keys).to.have.length(length);
      expect(next).to.include(`?limit=${taken}&`);
    }
    for (const query of ['limit=0', 'cursor=nonsense', 'limit=1&limit=2']) {
      expect((await get(harness, 'ann', `${endpoints.listKeys.path}?${query}`)).status, query).to.equal(400);
    }
  });

  it('show the day of their last use, as far as it was noted', async () => {
    await withClient(harness, (client) =>
      client.query(`insert into coordination.key_uses values ('sub-live', 'sub', '2026-11-25')`),
    );
    const list = ({ id, lastUsedOn }: Key): unknown[] => [id, lastUsedOn];
    const { keys } = (await get(harness, 'ann', endpoints.listKeys.path)).body as { keys: Key[] };
    expect(keys.slice(2, 4).map(list)).to.deep.equal([
      ['sub-key', null],
      ['sub-live', '2026-11-25'],
    ]);
    const { subAccounts } = (await get(harness, 'ann', endpoints.listSubAccounts.path)).body as {
      subAccounts: { keys: Key[] }[];
    };
    expect(subAccounts[0]?.keys.at(-1)).to.include({ id: 'sub-live', lastUsedOn: '2026-11-25' });
  });

  it("are shown to the fleet's master alone", async () => {
    const { status, body } = await get(harness, 'sub', endpoints.listKeys.path);
    expect([status, (body as { code?: unknown }).code]).to.deep.equal([403, 'primary_account_required']);
    const other = (await get(harness, 'bob', endpoints.listKeys.path)).body as { keys: Key[] };
    expect(other.keys.map(({ id }) => id)).to.deep.equal(['bob-key']);
  });
});
