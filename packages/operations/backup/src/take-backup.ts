import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { VERSION } from '@paper/contracts';
import { createPostgresJournal } from '@paper/journal';
import type { Journal } from '@paper/journal';
import { withClient } from '@paper/runtime';
import type pg from 'pg';
import { to } from 'pg-copy-streams';
import { BackupError } from './backup-error.ts';
import type { BackupFolder, StoredBackup } from './backup-folder.ts';
import { recipientsDigest } from './encryption.ts';
import type { BackupKeys } from './encryption.ts';
import { writeParts } from './journal-parts.ts';
import { manifestText, readManifest } from './manifest.ts';
import type { Manifest, PartFile, TableFile } from './manifest.ts';
import { ignoreProgress } from './progress.ts';
import type { OnProgress } from './progress.ts';
import { flush, writeRows } from './row-file.ts';
import { BACKED_UP, isOfJournal } from './tables.ts';

export interface BackupOptions {
  readonly backups: BackupFolder;
  readonly connectionString: string;
  /** Null: the journal is in the database. */
  readonly eventStore: { readonly journal: Pick<Journal, 'head' | 'read'>; readonly shard: string } | null;
  readonly keys: BackupKeys | null;
  readonly onProgress?: OnProgress;
  readonly takenAt?: Date;
}

/**
 * Copies journal, display names and identity into a new folder while the services run; intact parts of an earlier
 * backup are linked. All is read in one snapshot of the database. With an EventStoreDB the people are read first, then
 * the journal's head, then the names: so every person's account is in the journal, and every account has its name.
 * @throws BackupError when a part cannot be read, or the disk is full: no backup is added, and the others stay.
 */
export async function takeBackup(options: BackupOptions): Promise<StoredBackup> {
  const { backups, takenAt = new Date() } = options;
  try {
    const folder = await backups.create(takenAt, (draft) => fill(draft, takenAt, options));
    return { folder, manifest: readManifest(folder) };
  } catch (error) {
    throw asBackupError(error, backups.folder);
  }
}

async function fill(folder: string, takenAt: Date, options: BackupOptions): Promise<void> {
  const { eventStore, keys } = options;
  const { heads, tables } = await (eventStore === null ? copyAll(folder, options) : copySeparately(folder, options));
  const parts: PartFile[] = [];
  for (const head of heads) parts.push(...(await copyJournal(folder, head, options)));
  const { file, text } = manifestText({
    takenAt: takenAt.toISOString(),
    build: VERSION,
    journal: eventStore === null ? 'postgres' : 'eventstoredb',
    encrypted: keys !== null,
    recipients: keys === null ? null : recipientsDigest(keys),
    heads,
    tables,
    parts,
  });
  writeFileSync(path.join(folder, file), text, { mode: 0o600 });
  await flush(path.join(folder, file));
}

type Copied = Pick<Manifest, 'heads' | 'tables'>;

function copyAll(folder: string, { connectionString, keys }: BackupOptions): Promise<Copied> {
  return inSnapshot(connectionString, async (client) => {
    const { rows } = await client.query<{ shard: string; seq: string; hash: string }>(
      'select shard, seq, hash from journal.head where seq > 0 order by shard',
    );
    const heads = rows.map(({ seq, ...head }) => ({ ...head, seq: Number(seq) }));
    if (heads.length === 0) throw nothingIn('this database', 'JOURNAL_URL: that of the services');
    return { heads, tables: await copyTables(client, folder, keys, (table) => !isOfJournal(table)) };
  });
}

async function copySeparately(folder: string, { connectionString, eventStore, keys }: BackupOptions): Promise<Copied> {
  if (eventStore === null) throw new Error('the journal is in the database');
  const { journal, shard } = eventStore;
  const copy = (chosen: (table: string) => boolean): Promise<TableFile[]> =>
    inSnapshot(connectionString, (client) => copyTables(client, folder, keys, chosen));
  const isNames = (table: string): boolean => table === 'coordination.names';
  const others = await copy((table) => !isOfJournal(table) && !isNames(table));
  const { hash, seq } = await journal.head();
  if (seq === 0) throw nothingIn(`the EventStoreDB of JOURNAL_URL for shard ${shard}`, 'SHARD');
  return { heads: [{ shard, seq, hash }], tables: [...(await copy(isNames)), ...others] };
}

/** Copies the journal up to this head, which the snapshot has shown. */
async function copyJournal(
  folder: string,
  head: Manifest['heads'][number],
  { backups, connectionString, eventStore, keys, onProgress = ignoreProgress }: BackupOptions,
): Promise<readonly PartFile[]> {
  const recipients = keys === null ? null : recipientsDigest(keys);
  const isUsable = ({ manifest }: StoredBackup): boolean =>
    manifest.recipients === recipients && manifest.parts.some(({ shard }) => shard === head.shard);
  const former = backups.list().find(isUsable) ?? null;
  if (eventStore !== null) return writeParts({ folder, journal: eventStore.journal, head, former, keys, onProgress });
  const journal = await createPostgresJournal({ connectionString, shard: head.shard, asFound: true });
  try {
    return await writeParts({ folder, journal, head, former, keys, onProgress });
  } finally {
    await journal.close();
  }
}

/** A service appends an event at its first start, so no service uses an empty journal. */
function nothingIn(place: string, setting: string): BackupError {
  return new BackupError(
    `The journal in ${place} has no events: it is elsewhere, or no service was ever started. Check ${setting}. No backup was made.`,
  );
}

function inSnapshot<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  return withClient({ connectionString, application_name: 'paper-backup' }, async (client) => {
    await client.query('set search_path = pg_catalog');
    // The snapshot is taken by the first statement that reads.
    await client.query('begin isolation level repeatable read read only');
    const result = await work(client);
    await client.query('commit');
    return result;
  });
}

async function copyTables(
  client: pg.Client,
  folder: string,
  keys: BackupKeys | null,
  chosen: (table: string) => boolean,
): Promise<TableFile[]> {
  const copied: TableFile[] = [];
  for (const { name, orderBy } of BACKED_UP) {
    if (!chosen(name)) continue;
    const columns = await columnsOf(client, name);
    // A table may be missing: the services create their tables at their first start.
    if (columns.length === 0) continue;
    const rows = client.query(to(`copy (select ${columns.join(', ')} from ${name} order by ${orderBy}) to stdout`));
    const written = await writeRows(folder, name, rows, keys);
    copied.push({ name, columns, rows: rows.rowCount, ...written });
  }
  return copied;
}

/** The columns of a table; none if it does not exist. */
export async function columnsOf(client: Pick<pg.ClientBase, 'query'>, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = to_regclass($1) and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  );
  return rows.map(({ name }) => name);
}

const INSUFFICIENT_PRIVILEGE = '42501';

function asBackupError(error: unknown, folder: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new BackupError(`The disk of ${folder} is full: no backup was made, and the former ones are unchanged.`);
    case 'EACCES':
    case 'EROFS':
      return new BackupError(`${folder} cannot be written (${code}): no backup was made.`);
    case INSUFFICIENT_PRIVILEGE:
      return new BackupError(`DATABASE_URL must be that of the database's owner: ${message}.`);
    case '42P01':
      return new BackupError('This database has no journal yet: start the service once.');
    default:
      return error;
  }
}
