import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { VERSION } from '@paper/contracts';
import type { Head, Journal } from '@paper/journal';
import { withClient } from '@paper/runtime';
import type pg from 'pg';
import { to } from 'pg-copy-streams';
import { BackupError } from './backup-error.ts';
import type { BackupFolder, StoredBackup } from './backup-folder.ts';
import type { BackupKeys } from './encryption.ts';
import { EVENT_COLUMNS, eventRow } from './event-rows.ts';
import { manifestText, readManifest } from './manifest.ts';
import type { Manifest, TableFile } from './manifest.ts';
import { BACKED_UP, EVENTS, isOfJournal } from './tables.ts';
import { flush, writeTableFile } from './table-file.ts';

export interface BackupOptions {
  /** BACKUP_DIR. */
  readonly backups: BackupFolder;
  /** Connects as the database's owner. */
  readonly connectionString: string;
  /** The journal in EventStoreDB; null: it is in the database. */
  readonly eventStore: { readonly journal: Pick<Journal, 'head' | 'read'>; readonly shard: string } | null;
  /** Null: the files are not encrypted. */
  readonly keys: BackupKeys | null;
  /** Default: now. */
  readonly takenAt?: Date;
}

/** Events that are read from EventStoreDB at once. */
const PAGE = 1_000;

/**
 * Copies journal, display names and identity into a new folder, while the services run.
 *
 * All tables are read in one snapshot of the database, so the journal ends where the last event was committed before.
 * Where the journal is in EventStoreDB: people first, then the journal's head, then the names, each snapshot after the
 * previous. So every account of a person is in the journal, and every account of the journal has its name.
 *
 * @throws BackupError where a part cannot be read, or the disk is full: no backup is added, and the others stay.
 */
export async function takeBackup(options: BackupOptions): Promise<StoredBackup> {
  const { backups, takenAt = new Date() } = options;
  try {
    const folder = await backups.create(takenAt, (draft) => fill(draft, takenAt, options));
    return { folder, manifest: readManifest(folder) };
  } catch (error) {
    throw explained(error, backups.folder);
  }
}

async function fill(folder: string, takenAt: Date, options: BackupOptions): Promise<void> {
  const { heads, tables } = await (options.eventStore === null
    ? copyAll(folder, options)
    : copyBeside(folder, options));
  const { file, text } = manifestText({
    takenAt: takenAt.toISOString(),
    build: VERSION,
    journal: options.eventStore === null ? 'postgres' : 'eventstoredb',
    encrypted: options.keys !== null,
    heads,
    tables,
  });
  writeFileSync(path.join(folder, file), text, { mode: 0o600 });
  await flush(path.join(folder, file));
}

type Copied = Pick<Manifest, 'heads' | 'tables'>;

/** The journal is in the database: everything is of one snapshot. */
function copyAll(folder: string, { connectionString, keys }: BackupOptions): Promise<Copied> {
  return inSnapshot(connectionString, async (client) => {
    const { rows } = await client.query<{ shard: string; seq: string; hash: string }>(
      'select shard, seq, hash from journal.head where seq > 0 order by shard',
    );
    const heads = rows.map(({ seq, ...head }) => ({ ...head, seq: Number(seq) }));
    if (heads.length === 0) throw nothingIn('this database', 'JOURNAL_URL: that of the services');
    return { heads, tables: await copyTables(client, folder, keys, () => true) };
  });
}

/** The journal is in EventStoreDB. */
async function copyBeside(folder: string, { connectionString, eventStore, keys }: BackupOptions): Promise<Copied> {
  if (eventStore === null) throw new Error('the journal is in the database');
  const { journal, shard } = eventStore;
  const copy = (chosen: (table: string) => boolean): Promise<TableFile[]> =>
    inSnapshot(connectionString, (client) => copyTables(client, folder, keys, chosen));
  const isNames = (table: string): boolean => table === 'coordination.names';
  const others = await copy((table) => !isOfJournal(table) && !isNames(table));
  const { hash, seq } = await journal.head();
  if (seq === 0) throw nothingIn(`the EventStoreDB of JOURNAL_URL for shard ${shard}`, 'SHARD');
  const names = await copy(isNames);
  const written = await writeTableFile(folder, EVENTS, eventRows(journal, shard, { hash, seq }), keys);
  const events = { name: EVENTS, columns: [...EVENT_COLUMNS], rows: seq, ...written };
  return { heads: [{ shard, seq, hash }], tables: [events, ...names, ...others] };
}

/** A service appends an event at its first start, so an empty journal is not the services'. */
function nothingIn(place: string, setting: string): BackupError {
  return new BackupError(
    `The journal in ${place} has no events: it is elsewhere, or no service was ever started. Check ${setting}. No backup was made.`,
  );
}

async function* eventRows(journal: Pick<Journal, 'read'>, shard: string, head: Head): AsyncGenerator<Uint8Array> {
  for (let seq = 1; seq <= head.seq; seq += PAGE) {
    const page = await journal.read(seq, Math.min(PAGE, head.seq - seq + 1));
    const last = page.at(-1);
    if (page.length === 0 || (last?.seq === head.seq && last.hash !== head.hash)) {
      throw new BackupError(`The journal has changed while it was read: sequence ${seq} and later.`);
    }
    yield Buffer.from(page.map((event) => eventRow(shard, event)).join(''));
  }
}

/** Runs the work in a transaction that sees the present database, without later commits. */
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
    // The services make their tables at their first start.
    if (columns.length === 0) continue;
    const rows = client.query(to(`copy (select ${columns.join(', ')} from ${name} order by ${orderBy}) to stdout`));
    const written = await writeTableFile(folder, name, rows, keys);
    copied.push({ name, columns, rows: rows.rowCount, ...written });
  }
  return copied;
}

/** The columns of a table; none where there is no such table. */
export async function columnsOf(client: Pick<pg.ClientBase, 'query'>, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = to_regclass($1) and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  );
  return rows.map(({ name }) => name);
}

const INSUFFICIENT_PRIVILEGE = '42501';

function explained(error: unknown, folder: string): unknown {
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
