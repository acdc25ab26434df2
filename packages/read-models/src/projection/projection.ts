import type { JournalEvent } from '@paper/journal';
import type { ReadDb } from '../database.ts';
import { Batch } from './batch.ts';
import { isMissing, isPassing, ProjectionFault, ProjectionFenced, SchemaRetired } from './faults.ts';
import { Fold } from './fold.ts';
import { loadMarkets, loadTotals } from './load-markets.ts';
import { planBatch, writePlan } from './write.ts';

/** How far a projection is. */
export interface Checkpoint {
  readonly seq: number;
  readonly hash: string;
  /** Time of that event; 0 before the first. */
  readonly at: number;
}

/** Events that are folded in memory, and not yet written. */
export interface FoldedBatch {
  readonly from: Checkpoint;
  readonly to: Checkpoint;
  readonly plan: ReturnType<typeof planBatch>;
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
    private readonly memory: Fold,
    private written: Checkpoint,
    private folded = written,
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
        const memory = new Fold(await loadMarkets(tables, at), await loadTotals(tables));
        return new Projection(db, schema, memory, { seq, hash, at });
      });
    } catch (error) {
      throw isMissing(error) ? new SchemaRetired(`${schema} is not there`, { cause: error }) : error;
    }
  }

  /** What is written. */
  get checkpoint(): Checkpoint {
    return this.written;
  }

  /** Folds whole decisions that follow the checkpoint, and writes them. What it throws: `fold` and `write`. */
  async project(events: readonly JournalEvent[]): Promise<void> {
    const folded = this.fold(events);
    if (folded !== null) await this.write(folded);
  }

  /**
   * Folds whole decisions that follow those folded last; while they are written, the next can be folded. Null for none.
   *
   * @throws ProjectionFault for an event that does not fit; nothing of its batch is written.
   */
  fold(events: readonly JournalEvent[]): FoldedBatch | null {
    const last = events.at(-1);
    if (last === undefined) return null;
    return this.#unlessFailed(() => {
      const batch = new Batch();
      const from = this.folded;
      let { seq } = from;
      for (const event of events) {
        seq += 1;
        if (event.seq !== seq) throw new ProjectionFault(`sequence ${event.seq} where ${seq} should be`);
        try {
          this.memory.apply(event, batch);
        } catch (error) {
          throw new ProjectionFault(`sequence ${seq} (${event.event.type}) cannot be applied: ${String(error)}`, {
            cause: error,
          });
        }
      }
      this.memory.finish(batch);
      this.folded = { seq: last.seq, hash: last.hash, at: last.event.at };
      return { from, to: this.folded, plan: planBatch(this.schema, batch) };
    });
  }

  /**
   * Writes what was folded, in the order in which it was folded.
   *
   * @throws ProjectionFault for what the tables refuse; nothing of the batch is written.
   * @throws ProjectionFenced when another projector has moved the checkpoint.
   * @throws SchemaRetired when a refilled schema has taken over.
   */
  async write({ from, to, plan }: FoldedBatch): Promise<void> {
    if (this.#failed) throw new Error('this projection has failed; open a new one');
    try {
      await this.db.transaction().execute(async (trx) => {
        await this.#moveCheckpoint(trx.withSchema(this.schema), from, to);
        await writePlan(trx, plan);
      });
    } catch (error) {
      this.#failed = true;
      throw this.#explain(error, from.seq + 1, to.seq);
    }
    this.written = to;
  }

  #unlessFailed<T>(work: () => T): T {
    if (this.#failed) throw new Error('this projection has failed; open a new one');
    this.#failed = true;
    const result = work();
    this.#failed = false;
    return result;
  }

  async #moveCheckpoint(db: ReadDb, from: Checkpoint, to: Checkpoint): Promise<void> {
    const { numUpdatedRows } = await db
      .updateTable('checkpoint')
      .set(to)
      .where('seq', '=', from.seq)
      .where('hash', '=', from.hash)
      .where('retired', '=', false)
      .executeTakeFirst();
    if (numUpdatedRows === 1n) return;
    const found = await db.selectFrom('checkpoint').selectAll().executeTakeFirst();
    if (found === undefined || found.retired) throw new SchemaRetired(`${this.schema} is retired`);
    throw new ProjectionFenced(
      `the checkpoint of ${this.schema} is at ${found.seq}, not ${from.seq}: another projector has moved it`,
    );
  }

  #explain(error: unknown, first: number, last: number): unknown {
    if (error instanceof SchemaRetired || error instanceof ProjectionFenced || isPassing(error)) return error;
    if (isMissing(error)) return new SchemaRetired(`${this.schema} is not there`, { cause: error });
    return new ProjectionFault(`sequences ${first} to ${last} cannot be written: ${String(error)}`, { cause: error });
  }
}
