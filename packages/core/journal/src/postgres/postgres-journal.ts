import { int8, nullable, openPool, RowColumns, text } from '@paper/pg-bulk';
import type pg from 'pg';
import { FollowerQueues } from '../appended-events.ts';
import { checkBatch } from '../envelope.ts';
import { Wakeups } from '../follow.ts';
import { EMPTY_HEAD, WrongExpectedHead } from '../port.ts';
import type { FollowOptions, Head, Journal, StoredEvent } from '../port.ts';
import { listenForAppends } from './announcements.ts';
import { damageIn, damageInAll, isDamagedPage } from './damage.ts';
import { withConnection } from './deadline.ts';
import { appendFailure, isTransient } from './failures.ts';
import { CHANNEL, prepareSchema } from './schema.ts';
import type { JournalUse } from './schema.ts';

export interface PostgresJournalOptions {
  /** No other process appends or follows: appends are not announced, which saves both sides time. Default false. */
  readonly alone?: boolean;
  /** The time limit of an append, in ms; after that its outcome is unknown. Default 5,000. */
  readonly appendTimeoutMs?: number;
  /** Opens the journal without creating or checking tables: for auditors. Default false. */
  readonly asFound?: boolean;
  /** Receives the process id of the backend of each new connection, on the database's machine. */
  readonly onBackend?: ((pid: number) => void) | undefined;
  /** Receives the errors that are handled here (a lost connection), for the log. Default: ignored. */
  readonly onError?: (error: unknown) => void;
  /** The poll interval of followers, in ms, for events that were not announced. Default 250. */
  readonly pollMs?: number;
  /** The time limit of a read, in ms. Default 30,000. */
  readonly readTimeoutMs?: number;
  /** The shard, which names the journal in this database. Default `main`. */
  readonly shard?: string;
  /** The Postgres role of this process; default null: the role of its connection. */
  readonly use?: JournalUse;
}

const DEFAULTS: Required<Omit<PostgresJournalOptions, 'onBackend'>> = {
  alone: false,
  appendTimeoutMs: 5_000,
  asFound: false,
  onError: () => undefined,
  pollMs: 250,
  readTimeoutMs: 30_000,
  shard: 'main',
  use: null,
};

/** A given pool is used and left open. From a connection string the journal makes its own pool, and closes it. */
export type PostgresConnection = { readonly pool: pg.Pool } | { readonly connectionString: string };

/**
 * An append is one statement: one transaction, one round trip. The head moves only from the writer's expected head, and
 * events are inserted only if it moves. The commit waits for the disk, whatever the server's default is.
 */
const appendStatement = (name: string, announcement: string) => ({
  name,
  text: `
    with moved as (
      update journal.head set seq = $2::bigint, hash = $3
      where shard = $1 and seq = $4::bigint and hash = $5
      returning seq
    ), stored as (
      insert into journal.events (shard, seq, id, type, public_text, private_text, hash)
      select $1, e.seq, e.id::uuid, e.type, e.public_text, e.private_text, e.hash
      from unnest($6::int8[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[])
        as e (seq, id, type, public_text, private_text, hash)
      where exists (select from moved)
    )
    select set_config('synchronous_commit', 'on', true)${announcement} from moved`,
});
const APPEND_ANNOUNCED = appendStatement('journal_append', `, pg_notify('${CHANNEL}', $1 || ' ' || seq)`);
const APPEND_ALONE = appendStatement('journal_append_alone', '');

/**
 * The columns of a batch, each sent as one array in Postgres's binary format: quoting the texts here and parsing them
 * there, as JSON, took two fifths of an append's time in Postgres.
 */
const BATCH_COLUMNS = {
  seq: int8,
  id: text(),
  type: text(),
  publicText: text(),
  privateText: nullable(text()),
  hash: text(),
};

// A range instead of a limit, so that the generic plan of a prepared statement is also an index range.
const READ = {
  name: 'journal_read',
  text: `
    select seq, id, type, public_text, private_text, hash from journal.events
    where shard = $1 and seq >= $2::bigint and seq < $2::bigint + $3::bigint order by seq`,
  rowMode: 'array' as const,
};

const READ_PUBLIC = {
  name: 'journal_read_public',
  text: `
    select seq, id, type, public_text, null, hash, private_digest from journal.public_events
    where shard = $1 and seq >= $2::bigint and seq < $2::bigint + $3::bigint order by seq`,
  rowMode: 'array' as const,
};

const HEAD = { name: 'journal_head', text: 'select seq, hash from journal.head where shard = $1' };

/** The most empty announcements a second that are answered with a read: any role that connects can make false ones. */
const EMPTY_READS_PER_SECOND = 20;

type EventRow = [
  seq: string,
  id: string,
  type: string,
  publicText: string,
  privateText: string | null,
  hash: string,
  privateDigest?: string,
];

/**
 * Opens the journal in Postgres and creates missing tables.
 * @throws JournalDamaged when the head's row and the last event do not agree, or cannot be read; Error when the
 * database cannot be reached or used.
 */
export async function createPostgresJournal(options: PostgresJournalOptions & PostgresConnection): Promise<Journal> {
  const { asFound, shard, ...limits } = { ...DEFAULTS, ...options };
  const { onError, readTimeoutMs, use } = limits;
  const ownsPool = !('pool' in options);
  const pool =
    'pool' in options
      ? options.pool
      : openPool({ connectionString: options.connectionString, keepAlive: true }, undefined, options.onBackend);
  pool.on('error', onError);
  try {
    if (!asFound) await withConnection(pool, readTimeoutMs, (client) => prepareSchema(client, shard, use));
  } catch (error) {
    const found = isDamagedPage(error) && use !== 'public reader' ? await damageInAll(pool, shard, error) : error;
    if (ownsPool) await pool.end();
    else pool.off('error', onError);
    throw found;
  }
  return new PostgresJournal(pool, ownsPool, shard, limits);
}

class PostgresJournal implements Journal {
  readonly #closed = new AbortController();
  readonly #wakeups = new Wakeups();
  readonly #followers = new FollowerQueues();
  readonly #appendStatement: typeof APPEND_ANNOUNCED;
  readonly #reading: typeof READ;
  /** The last sequence of the batch that this instance appends or appended last; 0 after a failure. */
  #appending = 0;
  #listening: Promise<void> | null = null;

  constructor(
    private readonly pool: pg.Pool,
    private readonly ownsPool: boolean,
    private readonly shard: string,
    private readonly limits: Omit<typeof DEFAULTS, 'asFound' | 'shard'>,
  ) {
    this.#appendStatement = limits.alone ? APPEND_ALONE : APPEND_ANNOUNCED;
    this.#reading = limits.use === 'public reader' ? READ_PUBLIC : READ;
  }

  async append(expected: Head, batch: readonly StoredEvent[]): Promise<void> {
    checkBatch(expected, batch);
    const last = batch.at(-1);
    const columns = new RowColumns<StoredEvent>(BATCH_COLUMNS);
    for (const event of batch) columns.add(event);
    const arrays = columns.end().map(({ array }) => array);
    const values = [this.shard, last?.seq, last?.hash, expected.seq, expected.hash, ...arrays];
    let moved: boolean;
    this.#appending = last?.seq ?? 0;
    try {
      moved = await withConnection(this.pool, this.limits.appendTimeoutMs, async (client) => {
        const { rowCount } = await client.query({ ...this.#appendStatement, values });
        return rowCount === 1 || (await this.#stands(client, expected, batch));
      });
    } catch (error) {
      this.#readAgain();
      throw appendFailure(error);
    }
    if (!moved) {
      this.#readAgain();
      // If the head cannot be read either, the outcome of the append stays unknown.
      const actual = await this.head().catch((error: unknown) => Promise.reject(appendFailure(error)));
      throw new WrongExpectedHead(expected, actual);
    }
    this.#followers.offer(batch);
    this.#wakeups.wake(last?.seq);
  }

  head(): Promise<Head> {
    return withConnection(this.pool, this.limits.readTimeoutMs, async (client) => {
      const { rows } = await client.query<{ hash: string; seq: string }>({ ...HEAD, values: [this.shard] });
      const row = rows[0];
      if (row === undefined) throw new Error(`the journal has no head for shard ${this.shard}`);
      return { hash: row.hash, seq: Number(row.seq) };
    });
  }

  /** Reads as the port says. @throws JournalDamaged when a page of the table cannot be read. */
  async read(fromSeq: number, limit: number): Promise<readonly StoredEvent[]> {
    const read = (from: number, count: number): Promise<readonly StoredEvent[]> =>
      withConnection(this.pool, this.limits.readTimeoutMs, (client) => this.#read(client, from, count));
    try {
      return await read(fromSeq, limit);
    } catch (error) {
      throw isDamagedPage(error) ? await damageIn(read, fromSeq, limit, error) : error;
    }
  }

  async *follow(fromSeq: number, options: FollowOptions): AsyncGenerator<readonly StoredEvent[], void> {
    if (!this.limits.alone) {
      this.#listening ??= listenForAppends({
        // The pool's own configuration, password included, for a separate connection.
        connection: this.pool.options,
        onError: this.limits.onError,
        shard: this.shard,
        signal: this.#closed.signal,
        wakeups: { wake: (seq) => this.#announced(seq) },
      });
    }
    const source = {
      closed: this.#closed.signal,
      retries: (error: unknown): boolean => {
        this.limits.onError(error);
        return isTransient(error);
      },
      pollMs: this.limits.pollMs,
      emptyReadsPerSecond: EMPTY_READS_PER_SECOND,
      read: (from: number, limit: number): Promise<readonly StoredEvent[]> => this.read(from, limit),
      wakeups: this.#wakeups,
    };
    yield* this.#followers.follow(source, fromSeq, options);
  }

  async close(): Promise<void> {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort();
    await this.#listening;
    // The pool keeps its error listener: a server that is stopping still sends errors on connections that are being
    // closed.
    if (this.ownsPool) await this.pool.end();
    else this.pool.off('error', this.limits.onError);
  }

  /** Makes the followers read the journal again, since it may not end where this instance expected. */
  #readAgain(): void {
    this.#appending = 0;
    this.#followers.clear();
    this.#wakeups.wake();
  }

  /** Wakes the followers, except for this instance's append, whose events they get when it is acknowledged. */
  #announced(seq?: number): void {
    if (seq === undefined || !(seq <= this.#appending)) this.#wakeups.wake(seq);
  }

  async #stands(client: pg.ClientBase, expected: Head, batch: readonly StoredEvent[]): Promise<boolean> {
    const before = expected.seq === 0 ? [EMPTY_HEAD] : await this.#read(client, expected.seq, 1);
    if (before[0]?.hash !== expected.hash) return false;
    const there = await this.#read(client, expected.seq + 1, batch.length);
    return there.length === batch.length && there.every((event, index) => event.hash === batch[index]?.hash);
  }

  async #read(client: pg.ClientBase, fromSeq: number, limit: number): Promise<readonly StoredEvent[]> {
    const { rows } = await client.query<EventRow>({ ...this.#reading, values: [this.shard, fromSeq, limit] });
    const events = rows.map((row) => new ReadEvent(row));
    // Drops the rows. Otherwise the driver's objects keep each page's texts alive until a major collection, which takes
    // a quarter of a long read's time.
    rows.length = 0;
    return events;
  }
}

/**
 * A class, not an object literal: V8 may allocate a literal's objects in old space at once (it did in a fifth of long
 * reads), where they keep their texts alive until a major collection.
 */
class ReadEvent implements StoredEvent {
  readonly hash: string;
  readonly id: string;
  readonly privateText: string | null;
  readonly publicText: string;
  readonly seq: number;
  readonly type: string;
  declare readonly privateDigest?: string;

  constructor([seq, id, type, publicText, privateText, hash, privateDigest]: EventRow) {
    this.hash = hash;
    this.id = id;
    this.privateText = privateText;
    this.publicText = publicText;
    this.seq = Number(seq);
    this.type = type;
    if (privateDigest !== undefined) this.privateDigest = privateDigest;
  }
}
