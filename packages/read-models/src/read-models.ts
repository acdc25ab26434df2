import { ApiError } from '@paper/contracts';
import { sql } from 'kysely';
import type { ReadDb } from './database.ts';
import { isMissing, isPassing } from './projection/faults.ts';
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

/** What a schema that is swapped and dropped under a reader can cause; read anew, it is gone. */
const SWAPPED = new Set(['42P01', '3F000', '40P01', '40001']);
const ATTEMPTS = 4;

/**
 * Readers' way to the read models. Each `read` is one read-only transaction at one sequence. The active schema is
 * remembered, and looked at anew in the first statement of each read, so a swap by a refill is noticed at once.
 */
export class ReadModels {
  #schema: string | null = null;

  constructor(private readonly db: ReadDb) {}

  /** @throws ApiError unavailable where there are no read models of this version, or no database. */
  async read<T>(query: (view: ReadView) => Promise<T>): Promise<T> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      try {
        const schema = (this.#schema ??= await this.#active());
        const result = await this.#readIn(schema, query);
        if (result.ok) return result.value;
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

  async #readIn<T>(
    schema: string,
    query: (view: ReadView) => Promise<T>,
  ): Promise<{ ok: true; value: T } | { ok: false }> {
    return this.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (trx) => {
        const { rows } = await sql<{ seq: number; at: number; served: boolean }>`
          select seq, at, seq >= served_from as served from ${sql.id(schema, 'checkpoint')} where not retired and exists (
            select from read_models.versions
            where schema = ${schema} and status = 'active' and version = ${PROJECTION_VERSION})`.execute(trx);
        const checkpoint = rows[0];
        if (checkpoint === undefined) return { ok: false };
        const { seq, at, served } = checkpoint;
        if (!served) throw unavailable('the read models are being refilled');
        return { ok: true, value: await query({ db: trx.withSchema(schema), seq, at }) };
      });
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

function unavailable(what: string, cause?: unknown): ApiError {
  const error = new ApiError('unavailable', `${what}; try again`, 503, { 'Retry-After': '1' });
  error.cause = cause;
  return error;
}
