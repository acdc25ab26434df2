import { onConnection, openPool } from '@paper/pg-bulk';
import { AppendUnknown, createPostgresJournal, EMPTY_HEAD, MAX_BATCH_BYTES } from '@paper/journal';
import type { Head, Journal, StoredEvent } from '@paper/journal';
import { isNameGiven } from '@paper/command-side';
import type { State } from '@paper/exchange';
import { readErasures } from '@paper/names';
import type pg from 'pg';
import { from } from 'pg-copy-streams';
import { pipeline } from 'node:stream/promises';
import { BackupError } from './backup-error.ts';
import type { BackupKeys } from './encryption.ts';
import { EVENT_COLUMNS, eventsOf } from './event-rows.ts';
import { hashAt } from './journal-parts.ts';
import { readManifest } from './manifest.ts';
import type { Manifest, PartFile, TableFile } from './manifest.ts';
import { endKeysAndNames } from './after-restore.ts';
import type { LiveKey } from './after-restore.ts';
import { ignoreProgress } from './progress.ts';
import type { OnProgress } from './progress.ts';
import { checkFiles, readRows } from './row-file.ts';
import { BACKED_UP, EVENTS, HEAD, isOfJournal } from './tables.ts';
import { columnsOf } from './take-backup.ts';

export interface RestoreOptions {
  readonly folder: string;
  readonly keys: BackupKeys | null;
  readonly connectionString: string;
  /** Creates the empty tables of every service, in the transaction of this pool. */
  readonly prepare: (pool: pg.Pool) => Promise<void>;
  readonly eventStore: { readonly journal: Journal; readonly shard: string } | null;
  /** Further folders, beside the backup's own, that list accounts whose names were deleted after it. */
  readonly erasuresIn: readonly string[];
  readonly revokesKeys: boolean;
  readonly onProgress?: OnProgress;
}

/** The outcome of a restore. */
export interface Restored {
  readonly manifest: Manifest;
  /** The manifest's heads, plus the events that forgot accounts and revoked keys. */
  readonly heads: Manifest['heads'];
  readonly erased: readonly string[];
  /** The keys that were live at the backup. They are live again unless `revokesKeys`. */
  readonly keys: readonly LiveKey[];
}

/** The most characters in one append to EventStoreDB. A character takes up to four bytes. */
const BATCH_CHARACTERS = MAX_BATCH_BYTES / 4;
const RESTORING = 'restoring events';
const LINE_END = 10;

/**
 * Restores a backup into an empty database, with an empty EventStoreDB if the journal is there. All files are checked
 * first. The database is written in one transaction, which also forgets the accounts that were forgotten since the
 * backup, so a failure leaves the database empty. A repeated restore goes on after the events that EventStoreDB has.
 * All sessions have ended. The services fold read models and snapshots again.
 * @throws BackupError when the backup is damaged, its key is missing, or the target is not empty.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { connectionString, eventStore, folder, keys, onProgress = ignoreProgress, prepare, revokesKeys } = options;
  const manifest = readManifest(folder);
  if (manifest.encrypted && (keys === null || keys.identities.length === 0)) {
    throw new BackupError(
      keys === null
        ? `${folder} is encrypted: set BACKUP_KEY_FILE to the file of its key.`
        : `BACKUP_KEY_FILE: ${keys.file} has public keys alone, which cannot read ${folder}: it needs the line AGE-SECRET-KEY-1….`,
    );
  }
  const fileKeys = manifest.encrypted ? keys : null;
  const read = (file: TableFile): AsyncIterable<Uint8Array> => readRows(folder, file, fileKeys);
  const events = eventFiles(manifest);
  const count = events.reduce((sum, { rows }) => sum + rows, 0);
  const files = [...manifest.tables, ...manifest.parts];
  await checkFiles(folder, files, fileKeys, (share) => onProgress('checking files', Math.round(share * count), count));
  const shards = shardsOf(manifest, eventStore?.shard ?? null);
  const erasures = [...new Set([folder, ...options.erasuresIn].flatMap(readErasures))];
  return inTransaction(connectionString, async (pool) => {
    await onConnection(pool, (client) => assertEmpty(client, eventStore !== null));
    await prepare(pool);
    await onConnection(pool, async (client) => {
      if (eventStore === null) {
        await fillEvents(client, events, read, (done) => onProgress(RESTORING, done, count));
        await fillHeads(client, shards);
      }
      for (const { name } of BACKED_UP) {
        const table = manifest.tables.find((one) => one.name === name);
        if (table === undefined || isOfJournal(name)) continue;
        await fill(client, table, read(table));
      }
      // Deleting the person's row also deletes the rows about the person.
      await client.query('delete from portal.people where account_id = any($1)', [erasures]);
      for (const table of ['names', 'key_uses']) {
        await client.query(`delete from coordination.${table} where account_id = any($1)`, [erasures]);
      }
    });
    const ended = [];
    for (const head of shards) {
      const journal = eventStore?.journal ?? (await createPostgresJournal({ pool, shard: head.shard, asFound: true }));
      if (eventStore !== null) await append(journal, head, readEvents(events, read), onProgress);
      await assertHead(journal, head);
      const { accounts, ...end } = await endKeysAndNames(journal, { erasures, revokesKeys, onProgress });
      await onConnection(pool, (client) => settleNames(client, head.shard, accounts));
      ended.push({ ...end, shard: head.shard });
    }
    return {
      manifest,
      heads: ended.map(({ head, shard }) => ({ shard, ...head })),
      erased: ended.flatMap(({ erased }) => erased),
      keys: ended.flatMap((one) => one.keys),
    };
  });
}

function shardsOf(manifest: Manifest, shard: string | null): Manifest['heads'] {
  // A database whose journal is elsewhere has an empty head.
  const heads = manifest.heads.filter(({ seq }) => seq > 0);
  if (heads.length === 0 || eventFiles(manifest).length === 0) throw new BackupError('The backup has no journal.');
  if (shard === null) return heads;
  const chosen = heads.filter((head) => head.shard === shard);
  if (chosen.length > 0) return chosen;
  throw new BackupError(
    `The backup has no journal of SHARD=${shard}, but of ${heads.map((one) => one.shard).join(', ')}.`,
  );
}

/** The files of events, in the order of the journals. The former format has one file for all shards. */
function eventFiles({ parts, tables }: Manifest): readonly TableFile[] {
  const rowsOf = ({ bytes, file, from, sha256, to }: PartFile): TableFile => ({
    ...{ name: EVENTS, columns: [...EVENT_COLUMNS], rows: to - from + 1 },
    ...{ bytes, file, sha256 },
  });
  return [...tables.filter(({ name }) => name === EVENTS), ...parts.map(rowsOf)];
}

async function* readEvents(files: readonly TableFile[], read: (file: TableFile) => AsyncIterable<Uint8Array>) {
  for (const file of files) yield* eventsOf(read(file), file.columns);
}

/**
 * Runs the work in one transaction, on a pool of one connection, even while the pool has the connection back. A failure
 * closes it, so nothing is committed.
 */
async function inTransaction<T>(connectionString: string, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const pool = openPool({ connectionString, max: 1, idleTimeoutMillis: 0, application_name: 'paper-restore' });
  try {
    await onConnection(pool, async (client) => {
      await client.query('set search_path = pg_catalog');
      await client.query('begin');
    });
    const result = await work(pool);
    await onConnection(pool, async (client) => {
      const { rows } = await client.query<{ own: boolean }>(
        'select pg_current_xact_id_if_assigned() is not null as own',
      );
      if (rows[0]?.own !== true) throw new BackupError('The connection to Postgres was lost: nothing was restored.');
      await client.query('commit');
    });
    return result;
  } finally {
    await pool.end();
  }
}

/** Checks that no service and no restore has used the database. @throws BackupError that names the tables with rows */
async function assertEmpty(client: pg.PoolClient, isJournalElsewhere: boolean): Promise<void> {
  const { rows: schemas } = await client.query<{ name: string }>(
    `select nspname as name from pg_namespace where nspname ~ '^read_v[0-9]' order by 1`,
  );
  const used = schemas.map(({ name }) => name);
  for (const { name } of BACKED_UP) {
    if (isJournalElsewhere && isOfJournal(name)) continue;
    // The creation of its table also makes the secrets and the head of an empty journal.
    const rowsOf = name === 'journal.head' ? `${name} where seq > 0` : name;
    if (name === 'coordination.secrets' || (await columnsOf(client, name)).length === 0) continue;
    const { rows } = await client.query(`select from ${rowsOf} limit 1`);
    if (rows.length > 0) used.push(name);
  }
  if (used.length === 0) return;
  throw new BackupError(
    `The database is not empty: ${used.join(', ')}. Restore into a new DATA_DIR, or into a new database. Nothing was changed.`,
  );
}

/** Writes the heads of the manifest, since a backup of an EventStoreDB has no rows of this table. */
async function fillHeads(client: pg.PoolClient, heads: Manifest['heads']): Promise<void> {
  await client.query(`delete from ${HEAD}`);
  for (const { hash, seq, shard } of heads) {
    await client.query(`insert into ${HEAD} (shard, seq, hash) values ($1, $2, $3)`, [shard, seq, hash]);
  }
}

/** Settles names that the journal gives, but that were still pending when they were copied. */
async function settleNames(client: pg.PoolClient, shard: string, accounts: State['accounts']): Promise<void> {
  const { rows } = await client.query<{ accountId: string; digest: string }>(
    'select account_id as "accountId", digest from coordination.names where shard = $1 and pending',
    [shard],
  );
  const given = rows.filter((name) => isNameGiven({ accounts }, name));
  await client.query(
    `update coordination.names set pending = false
     where (account_id, digest) in (select * from unnest($1::text[], $2::text[]))`,
    [given.map(({ accountId }) => accountId), given.map(({ digest }) => digest)],
  );
}

async function fill(client: pg.PoolClient, table: TableFile, rows: AsyncIterable<Uint8Array>): Promise<void> {
  const { columns, name } = table;
  const here = await columnsOf(client, name);
  const unknown = here.length === 0 ? columns : columns.filter((column) => !here.includes(column));
  if (unknown.length > 0) {
    throw new BackupError(
      `The backup has ${name} (${unknown.join(', ')}), which this program does not know: use the one that made it.`,
    );
  }
  // `prepare` has made new secrets, which the backup's ones replace.
  if (name === 'coordination.secrets') await client.query(`delete from ${name}`);
  const into = client.query(from(`copy ${name} (${columns.join(', ')}) from stdin`));
  await pipeline(rows, into);
  if (into.rowCount !== table.rows) {
    throw new BackupError(`${table.file} has ${into.rowCount} rows, and its manifest says ${table.rows}.`);
  }
}

async function fillEvents(
  client: pg.PoolClient,
  files: readonly TableFile[],
  read: (file: TableFile) => AsyncIterable<Uint8Array>,
  onRows: (done: number) => void,
): Promise<void> {
  let done = 0;
  const counted = async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      for (let at = chunk.indexOf(LINE_END); at >= 0; at = chunk.indexOf(LINE_END, at + 1)) done += 1;
      onRows(done);
      yield chunk;
    }
  };
  for (const file of files) await fill(client, file, counted(read(file)));
}

/** Appends the events to a journal that is empty, or has the first of them already. */
async function append(
  journal: Journal,
  end: Manifest['heads'][number],
  events: AsyncIterable<StoredEvent & { readonly shard: string }>,
  onProgress: OnProgress,
): Promise<void> {
  const found = await journal.head();
  let head: Head = EMPTY_HEAD;
  let batch: StoredEvent[] = [];
  let characters = 0;
  const send = async (): Promise<void> => {
    const last = batch.at(-1);
    if (last === undefined) return;
    await appendSurely(journal, head, batch);
    head = { hash: last.hash, seq: last.seq };
    [batch, characters] = [[], 0];
    onProgress(RESTORING, head.seq, end.seq);
  };
  for await (const { shard, ...event } of events) {
    if (shard !== end.shard) continue;
    if (event.seq <= found.seq) {
      // Either an earlier restore was interrupted, or EventStoreDB has outlived the loss of the database.
      if (event.seq === Math.min(found.seq, end.seq)) await assertHas(journal, event);
      head = { hash: event.hash, seq: event.seq };
      continue;
    }
    const size = event.publicText.length + (event.privateText?.length ?? 0) + 200;
    if (characters + size > BATCH_CHARACTERS) await send();
    batch.push(event);
    characters += size;
  }
  await send();
}

async function assertHas(journal: Journal, { hash, seq }: Head): Promise<void> {
  if ((await hashAt(journal, seq)) === hash) return;
  throw new BackupError(
    `EventStoreDB has another journal: its event ${seq} is not that of the backup. Restore into an empty one. Nothing was changed.`,
  );
}

const ATTEMPTS = 5;

/** A journal stores the same batch once, so it may be sent again. */
async function appendSurely(journal: Journal, head: Head, batch: readonly StoredEvent[]): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await journal.append(head, batch);
      return;
    } catch (error) {
      if (!(error instanceof AppendUnknown) || attempt === ATTEMPTS) throw error;
    }
  }
}

async function assertHead(journal: Journal, { hash, seq }: Head): Promise<void> {
  if (seq === 0 || (await hashAt(journal, seq)) === hash) return;
  throw new BackupError(`The restored journal has not the manifest's hash at sequence ${seq}: the backup is damaged.`);
}
