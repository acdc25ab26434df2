import type { JournalEvent } from '@paper/journal';
import type { ReadDb } from '../database.ts';
import { Batch } from './batch.ts';
import { isMissing, isPassing, ProjectionFault, ProjectionFenced, SchemaRetired } from './faults.ts';
import { Fold } from './fold.ts';
import { loadMarkets } from './load-markets.ts';
import { writeBatch } from './write.ts';

/** How far a projection is. */
export interface Checkpoint {
  readonly seq: number;
  readonly hash: string;
  /** Time of that event; 0 before the first. */
  readonly at: number;
}

/**
 * The fold of the journal into one schema. Rows and checkpoint change in one transaction, and the checkpoint's update
 * is a compare-and-set, so a batch is written once or not at all, by whom the checkpoint is at.
 *
 * Open → project… → and after the first error never again: its memory is ahead of the tables then. Open a new one.
 */
export class Projection {
  #failed = false;

  private constructor(
    private readonly db: ReadDb,
    readonly schema: string,
    private readonly fold: Fold,
    private current: Checkpoint,
  ) {}

  /** @throws SchemaRetired when the schema is not there, or is no longer to be projected into. */
  static async open(db: ReadDb, schema: string): Promise<Projection> {
    try {
      return await db.transaction().execute(async (trx) => {
        const tables = trx.withSchema(schema);
        // A connection that we lost may still be committing: the lock waits for its end.
        const row = await tables.selectFrom('checkpoint').selectAll().forUpdate().executeTakeFirst();
        if (row === undefined || row.retired) throw new SchemaRetired(`${schema} is retired`);
        const { seq, hash, at } = row;
        return new Projection(db, schema, new Fold(await loadMarkets(tables, at)), { seq, hash, at });
      });
    } catch (error) {
      throw isMissing(error) ? new SchemaRetired(`${schema} is not there`, { cause: error }) : error;
    }
  }

  get checkpoint(): Checkpoint {
    return this.current;
  }

  /**
   * Applies whole decisions that follow the checkpoint.
   *
   * @throws ProjectionFault for an event that does not fit; nothing of the batch is written.
   * @throws ProjectionFenced when another projector has moved the checkpoint.
   * @throws SchemaRetired when a refilled schema has taken over.
   */
  async project(events: readonly JournalEvent[]): Promise<void> {
    if (this.#failed) throw new Error('this projection has failed; open a new one');
    const last = events.at(-1);
    if (last === undefined) return;
    this.#failed = true;
    const batch = this.#foldAll(events);
    const next = { seq: last.seq, hash: last.hash, at: last.event.at };
    try {
      await this.db.transaction().execute(async (trx) => {
        await this.#moveCheckpoint(trx.withSchema(this.schema), next);
        await writeBatch(trx, this.schema, batch);
      });
    } catch (error) {
      throw this.#explain(error, events[0]?.seq ?? last.seq, last.seq);
    }
    this.current = next;
    this.#failed = false;
  }

  #foldAll(events: readonly JournalEvent[]): Batch {
    const batch = new Batch();
    let { seq } = this.current;
    for (const event of events) {
      seq += 1;
      if (event.seq !== seq) throw new ProjectionFault(`sequence ${event.seq} where ${seq} should be`);
      try {
        this.fold.apply(event, batch);
      } catch (error) {
        throw new ProjectionFault(`sequence ${seq} (${event.event.type}) cannot be applied: ${String(error)}`, {
          cause: error,
        });
      }
    }
    this.fold.finish(batch);
    return batch;
  }

  async #moveCheckpoint(db: ReadDb, next: Checkpoint): Promise<void> {
    const { numUpdatedRows } = await db
      .updateTable('checkpoint')
      .set(next)
      .where('seq', '=', this.current.seq)
      .where('hash', '=', this.current.hash)
      .where('retired', '=', false)
      .executeTakeFirst();
    if (numUpdatedRows === 1n) return;
    const found = await db.selectFrom('checkpoint').selectAll().executeTakeFirst();
    if (found === undefined || found.retired) throw new SchemaRetired(`${this.schema} is retired`);
    throw new ProjectionFenced(
      `the checkpoint of ${this.schema} is at ${found.seq}, not ${this.current.seq}: another projector has moved it`,
    );
  }

  #explain(error: unknown, first: number, last: number): unknown {
    if (error instanceof SchemaRetired || error instanceof ProjectionFenced || isPassing(error)) return error;
    if (isMissing(error)) return new SchemaRetired(`${this.schema} is not there`, { cause: error });
    return new ProjectionFault(`sequences ${first} to ${last} cannot be written: ${String(error)}`, { cause: error });
  }
}
