import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Journal, StoredEvent } from '@paper/journal';
import { BackupFolder, readKeyFile, takeBackup, writeNewKey } from '@paper/backup';
import type { BackupKeys, StoredBackup } from '@paper/backup';
import { SimulatedJournal, testDatabase } from '@paper/testkit';
import type { TestDatabase } from '@paper/testkit';
import { expect } from 'chai';
import { EVENT_COLUMNS, eventsOf } from '../src/event-rows.ts';
import { readRows } from '../src/row-file.ts';

const SHARD = 'main';
/** 1 % of the first. */
const [FIRST, MORE] = [8_000, 80];

describe('a backup beside an earlier one', function () {
  this.timeout(60_000);
  const home = mkdtempSync(path.join(tmpdir(), 'incremental-'));
  const simulated = new SimulatedJournal({ seed: 7 });
  let database: TestDatabase;
  let backups: BackupFolder;
  let first: StoredBackup;
  let seqOfFirst: number;

  const take = (
    keys: BackupKeys | null = null,
    journal: Pick<Journal, 'head' | 'read'> = simulated.journal,
  ): Promise<StoredBackup> => {
    const { connectionString } = database;
    return takeBackup({ backups, connectionString, eventStore: { journal, shard: SHARD }, keys });
  };
  const eventsIn = async ({ folder, manifest }: StoredBackup, keys: BackupKeys | null = null) => {
    const found: StoredEvent[] = [];
    for (const part of manifest.parts) {
      for await (const { shard: _, ...event } of eventsOf(readRows(folder, part, keys), EVENT_COLUMNS)) {
        found.push(event);
      }
    }
    return found;
  };
  const inodeOf = ({ folder }: StoredBackup, { file }: { readonly file: string }): number =>
    statSync(path.join(folder, file)).ino;
  const newKeys = async (name: string): Promise<BackupKeys> => {
    await writeNewKey(path.join(home, name));
    return readKeyFile(path.join(home, name));
  };
  const rangesOf = ({ manifest }: StoredBackup) => manifest.parts.map(({ from, to }) => [from, to]);

  before(async () => {
    database = await testDatabase();
    await simulated.run(FIRST);
    seqOfFirst = simulated.head.seq;
  });
  beforeEach(async () => {
    backups = new BackupFolder(mkdtempSync(path.join(home, 'backups-')));
    first = await take();
  });
  after(async () => {
    await database.close();
    rmSync(home, { recursive: true, force: true });
  });

  it('writes what is new, links the rest, and stays whole without the earlier one', async () => {
    await simulated.run(MORE);
    const { seq } = simulated.head;
    const from = first.manifest.heads[0]?.seq ?? 0;
    const second = await take();
    expect(rangesOf(second)).to.deep.equal([
      [1, from],
      [from + 1, seq],
    ]);
    const [shared, added] = second.manifest.parts;
    expect(shared).to.deep.equal(first.manifest.parts[0]);
    expect(inodeOf(second, shared!)).to.equal(inodeOf(first, shared!));
    // A day's events cost what they take, not what all before took.
    expect(added!.bytes).to.be.lessThan(shared!.bytes / 20);
    expect(added!.file).to.equal(`journal.events.${from + 1}-${seq}.${simulated.head.hash}.copy.br`);
    // As --keep-days does: the newest stays however old it is.
    const later = (days: number): Date => new Date(Date.now() + days * 86_400_000);
    expect(backups.expire(3, later(2))).to.deep.equal([]);
    expect(backups.expire(3, later(4))).to.deep.equal([first.folder]);
    expect(backups.expire(3, later(400))).to.deep.equal([]);
    expect(await eventsIn(second)).to.deep.equal(await simulated.journal.read(1, seq));
  });

  it('copies what it cannot link', async function () {
    const elsewhere = path.join(home, 'elsewhere');
    cpSync(first.folder, elsewhere, { recursive: true });
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', first.folder]);
    if (mounted.status !== 0) this.skip();
    try {
      cpSync(elsewhere, first.folder, { recursive: true });
      const second = await take();
      expect(second.manifest.parts).to.deep.equal(first.manifest.parts);
      const [part] = second.manifest.parts;
      const read = ({ folder }: StoredBackup): Buffer => readFileSync(path.join(folder, part!.file));
      expect(read(second).equals(read(first))).to.equal(true);
      expect(statSync(path.join(second.folder, part!.file)).mode & 0o777).to.equal(0o600);
    } finally {
      spawnSync('umount', [first.folder]);
    }
  });

  it('reads a part again whose file is damaged', async () => {
    const [part] = first.manifest.parts;
    const file = path.join(first.folder, part!.file);
    const bytes = readFileSync(file);
    bytes[1_000] = (bytes[1_000] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    const second = await take();
    expect(inodeOf(second, part!)).not.to.equal(inodeOf(first, part!));
    expect(await eventsIn(second)).to.deep.equal(await simulated.journal.read(1, simulated.head.seq));
  });

  it('links no part of a journal that has gone another way since', async () => {
    const at = seqOfFirst - 100;
    const other = (event: StoredEvent): StoredEvent =>
      event.seq < at ? event : { ...event, hash: event.hash.replaceAll(/[0-7]/g, 'f') };
    const journal = {
      head: async () => {
        const [last] = await simulated.journal.read(seqOfFirst, 1);
        return { seq: seqOfFirst, hash: other(last!).hash };
      },
      read: async (from: number, limit: number) => (await simulated.journal.read(from, limit)).map(other),
    };
    const second = await take(null, journal);
    expect(second.manifest.parts.map(({ file }) => file)).not.to.include(first.manifest.parts[0]?.file);
    expect((await eventsIn(second)).at(-1)?.hash).to.equal(second.manifest.heads[0]?.hash);
  });

  it('links what is encrypted to the same keys, and nothing of other keys', async () => {
    const [own, others] = [await newKeys('own'), await newKeys('others')];
    const sealed = await take(own);
    expect(sealed.manifest.parts[0]?.sha256).not.to.equal(first.manifest.parts[0]?.sha256);
    const again = await take(own);
    expect(again.manifest.parts).to.deep.equal(sealed.manifest.parts);
    expect(inodeOf(again, again.manifest.parts[0]!)).to.equal(inodeOf(sealed, sealed.manifest.parts[0]!));
    const foreign = await take(others);
    expect(foreign.manifest.parts[0]?.sha256).not.to.equal(sealed.manifest.parts[0]?.sha256);
    expect(await eventsIn(foreign, others)).to.deep.equal(await simulated.journal.read(1, simulated.head.seq));
    const plain = await take();
    expect(inodeOf(plain, plain.manifest.parts[0]!)).to.equal(inodeOf(first, first.manifest.parts[0]!));
  });

  it('leaves nothing where it is interrupted', async () => {
    const into = new BackupFolder(path.join(home, 'interrupted'));
    mkdirSync(into.folder);
    const interrupted = takeBackup({
      backups: into,
      connectionString: database.connectionString,
      eventStore: { journal: simulated.journal, shard: SHARD },
      keys: null,
      onProgress: (doing, done) => {
        if (done > 2_000) throw new Error(`interrupted while ${doing}`);
      },
    });
    const outcome = await interrupted.then(() => 'done', String);
    expect(outcome).to.equal('Error: interrupted while copying the journal');
    expect(spawnSync('ls', ['-A', into.folder], { encoding: 'utf8' }).stdout).to.equal('');
  });
});
