import { ApiError } from '@paper/contracts';
import { CompiledQuery, sql } from 'kysely';
import type { ReadDb } from './database.ts';
import { isMissing, isPassing } from './projection/faults.ts';
import type { Question } from './question.ts';
import { activeSchema, PROJECTION_VERSION } from './registry.ts';

/** A consistent picture of the read models. */
export interface ReadView {
  /** For the queries of this package. */
  readonly db: ReadDb;
  /** The sequence of the journal that all of it shows. */
  readonly seq: number;
  /** That event's time; 0 in an empty journal. */
  readonly at: number;
}

/** An answer, and the sequence of the journal that it shows. */
export interface Answered<T> {
  readonly value: T;
  readonly seq: number;
}

/** A question as it is asked in a schema. */
interface Compiled {
  readonly schema: string;
  readonly statement: CompiledQuery;
}

interface CheckpointRow {
  readonly seq: number;
  readonly at: number;
  readonly served: boolean;
}

/** Stands for what is asked about in a compiled statement; no text in Postgres has a zero byte. */
const ABOUT = '\0about';

/** What a schema that is swapped and dropped under a reader can cause; read anew, it is gone. */
const SWAPPED = new Set(['42P01', '3F000', '40P01', '40001']);
const ATTEMPTS = 4;

/**
 * Readers' way to the read models. Each `read` is one read-only transaction at one sequence, each `ask` one statement.
 * The active schema is remembered, and looked at anew in the first statement of each, so a swap by a refill is noticed
 * at once.
 */
export class ReadModels {
  #schema: string | null = null;
  readonly #compiled = new Map<unknown, Compiled>();

  constructor(private readonly db: ReadDb) {}

  /** @throws ApiError unavailable where there are no read models of this version, or no database. */
  async read<T>(query: (view: ReadView) => Promise<T>): Promise<T> {
    return this.#inActiveSchema((schema) =>
      this.db
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute(async (trx) => {
          const checkpoint = await checkpointOf(trx, schema).executeTakeFirst();
          if (checkpoint === undefined) return null;
          const { seq, at } = served(checkpoint);
          return { value: await query({ db: trx.withSchema(schema), seq, at }) };
        }),
    ).then(({ value }) => value);
  }

  /** @throws ApiError unavailable, as `read`. */
  async ask<Found, Answer>(question: Question<Found, Answer>, about: string): Promise<Answered<Answer>> {
    return this.#inActiveSchema(async (schema) => {
      const { sql: text, parameters } = this.#compile(question, schema);
      const values = parameters.map((parameter) => (parameter === ABOUT ? about : parameter));
      const { rows } = await this.db.executeQuery<CheckpointRow & { value: Found }>(CompiledQuery.raw(text, values));
      const [row] = rows;
      return row === undefined ? null : { seq: served(row).seq, value: question.answer(row.value) };
    });
  }

  /** The sequence that the read models show. @throws ApiError unavailable, as `read`. */
  async seq(): Promise<number> {
    const { seq } = await this.#inActiveSchema(async (schema) => {
      const checkpoint = await checkpointOf(this.db, schema).executeTakeFirst();
      return checkpoint === undefined ? null : served(checkpoint);
    });
    return seq;
  }

  /** What `work` gives in the active schema; null: that is another one by now. */
  async #inActiveSchema<T>(work: (schema: string) => Promise<T | null>): Promise<T> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      try {
        const result = await work((this.#schema ??= await this.#active()));
        if (result !== null) return result;
      } catch (error) {
        if (!SWAPPED.has(String((error as { code?: unknown }).code))) {
          throw isPassing(error) ? unavailable('the database does not answer', error) : error;
        }
        if (attempt === ATTEMPTS) throw error;
      }
      this.#schema = null;
    }
    throw unavailable('the read models are being swapped');
  }

  #compile<Found>(question: Question<Found, unknown>, schema: string): CompiledQuery {
    const known = this.#compiled.get(question);
    if (known?.schema === schema) return known.statement;
    const value = question.select(this.db.withSchema(schema), ABOUT);
    const statement = checkpointOf(this.db, schema)
      .select(sql`(${value})`.as('value'))
      .compile();
    this.#compiled.set(question, { schema, statement });
    return statement;
  }

  async #active(): Promise<string> {
    const schema = await activeSchema(this.db).catch((error: unknown) => {
      // No registry: nobody has prepared this database yet.
      if (isMissing(error)) return null;
      throw error;
    });
    if (schema === null) throw unavailable('the read models are not filled yet');
    return schema;
  }
}

/** No row: it is not the schema to read (any more). */
function checkpointOf(db: ReadDb, schema: string) {
  return db
    .withSchema(schema)
    .selectFrom('checkpoint')
    .select(['seq', 'at', sql<boolean>`seq >= served_from`.as('served')])
    .where('retired', '=', false)
    .where(
      sql<boolean>`exists (
        select from read_models.versions
        where schema = ${schema} and status = 'active' and version = ${PROJECTION_VERSION})`,
    );
}

function served(checkpoint: CheckpointRow): CheckpointRow {
  if (!checkpoint.served) throw unavailable('the read models are being refilled');
  return checkpoint;
}

function unavailable(what: string, cause?: unknown): ApiError {
  const error = new ApiError('unavailable', `${what}; try again`, 503, { 'Retry-After': '1' });
  error.cause = cause;
  return error;
}
