import { ensureNameTables, KeyUses, openNames } from '@paper/names';
import { withClient } from '@paper/runtime';
import { eventually, testDatabase } from '@paper/testkit';
import { expect } from 'chai';

const MIDNIGHT = Date.UTC(2026, 10, 26);
const LATE = MIDNIGHT - 1_000;

describe('uses of keys', () => {
  let connectionString: string;
  let close: () => Promise<void>;

  const rows = (): Promise<unknown[]> =>
    withClient({ connectionString }, async (client) => {
      const { rows: found } = await client.query(
        'select key_id, account_id, used_on::text from coordination.key_uses order by key_id',
      );
      return found.map(Object.values);
    });

  beforeEach(async () => {
    const database = await testDatabase();
    ({ connectionString } = database);
    close = () => database.close();
    await ensureNameTables(connectionString);
  });
  afterEach(() => close());

  it('are written with the UTC day of each, also those from just before midnight', async () => {
    let now = LATE;
    const uses = new KeyUses(connectionString, () => now);
    uses.note({ keyId: 'k1', accountId: 'ann' });
    uses.note({ keyId: 'k2', accountId: 'sub' });
    now = MIDNIGHT;
    for (let n = 0; n < 3; n += 1) uses.note({ keyId: 'k2', accountId: 'sub' });
    await uses.write();
    expect(await rows()).to.deep.equal([
      ['k1', 'ann', '2026-11-25'],
      ['k2', 'sub', '2026-11-26'],
    ]);
  });

  it('never go back, where the clock of another process is late', async () => {
    const [ahead, late] = [MIDNIGHT, LATE].map((now) => new KeyUses(connectionString, () => now));
    for (const uses of [ahead, late]) {
      uses?.note({ keyId: 'k1', accountId: 'ann' });
      await uses?.write();
    }
    expect(await rows()).to.deep.equal([['k1', 'ann', '2026-11-26']]);
  });

  it('wait where they cannot be written, and are written once', async () => {
    const uses = new KeyUses(connectionString, () => MIDNIGHT);
    uses.note({ keyId: 'k1', accountId: 'ann' });
    const query = (text: string) => withClient({ connectionString }, (client) => client.query(text));
    await query('alter table coordination.key_uses rename to elsewhere');
    expect(await uses.write().catch((error: unknown) => (error as { code?: string }).code)).to.equal('42P01');
    await query('alter table coordination.elsewhere rename to key_uses');
    await uses.write();
    expect(await rows()).to.have.length(1);
    await query('delete from coordination.key_uses');
    uses.note({ keyId: 'k1', accountId: 'ann' });
    await uses.write();
    expect(await rows()).to.deep.equal([]);
  });

  it('of an account are deleted with its names, also one that a process writes a little later', async () => {
    // The late one has to be written within this time.
    const names = await openNames({ connectionString, shard: 'main', usesNotedWithinMs: 3_000 });
    try {
      const uses = new KeyUses(connectionString, () => MIDNIGHT);
      for (const accountId of ['ann', 'bob']) uses.note({ keyId: `${accountId}-key`, accountId });
      await uses.write();
      await names.forget(['ann']);
      const left = [['bob-key', 'bob', '2026-11-26']];
      expect(await rows()).to.deep.equal(left);
      const other = new KeyUses(connectionString, () => MIDNIGHT);
      other.note({ keyId: 'ann-key', accountId: 'ann' });
      await other.write();
      await eventually('the late one is deleted', async () => (await rows()).length === 1);
      expect(await rows()).to.deep.equal(left);
    } finally {
      await names.close();
    }
  });
});
