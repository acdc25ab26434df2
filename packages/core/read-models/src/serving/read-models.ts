import { Unavailable } from '@paper/contracts';
import { CompiledQuery, sql } from 'kysely';
import type { ReadDb } from '../models/tables.ts';
import { FRESHNESS_TIMEOUT_MS } from './freshness.ts';
import type { JournalCheck, ServedCheckpoint } from '../engine/journal-check.ts';
import { pollProgress } from './progress.ts';
import type { ReadPosition, LocalProgress } from './progress.ts';
import type { Checkpoint } from '../engine/checkpoint.ts';
import { isSchemaMissing, isTransient } from '../engine/faults.ts';
import { NOTHING_HELD } from '../models/json-query.ts';
import type { HeldItems, JsonQuery } from '../models/json-query.ts';
import { PROJECTION_VERSION } from '../models/tables.ts';
import { activeSchema } from '../projection/registry.ts';

/** A consistent snapshot of the read models. */
export interface ReadView {
  readonly db: ReadDb;
  /** The journal sequence that every query in this view shows. */
  readonly seq: number;
  /** The time of the event at `seq`; 0 in an empty journal. */
  readonly atMs: number;
}

/** An answer, and the sequence that it shows. */
export interface Answered<T> {
  readonly value: T;
  readonly seq: number;
}

/** An answer with the schema that it was read from. Another schema may hold what a rebuild has corrected. */
export interface AnsweredFrom<T> extends Answered<T> {
  readonly schema: string;
}

interface Compiled {
  readonly schema: string;
  readonly statement: CompiledQuery;
}

interface CheckpointRow extends Omit<Checkpoint, 'hash'> {
  readonly served: boolean;
}

/** The checkpoint of the read models that are served. */
export type Served = ServedCheckpoint & Checkpoint;

/** The read models do not serve yet: they are being filled from the journal, after the first start or an update. */
export class BeingFilled extends Unavailable {
  constructor() {
    super('the read models are being filled from the journal; try again');
  }
}

/** The checkpoint is before a sequence that was already projected when the read began. */
class Behind extends Error {
  constructor(readonly dueSeq: number) {
    super(`the projection is not at ${dueSeq} again yet`);
  }
}

/** These stand for the values of a compiled statement; no text in Postgres can contain a zero byte. */
const SUBJECT_ID = '\0about';
const HELD_SEQ = '\0held';
const HELD_MARKETS = '\0markets';
const HELD = { seq: HELD_SEQ, marketIds: HELD_MARKETS } as unknown as HeldItems;

/** Codes of errors of a reader whose schema was swapped and dropped; a retry succeeds. */
const SWAP_ERROR_CODES = new Set(['42P01', '3F000', '40P01', '40001']);
const ATTEMPTS = 4;

/**
 * Reads the read models: each `read` is one read-only transaction at one sequence, each `queryOne` one statement. The
 * first statement checks the cached active schema, so a swap by a rebuild is noticed at once. No read shows an older
 * sequence than this process had seen projected when the read began: if a crash of the database undid the last commits,
 * the read is repeated once the projection is back there.
 */
export class ReadModels {
  #schema: string | null = null;
  /** The newest sequence seen in a schema. Another schema may belong to another journal. */
  #seen: ReadPosition = { schema: '', seq: 0 };
  readonly #compiled = new Map<unknown, Compiled>();
  /** The progress from polling the checkpoint. Local progress may report a crash later than a read sees it. */
  readonly polled = pollProgress(() => this.served());

  /** @param check refuses reads while the read models do not match the journal; default: never */
  constructor(
    private readonly db: ReadDb,
    private readonly localProgress?: Pick<LocalProgress, 'newest'>,
    private readonly check?: JournalCheck,
    private readonly forLongReads: ReadDb = db,
  ) {}

  /** Changes when the journal is replaced: caches drop readings of another generation. */
  get generation(): number {
    return this.check?.divergences ?? 0;
  }

  /** Checks the journal for answers that need no read, by `JournalCheck.assertNone`. @throws Unavailable */
  assertOfJournal(): void {
    this.check?.assertNone();
  }

  /**
   * Runs a query on one snapshot of the read models.
   * @throws Unavailable without read models of this version or a database, while they do not match the journal, and if
   * they went back (Postgres crashed) for longer than 2 s.
   */
  read<T>(query: (view: ReadView) => Promise<T>): Promise<T> {
    return this.#read(this.db, query);
  }

  /** Like `read`, on separate connections for long reads. Throws the signal's reason once it aborts. */
  readLong<T>(query: (view: ReadView) => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#read(this.forLongReads, query, signal);
  }

  async #read<T>(from: ReadDb, query: (view: ReadView) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#atLeastSeq((schema, dueSeq) => {
      signal?.throwIfAborted();
      return from
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute(async (trx) => {
          const checkpoint = await checkpointOf(trx, schema).executeTakeFirst();
          if (checkpoint === undefined) return null;
          const { seq, atMs } = this.#checkAt(checkpoint, schema, dueSeq);
          const db = trx.withSchema(schema);
          return { value: await query({ db: signal === undefined ? db : stoppable(db, signal), seq, atMs }) };
        });
    }).then(({ value }) => value);
  }

  /** @throws Unavailable, as `read`. */
  async queryOne<Found, Answer>(
    query: JsonQuery<Found, Answer>,
    subjectId: string,
    held = NOTHING_HELD,
  ): Promise<AnsweredFrom<Answer>> {
    const valueOf = (parameter: unknown): unknown => {
      if (parameter === SUBJECT_ID) return subjectId;
      if (parameter === HELD_SEQ) return held.seq;
      return parameter === HELD_MARKETS ? held.marketIds : parameter;
    };
    return this.#atLeastSeq(async (schema, dueSeq) => {
      const { sql: text, parameters } = this.#compile(query, schema);
      const statement = CompiledQuery.raw(text, parameters.map(valueOf));
      const { rows } = await this.db.executeQuery<CheckpointRow & { value: Found }>(statement);
      const [row] = rows;
      if (row === undefined) return null;
      const { seq } = this.#checkAt(row, schema, dueSeq);
      return { schema, seq, value: query.answer(row.value) };
    });
  }

  /** The present sequence, perhaps lower after a crash. @throws Unavailable without read models or a database */
  async seq(): Promise<number> {
    return (await this.served()).seq;
  }

  /** The checkpoint, even while the read models do not match the journal. @throws Unavailable, as `seq`. */
  async served(): Promise<Served> {
    return this.#inActiveSchema(async (schema) => {
      const checkpoint = await checkpointOf(this.db, schema).select('hash').executeTakeFirst();
      if (checkpoint === undefined) return null;
      const { seq, atMs } = this.#checkAt(checkpoint, schema, 0);
      return { schema, seq, hash: checkpoint.hash, atMs };
    });
  }

  /** Runs a query that needs no served schema. @throws errors of the database */
  readAnyway<T>(query: (db: ReadDb) => Promise<T>): Promise<T> {
    return query(this.db);
  }

  /** Runs `work` in the active schema. `work` checks that this is at `dueSeq`; if it is behind, `work` runs again. */
  async #atLeastSeq<T>(work: (schema: string, dueSeq: number) => Promise<T | null>): Promise<T> {
    if (this.check?.isReady === false) await this.check.ready;
    this.assertOfJournal();
    const seen = this.#seen;
    const localSeq = this.localProgress?.newest() ?? 0;
    const due = (schema: string): number => (schema === seen.schema ? Math.max(seen.seq, localSeq) : localSeq);
    let deadline: number | null = null;
    for (;;) {
      try {
        return await this.#inActiveSchema((schema) => work(schema, due(schema)));
      } catch (error) {
        if (!(error instanceof Behind)) throw error;
        deadline ??= performance.now() + FRESHNESS_TIMEOUT_MS;
        const isBack = await this.polled.reached(error.dueSeq, Math.max(0, deadline - performance.now()));
        if (!isBack) throw unavailable('the read models are behind what they have shown', error);
      }
    }
  }

  /** Checks that the checkpoint is usable. @throws Behind, Unavailable. */
  #checkAt(checkpoint: CheckpointRow, schema: string, dueSeq: number): CheckpointRow {
    const { seq } = checkpoint;
    if (!checkpoint.served) throw new BeingFilled();
    if (seq < dueSeq) throw new Behind(dueSeq);
    if (seq > this.#seen.seq || schema !== this.#seen.schema) this.#seen = { schema, seq };
    return checkpoint;
  }

  /** Runs `work` in the active schema; null if another schema became active. */
  async #inActiveSchema<T>(work: (schema: string) => Promise<T | null>): Promise<T> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      try {
        const result = await work((this.#schema ??= await this.#active()));
        if (result !== null) return result;
      } catch (error) {
        if (!SWAP_ERROR_CODES.has(String((error as { code?: unknown }).code))) {
          throw isTransient(error) ? unavailable('the database does not answer', error) : error;
        }
        if (attempt === ATTEMPTS) throw error;
      }
      this.#schema = null;
    }
    throw unavailable('the read models are being swapped');
  }

  #compile<Found>(query: JsonQuery<Found, unknown>, schema: string): CompiledQuery {
    const known = this.#compiled.get(query);
    if (known?.schema === schema) return known.statement;
    const value = query.build(this.db.withSchema(schema), SUBJECT_ID, HELD);
    const statement = checkpointOf(this.db, schema)
      .select(sql`(${value})`.as('value'))
      .compile();
    this.#compiled.set(query, { schema, statement });
    return statement;
  }

  async #active(): Promise<string> {
    const schema = await activeSchema(this.db).catch((error: unknown) => {
      // Without a registry, the database is not prepared yet.
      if (isSchemaMissing(error)) return null;
      throw error;
    });
    if (schema === null) throw new BeingFilled();
    return schema;
  }
}

/** The schema's checkpoint. No row: this schema must not be read (any more). */
function checkpointOf(db: ReadDb, schema: string) {
  return db
    .withSchema(schema)
    .selectFrom('checkpoint')
    .select(['seq', 'at_ms as atMs', sql<boolean>`seq >= served_from`.as('served')])
    .where('retired', '=', false)
    .where(
      sql<boolean>`exists (
        select from read_models.versions
        where schema = ${schema} and status = 'active' and version = ${PROJECTION_VERSION})`,
    );
}

/** Wraps the database so that a statement begun after the signal throws the signal's reason. */
function stoppable(db: ReadDb, signal: AbortSignal): ReadDb {
  return db.withPlugin({
    transformQuery: ({ node }) => {
      signal.throwIfAborted();
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  });
}

function unavailable(what: string, cause?: unknown): Unavailable {
  return new Unavailable(`${what}; try again`, { cause });
}
