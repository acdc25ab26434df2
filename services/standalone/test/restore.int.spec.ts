import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BACKED_UP, BackupFolder, LEFT_OUT, readKeyFile, takeBackup, writeNewKey } from '@paper/backup';
import type { BackupKeys, Manifest, OnProgress, Restored, RestoreOptions, StoredBackup } from '@paper/backup';
import { prepareRoles } from '@paper/command-api';
import { openNames } from '@paper/names';
import { withClient } from '@paper/runtime';
import {
  canonicalJson,
  checkChain,
  createEventStoreJournal,
  createPostgresJournal,
  EMPTY_HEAD,
  openJournal,
} from '@paper/journal';
import type { Journal } from '@paper/journal';
import { startFakeEventStore } from '@paper/journal/test/fake-eventstore';
import { SimulatedJournal, storeTestNames, testDatabase } from '@paper/testkit';
import type { TestDatabase } from '@paper/testkit';
import { expect } from 'chai';
import type pg from 'pg';
import { restoreInto } from '../src/restore.ts';
import { makeTables } from './prepared-tables.ts';

const SHARD = 'main';

/** A database with a journal, the names of its accounts, and a person who has the first of these accounts. */
interface Exchange {
  readonly database: TestDatabase;
  readonly accounts: readonly string[];
  readonly head: { readonly seq: number; readonly hash: string };
}

async function exchange(journalIn: (database: TestDatabase) => Promise<Journal>, isHere: boolean): Promise<Exchange> {
  const database = await testDatabase();
  await makeTables(database.connectionString, isHere);
  const journal = await journalIn(database);
  const simulated = new SimulatedJournal({ seed: 5 }, journal);
  await simulated.run(400);
  const accounts = [...simulated.state.accounts.values()].filter(({ primary }) => primary === null).map(({ id }) => id);
  const { head } = simulated;
  await storeTestNames(database.connectionString, SHARD, [...simulated.state.accounts.keys()]);
  await asOwner(database, async (client) => {
    await client.query(
      `insert into portal.people (id, sign_in_name, display_name, account_id, state) values
         ('a', 'ann', E'Ann\\t\\\\ of "us"\\n', $1, 'active'), ('b', 'ben', 'Ben', $2, 'active')`,
      [accounts[0], accounts[1]],
    );
    await client.query(`insert into coordination.key_uses values ('k', $1, '2026-11-26')`, [accounts[0]]);
    await client.query(
      `insert into portal.sessions (id, token_hash, person_id, device, expires_at) values ('s', 'x', 'a', '', now())`,
    );
  });
  await journal.close();
  return { database, accounts, head };
}

function asOwner<T>({ connectionString }: TestDatabase, work: (client: pg.Client) => Promise<T>): Promise<T> {
  return withClient({ connectionString }, work);
}

async function rowsOf(database: TestDatabase, table: string): Promise<readonly unknown[]> {
  const { orderBy = '1' } = BACKED_UP.find(({ name }) => name === table) ?? {};
  return asOwner(
    database,
    async (client) => (await client.query<Record<string, unknown>>(`select * from ${table} order by ${orderBy}`)).rows,
  );
}

function settled<T>(result: PromiseSettledResult<T>): Promise<T> {
  return result.status === 'fulfilled' ? Promise.resolve(result.value) : Promise.reject(result.reason as Error);
}

async function refusal(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'it was done',
    (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error)),
  );
}

describe('backup and restore of a database', function () {
  this.timeout(60_000);
  const home = mkdtempSync(path.join(tmpdir(), 'backups-'));
  const backups = new BackupFolder(path.join(home, 'backups'));
  const targets: TestDatabase[] = [];
  let source: Exchange;
  let keys: BackupKeys;
  let plain: StoredBackup;
  let sealed: StoredBackup;

  const take = (key: BackupKeys | null, into = backups): Promise<StoredBackup> =>
    takeBackup({ backups: into, connectionString: source.database.connectionString, eventStore: null, keys: key });
  const emptyDatabase = async (): Promise<TestDatabase> => {
    const database = await testDatabase();
    targets.push(database);
    return database;
  };
  const restore = (into: TestDatabase, folder: string, more: Partial<RestoreOptions> = {}): Promise<Restored> =>
    restoreInto({
      connectionString: into.connectionString,
      eventStore: null,
      erasuresIn: [],
      folder,
      keys: null,
      revokesKeys: false,
      ...more,
    });
  /** A copy of a backup, for a test that damages it. */
  const copyOf = async ({ folder }: Pick<StoredBackup, 'folder'>): Promise<string> => {
    const copy = path.join(home, `copy-${readdirSync(home).length}`);
    await mkdir(copy);
    for (const name of readdirSync(folder)) writeFileSync(path.join(copy, name), readFileSync(path.join(folder, name)));
    return copy;
  };

  /** Changes the heads in a backup's manifest, with the digest that belongs to it. */
  const changeHeads = (folder: string, change: (heads: Manifest['heads']) => Manifest['heads']): void => {
    const file = path.join(folder, 'manifest.json');
    const { sha256: _, ...found } = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
    const changed = { ...found, heads: change(found.heads) };
    const sha256 = createHash('sha256').update(canonicalJson(changed)).digest('hex');
    writeFileSync(file, JSON.stringify({ ...changed, sha256 }));
  };

  before(async () => {
    source = await exchange(({ connectionString }) => createPostgresJournal({ connectionString }), true);
    await writeNewKey(path.join(home, 'key'));
    keys = await readKeyFile(path.join(home, 'key'));
    plain = await take(null);
    sealed = await take(keys);
  });
  after(async () => {
    await source.database.close();
    for (const target of targets) await target.close();
    rmSync(home, { recursive: true, force: true });
  });

  it('gives back every row that it holds, and no session', async () => {
    const target = await emptyDatabase();
    const restored = await restore(target, sealed.folder, { keys });
    expect(restored.heads).to.deep.equal([{ shard: SHARD, ...source.head }]);
    for (const { name } of BACKED_UP) {
      expect(await rowsOf(target, name), name).to.deep.equal(await rowsOf(source.database, name));
    }
    expect(await rowsOf(target, 'portal.sessions')).to.deep.equal([]);
  });

  it('reveals nothing of what it holds where it is encrypted', () => {
    for (const { file } of [...sealed.manifest.tables, ...sealed.manifest.parts]) {
      const bytes = readFileSync(path.join(sealed.folder, file));
      expect(bytes.subarray(0, 21).toString(), file).to.equal('age-encryption.org/v1');
    }
    expect(plain.manifest.tables.map(({ file }) => file)).to.include('portal.people.copy.br');
  });

  it('forgets again whoever was deleted after it, and lists the keys that work again', async () => {
    const [deleted = ''] = source.accounts;
    const folder = await copyOf(plain);
    appendFileSync(path.join(folder, 'erasures.ndjson'), `{"accountId":"${deleted}"}\n{"accountId":"01`);
    const target = await emptyDatabase();
    const restored = await restore(target, folder);
    expect(restored.erased).to.deep.equal([deleted]);
    expect(restored.heads[0]?.seq).to.be.greaterThan(source.head.seq);
    const people = (await rowsOf(target, 'portal.people')) as { id: string }[];
    expect(people.map(({ id }) => id)).to.deep.equal(['b']);
    const names = (await rowsOf(target, 'coordination.names')) as { account_id: string }[];
    expect(names.map(({ account_id: id }) => id)).not.to.include(deleted);
    expect(await rowsOf(target, 'coordination.key_uses')).to.deep.equal([]);
    expect(restored.keys.length).to.be.greaterThan(0);
    const journal = await openJournal({ databaseUrl: target.connectionString });
    const added = await journal.read(source.head.seq + 1, 100);
    await journal.close();
    expect(added.map(({ type }) => type)).to.include.members([
      'WriterEpochStarted',
      'AccountClosed',
      'DisplayNameForgotten',
    ]);
  });

  it('settles the names of open accounts that were pending when they were copied, and no others', async () => {
    const { connectionString } = source.database;
    const set = (pending: boolean) =>
      asOwner(source.database, (client) =>
        client.query('update coordination.names set pending = $1 where account_id = $2', [pending, source.accounts[0]]),
      );
    await set(true);
    await asOwner(source.database, (client) =>
      client.query(`insert into coordination.names values ('never-opened', $1, '', 'Soon', true)`, [SHARD]),
    );
    try {
      const into = new BackupFolder(path.join(home, 'pending'));
      const { folder } = await takeBackup({ backups: into, connectionString, eventStore: null, keys: null });
      const target = await emptyDatabase();
      await restore(target, folder);
      const names = (await rowsOf(target, 'coordination.names')) as { account_id: string; pending: boolean }[];
      expect(names.flatMap(({ account_id: id, pending }) => (pending ? id : []))).to.deep.equal(['never-opened']);
    } finally {
      await set(false);
      await asOwner(source.database, (client) =>
        client.query(`delete from coordination.names where account_id = 'never-opened'`),
      );
    }
  });

  it('makes no backup of a journal without events, which is elsewhere, and restores none', async () => {
    const { connectionString } = await emptyDatabase();
    await makeTables(connectionString, true);
    const into = new BackupFolder(path.join(home, 'elsewhere'));
    const here = takeBackup({ backups: into, connectionString, eventStore: null, keys: null });
    expect(await refusal(here)).to.match(
      /^BackupError: The journal in this database has no events: it is elsewhere, .*JOURNAL_URL.* No backup was made\.$/,
    );
    const server = await startFakeEventStore();
    const journal = await createEventStoreJournal({ connectionString: server.connectionString(), shard: SHARD });
    const there = takeBackup({ backups: into, connectionString, eventStore: { journal, shard: SHARD }, keys: null });
    expect(await refusal(there)).to.match(/EventStoreDB of JOURNAL_URL for shard main has no events: .*Check SHARD/);
    await journal.close();
    await server.close();
    expect(into.list()).to.deep.equal([]);
  });

  it('revokes the keys from before where that is asked for', async () => {
    const target = await emptyDatabase();
    const { heads, keys: live } = await restore(target, plain.folder, { revokesKeys: true });
    const journal = await openJournal({ databaseUrl: target.connectionString });
    const added = await journal.read(source.head.seq + 1, 1_000);
    await journal.close();
    expect(added.filter(({ type }) => type === 'ApiKeyRevoked').length).to.equal(live.length);
    expect(heads[0]?.seq).to.equal(added.at(-1)?.seq);
  });

  it('gives back a backup of a build before, which has the journal in one file', async () => {
    const folder = path.join(import.meta.dirname, 'former-backup');
    const target = await emptyDatabase();
    const { heads, manifest } = await restore(target, folder);
    expect([manifest.format, heads[0]?.seq]).to.deep.equal([1, 65]);
    const journal = await openJournal({ databaseUrl: target.connectionString });
    expect(checkChain(EMPTY_HEAD, await journal.read(1, 100))).to.deep.equal({
      seq: 65,
      hash: manifest.heads[0]?.hash,
    });
    await journal.close();
    expect(await rowsOf(target, 'portal.people')).to.have.lengthOf(2);
  });

  it('passes over a shard without events, whose journal is elsewhere', async () => {
    const folder = await copyOf(plain);
    changeHeads(folder, (heads) => [{ shard: 'elsewhere', ...EMPTY_HEAD }, ...heads]);
    const { heads } = await restore(await emptyDatabase(), folder);
    expect(heads.map(({ seq, shard }) => ({ seq, shard }))).to.deep.equal([{ seq: source.head.seq, shard: SHARD }]);
  });

  it('leaves no table behind in a database that is refused, or where it fails', async () => {
    const target = await emptyDatabase();
    const schemas = () =>
      asOwner(target, async (client) => {
        const { rows } = await client.query<{ name: string }>(`select nspname as name from pg_namespace`);
        return rows.map(({ name }) => name).filter((name) => !name.startsWith('pg_'));
      });
    const foreign = 'create schema read_v1_models';
    await asOwner(target, (client) => client.query(foreign));
    expect(await refusal(restore(target, plain.folder))).to.include('The database is not empty: read_v1_models');
    expect(await schemas()).to.have.members(['public', 'information_schema', 'read_v1_models']);
    await asOwner(target, (client) => client.query('drop schema read_v1_models'));
    const cut = restore(target, plain.folder, {
      onProgress: (doing) => {
        if (doing === 'folding') throw new Error('interrupted');
      },
    });
    expect(await refusal(cut)).to.equal('Error: interrupted');
    expect(await schemas()).to.have.members(['public', 'information_schema']);
  });

  it('shows of each step how far it has come', async () => {
    const steps = new Map<string, [number, number]>();
    const onProgress: OnProgress = (doing, done, of) => steps.set(doing, [done, of]);
    await restore(await emptyDatabase(), plain.folder, { onProgress });
    const { seq } = source.head;
    expect(Object.fromEntries(steps)).to.deep.equal({
      'checking files': [seq, seq],
      'restoring events': [seq, seq],
      folding: [seq, seq],
    });
  });

  it('refuses a place that is not empty, and changes nothing there', async () => {
    const before = await rowsOf(source.database, 'portal.people');
    expect(await refusal(restore(source.database, plain.folder))).to.match(
      /^BackupError: The database is not empty: .*journal\.events.* Nothing was changed\.$/,
    );
    expect(await rowsOf(source.database, 'portal.people')).to.deep.equal(before);
  });

  describe('of a damaged backup, or without its key, is refused before anything is written', () => {
    let target: TestDatabase;
    before(async () => {
      target = await emptyDatabase();
    });
    afterEach(async () => {
      const { rows } = await asOwner(target, (client) =>
        client.query(`select from pg_namespace where nspname in ('journal', 'portal')`),
      );
      expect(rows.length, 'schemas in the target').to.equal(0);
    });

    it('a file that was cut off', async () => {
      const folder = await copyOf(plain);
      truncateSync(path.join(folder, plain.manifest.parts[0]?.file ?? ''), 1_000);
      expect(await refusal(restore(target, folder))).to.match(
        /journal\.events\.1-\d+\.[0-9a-f]{64}\.copy\.br was cut off: 1000 of \d+ bytes/,
      );
    });

    it('a changed byte', async () => {
      const folder = await copyOf(plain);
      const file = path.join(folder, 'portal.people.copy.br');
      const bytes = readFileSync(file);
      bytes[bytes.length - 9] = (bytes[bytes.length - 9] ?? 0) ^ 1;
      writeFileSync(file, bytes);
      expect(await refusal(restore(target, folder))).to.match(/portal\.people\.copy\.br was changed: its SHA-256/);
    });

    it('a missing file', async () => {
      const folder = await copyOf(plain);
      rmSync(path.join(folder, 'coordination.names.copy.br'));
      expect(await refusal(restore(target, folder))).to.match(/coordination\.names\.copy\.br is missing/);
    });

    it('a changed manifest', async () => {
      const folder = await copyOf(plain);
      const file = path.join(folder, 'manifest.json');
      writeFileSync(file, readFileSync(file, 'utf8').replace(/"seq": (\d)/, '"seq": 9$1'));
      expect(await refusal(restore(target, folder))).to.match(/manifest\.json was changed: its SHA-256/);
      writeFileSync(file, readFileSync(file, 'utf8').slice(0, 200));
      expect(await refusal(restore(target, folder))).to.match(/manifest\.json was cut off or changed: it is not JSON/);
    });

    it('an end of the journal that its events do not have', async () => {
      const folder = await copyOf(plain);
      changeHeads(folder, (heads) => heads.map((head) => ({ ...head, hash: 'ab'.repeat(32) })));
      expect(await refusal(restore(target, folder))).to.match(
        /^BackupError: The restored journal has not the manifest's hash at sequence \d+: the backup is damaged\.$/,
      );
    });

    it('a backup of a build before, of a folder whose journal is elsewhere', async () => {
      const folder = await copyOf({ folder: path.join(import.meta.dirname, 'former-backup') });
      changeHeads(folder, (heads) => heads.map((head) => ({ ...head, ...EMPTY_HEAD })));
      expect(await refusal(restore(target, folder))).to.equal('BackupError: The backup has no journal.');
    });

    it('a later format', async () => {
      const folder = await copyOf(plain);
      writeFileSync(path.join(folder, 'manifest.json'), '{"format": 3}');
      expect(await refusal(restore(target, folder))).to.match(/format 3, and this program reads 1 and 2/);
    });

    it('a folder that is no backup', async () => {
      expect(await refusal(restore(target, home))).to.match(/holds no finished backup: there is no manifest\.json/);
    });

    it('no key, another key, and a public key alone', async () => {
      expect(await refusal(restore(target, sealed.folder))).to.match(/is encrypted: set BACKUP_KEY_FILE/);
      const other = path.join(home, 'other');
      await writeNewKey(other);
      expect(await refusal(restore(target, sealed.folder, { keys: await readKeyFile(other) }))).to.include(
        `is encrypted for another key than those of ${other}`,
      );
      const open = path.join(home, 'public');
      writeFileSync(open, `${keys.recipients[0]}\n`);
      expect(await refusal(restore(target, sealed.folder, { keys: await readKeyFile(open) }))).to.include(
        'has public keys alone',
      );
    });
  });

  it('can be repeated after one that was cut off', async () => {
    const target = await emptyDatabase();
    await makeTables(target.connectionString, true);
    // A trigger that ends the restore in its middle, as a full disk would.
    await asOwner(target, (client) =>
      client.query(`create function public.refuse() returns trigger language plpgsql as $$ begin raise 'disk full'; end $$;
        create trigger t before insert on portal.people execute function public.refuse()`),
    );
    expect(await refusal(restore(target, plain.folder))).to.include('disk full');
    expect(await rowsOf(target, 'journal.events')).to.deep.equal([]);
    await asOwner(target, (client) => client.query('drop trigger t on portal.people'));
    expect((await restore(target, plain.folder)).heads[0]?.seq).to.equal(source.head.seq);
  });

  it('leaves no half backup behind on a full disk, and says so', async function () {
    const disk = path.join(home, 'small-disk');
    await mkdir(disk);
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]);
    if (mounted.status !== 0) this.skip();
    try {
      expect(await refusal(take(null, new BackupFolder(disk)))).to.equal(
        `BackupError: The disk of ${disk} is full: no backup was made, and the former ones are unchanged.`,
      );
      expect(readdirSync(disk)).to.deep.equal([]);
    } finally {
      spawnSync('umount', [disk]);
    }
  });

  it('makes one backup at a time, and removes what an interrupted one has left', async () => {
    const into = new BackupFolder(path.join(home, 'one-at-a-time'));
    await mkdir(path.join(into.folder, '.unfinished-2026'), { recursive: true });
    const both = await Promise.allSettled([take(null, into), take(null, into)]);
    expect(both.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected']);
    expect(await refusal(Promise.all(both.map(settled)))).to.match(/Another backup into .* is under way \(pid \d+\)/);
    expect(readdirSync(into.folder).length).to.equal(1);
    expect(into.list().length).to.equal(1);
  });

  it('deletes backups that are older than so many days, but never the newest', async () => {
    const into = new BackupFolder(path.join(home, 'expiring'));
    const { connectionString } = source.database;
    const now = new Date('2026-11-30T00:00:00Z');
    for (const day of ['2026-10-01', '2026-10-02', '2026-11-20']) {
      await takeBackup({ backups: into, connectionString, eventStore: null, keys: null, takenAt: new Date(day) });
    }
    expect(into.expire(30, now).map((folder) => path.basename(folder))).to.have.members([
      '2026-10-01T00-00-00.000Z',
      '2026-10-02T00-00-00.000Z',
    ]);
    expect(into.expire(1, now)).to.deep.equal([]);
    expect(into.list().map(({ manifest }) => manifest.takenAt)).to.deep.equal(['2026-11-20T00:00:00.000Z']);
  });

  it('knows of every table whether it belongs to a backup', async () => {
    const database = await emptyDatabase();
    const { connectionString } = database;
    await makeTables(connectionString, true);
    await prepareRoles({ connectionString, shard: SHARD, journalIsHere: true }, {});
    const { rows } = await asOwner(database, (client) =>
      client.query<{ name: string }>(
        `select schemaname || '.' || tablename as name from pg_tables
         where schemaname not in ('pg_catalog', 'information_schema')`,
      ),
    );
    const known = new Set(BACKED_UP.map(({ name }) => name));
    const unknown = rows.filter(({ name }) => !known.has(name) && !LEFT_OUT.some(([pattern]) => pattern.test(name)));
    expect(unknown).to.deep.equal([]);
    expect(rows.map(({ name }) => name)).to.include.members([...known]);
  });
});

describe('backup and restore where the journal is in EventStoreDB', function () {
  this.timeout(60_000);

  it('moves the journal from one to another, and continues where it was cut off', async () => {
    const home = mkdtempSync(path.join(tmpdir(), 'backups-'));
    const [first, second] = [await startFakeEventStore(), await startFakeEventStore()];
    const open = (server: typeof first): Promise<Journal> =>
      createEventStoreJournal({ connectionString: server.connectionString(), shard: SHARD });
    const source = await exchange(() => open(first), false);
    const target = await testDatabase();
    const journal = await open(first);
    const copy = await open(second);
    const backups = new BackupFolder(home);
    try {
      const { folder } = await takeBackup({
        backups,
        connectionString: source.database.connectionString,
        eventStore: { journal, shard: SHARD },
        keys: null,
      });
      // A part of the journal is there already.
      await copy.append({ hash: '0'.repeat(64), seq: 0 }, await journal.read(1, 100));
      const restored = await restoreInto({
        connectionString: target.connectionString,
        eventStore: { journal: copy, shard: SHARD },
        erasuresIn: [],
        folder,
        keys: null,
        revokesKeys: false,
      });
      expect(restored.heads).to.deep.equal([{ shard: SHARD, ...source.head }]);
      expect(await copy.read(1, 1_000)).to.deep.equal(await journal.read(1, 1_000));
      const names = await openNames({ connectionString: target.connectionString, shard: SHARD });
      expect(await names.find({ accountId: source.accounts[0] ?? '', digest: '' })).to.include('Näme of');
      await names.close();
    } finally {
      await journal.close();
      await copy.close();
      await first.close();
      await second.close();
      await source.database.close();
      await target.close();
      rmSync(home, { recursive: true, force: true });
    }
  });
});
