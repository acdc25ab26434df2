import type { KeyCaller } from '@paper/contracts';
import { testDatabase } from '@paper/testkit';
import type { TestDatabase } from '@paper/testkit';
import { expect } from 'chai';
import {
  activeSchema,
  connectReadModels,
  createAuthenticator,
  prepareReadModels,
  Progress,
  ReadModels,
} from '../src/index.ts';
import type { ReadDb } from '../src/index.ts';
import type { FreshnessWait } from '../src/serving/freshness.ts';

/** Against the real read models, moved by hand. */
describe('whose a key is', () => {
  let database: TestDatabase;
  let pool: ReadDb;
  let db: ReadDb;
  let progress: Progress;
  let head: number;
  let reads: number;
  let journalAway: Error | null;
  /** For each wait for the journal's head, whether it was patient. */
  let waits: (boolean | undefined)[];
  let authenticate: ReturnType<typeof createAuthenticator>;

  before(async () => {
    database = await testDatabase();
    pool = connectReadModels({ connectionString: database.connectionString });
    await prepareReadModels(pool);
    db = pool.withSchema((await activeSchema(pool)) ?? '');
    const account = {
      ...{
        id: 'a',
        primary_account_id: null,
        display_name: 'A',
        starting_balance_units: 0,
        cash_units: 0,
        permissions: [],
      },
      ...{ approved: true, created_at_ms: 0, created_seq: 1, trades: 0, volume_units: 0, last_fill_minute_ms: null },
    };
    await db.insertInto('accounts').values(account).execute();
  });
  after(async () => {
    await pool.destroy();
    await database.close();
  });

  /** As a projected event would: the keys that are live now, at the next sequence. */
  const happen = async (...live: string[]): Promise<void> => {
    head += 1;
    await db.deleteFrom('api_keys').execute();
    for (const [index, hash] of live.entries()) {
      const key = {
        id: hash,
        account_id: 'a',
        key_hash: hash,
        name: 'k',
        permissions: ['view' as const],
        last4: 'abcd',
        mandate: null,
        spent_day: 0,
        spent_units: 0,
      };
      const row = { ...key, created_at_ms: 0, created_seq: index, revoked_at_ms: null, revoked_seq: null };
      await db.insertInto('api_keys').values(row).execute();
    }
    await db.updateTable('checkpoint').set({ seq: head }).execute();
    progress.set(head);
  };

  beforeEach(async () => {
    progress = new Progress();
    head = 0;
    reads = 0;
    journalAway = null;
    waits = [];
    const readModels = new ReadModels(pool);
    const counted: Pick<ReadModels, 'queryOne' | 'generation'> = {
      generation: 0,
      queryOne: (question, about) => {
        reads += 1;
        return readModels.queryOne(question, about);
      },
    };
    const reached = async ({ patient }: FreshnessWait = {}): Promise<number> => {
      waits.push(patient);
      if (journalAway !== null) throw journalAway;
      return head;
    };
    authenticate = createAuthenticator(counted, { reached }, progress);
    await happen('good');
  });

  const accountOf = (caller: KeyCaller | null): string | undefined => caller?.accountId;

  it('is looked up once as long as nothing happens', async () => {
    for (const _time of [1, 2, 3]) expect(accountOf(await authenticate('good'))).to.equal('a');
    expect(reads).to.equal(1);
  });

  it('is looked up anew when something has happened: a revoked key is refused', async () => {
    await authenticate('good');
    await happen();
    expect(await authenticate('good')).to.equal(null);
  });

  it('is looked up once while the projector reports trading alone', async () => {
    for (const _time of [1, 2, 3]) {
      expect(accountOf(await authenticate('good'))).to.equal('a');
      head += 1;
      await db.updateTable('checkpoint').set({ seq: head }).execute();
      progress.set(head, 1);
    }
    expect(reads).to.equal(1);
    await happen();
    expect(await authenticate('good')).to.equal(null);
  });

  it('is remembered without a read as it was found last, and not where none was found', async () => {
    for (const key of ['good', 'bad']) expect(authenticate.cachedOwner(key), key).to.equal(null);
    for (const key of ['good', 'bad']) await authenticate(key);
    await happen();
    const before = reads;
    expect(accountOf(authenticate.cachedOwner('good'))).to.equal('a');
    expect(authenticate.cachedOwner('bad')).to.equal(null);
    expect(reads).to.equal(before);
  });

  it('is known as soon as the key is issued, since what was not found is not kept', async () => {
    expect(await authenticate('new')).to.equal(null);
    await happen('good', 'new');
    expect(accountOf(await authenticate('new'))).to.equal('a');
  });

  it('hurries the projection for a valid key alone: guessed keys do not end the gathering of orders', async () => {
    for (const key of ['bad', 'good', 'good', 'bad']) await authenticate(key);
    expect(waits).to.deep.equal([true, false, false, true]);
    await happen();
    await authenticate('good');
    await authenticate('good');
    expect(waits.slice(4), 'revoked: its look-up finds out').to.deep.equal([false, true]);
  });

  it("is not decided while the journal's head is not known, whatever the key", async () => {
    journalAway = new Error('away');
    for (const key of ['bad', 'good']) {
      expect(await authenticate(key).catch((error: unknown) => error), key).to.equal(journalAway);
    }
  });

  it('is decided at once by the present projection for answers that do not depend on it', async () => {
    journalAway = new Error('away');
    expect(accountOf(await authenticate.atOnce('good'))).to.equal('a');
    expect(await authenticate.atOnce('bad')).to.equal(null);
    expect(waits).to.deep.equal([]);
  });
});
