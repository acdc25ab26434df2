import type { EventType } from '@paper/exchange/events';
import type { CommandlessEvent } from '@paper/journal';
import { ALL_TABLES } from '../models/tables.ts';
import type { ReadDb, ReadTables } from '../models/tables.ts';
import type { Checkpoint } from '../engine/checkpoint.ts';
import type { Statement } from '../engine/plan.ts';
import { createFold } from '../models/index.ts';
import type { ReadFold } from '../models/index.ts';
import {
  CommitsLost,
  isSchemaMissing,
  isTransient,
  ProjectionFault,
  ProjectionFenced,
  SchemaRetired,
} from '../engine/faults.ts';
import { PrivateVacuum } from '../engine/private-vacuum.ts';
import { OpenTransaction } from '../engine/open-transaction.ts';
import { isSmall, RowsMissing, writeAtOnce, writePlan } from '../engine/write.ts';
import type { RecentChanges } from './recent-changes.ts';

/** The position of an open projection. */
export interface Projected extends Checkpoint {
  /** The last event that may have changed a key's owner or permissions, or the sequence at the opening. */
  readonly keysSeq: number;
}

/** The types of events that change no key; events of all other types may. */
const TRADING_EVENTS: ReadonlySet<EventType> = new Set<EventType>([
  'OrderPlaced',
  'OrderFilled',
  'OrderCancelled',
  'OrderAmended',
  'OrderReplaced',
  'SharesMerged',
]);

/** The role of a projected schema: `serving` (also while it is filled, before it serves), or `former`. */
export type Role = 'serving' | 'former';

/** Options of a projection whose schema does not serve yet. */
export interface ProjectionSettings {
  readonly role?: Role;
  /** The only tables that are written; default: all of them. */
  readonly tables?: ReadonlySet<string>;
  /** The most positions in memory from sequence 0 on, some 150 bytes each (see `FoldSettings`). Default 0. */
  readonly positionsMax?: number;
  /** Records what each folded event changes; default: nothing is recorded. */
  readonly changes?: RecentChanges | undefined;
}

/** Folded events that are not written yet: a batch, or a part of one. */
export interface Folded {
  readonly from: Checkpoint;
  readonly to: Projected;
  readonly plan: readonly Statement[];
  /** Whether this part ends the batch, which is committed as a whole. */
  readonly endsBatch: boolean;
  readonly erases: boolean;
}

/**
 * The fold of the journal into one schema. Rows and checkpoint change in one transaction. The checkpoint's update is a
 * compare-and-set on the previous one, so a batch is written once or not at all, and on the schema's role: a projector
 * must stop when its schema no longer serves, since readers take their freshness from the checkpoint. After the first
 * error the instance is unusable, because its memory is ahead of the tables.
 */
export class Projection {
  #failed = false;
  /** The position of the newest batch that is folded and planned. */
  #planned: Projected;
  /** The transaction of a batch that is written in parts. */
  #transaction: OpenTransaction<ReadTables> | null = null;
  readonly #vacuum: PrivateVacuum;

  private constructor(
    private readonly db: ReadDb,
    readonly schema: string,
    private readonly settings: ProjectionSettings,
    private readonly memory: ReadFold,
    private written: Projected,
    private folded = written,
  ) {
    this.#planned = written;
    this.#vacuum = new PrivateVacuum(db, schema, ALL_TABLES);
  }

  /** @throws SchemaRetired when the schema does not exist, or has another role. */
  static async open(db: ReadDb, schema: string, settings: ProjectionSettings = {}): Promise<Projection> {
    try {
      return await db.transaction().execute(async (trx) => {
        const tables = trx.withSchema(schema);
        // A lost connection may still be committing: the lock waits for the end of its transaction.
        const row = await tables.selectFrom('checkpoint').selectAll().forUpdate().executeTakeFirst();
        if (row === undefined || row.retired !== isFormer(settings)) throw roleChanged(schema, settings);
        const { seq, hash, at_ms: atMs } = row;
        const memory = await createFold({
          positionsMax: seq === 0 ? (settings.positionsMax ?? 0) : 0,
          writes: ({ name }) => settings.tables?.has(name) !== false,
        }).load(tables, atMs);
        settings.changes?.restart(schema, seq);
        return new Projection(db, schema, settings, memory, { seq, hash, atMs, keysSeq: seq });
      });
    } catch (error) {
      throw isSchemaMissing(error) ? new SchemaRetired(`${schema} is not there`, { cause: error }) : error;
    }
  }

  get checkpoint(): Projected {
    return this.written;
  }

  /** Vacuums tables whose private values an earlier process may have cleared without a vacuum. */
  async resumeVacuum(): Promise<void> {
    if (await this.memory.hasErased(this.db.withSchema(this.schema))) this.#vacuum.request();
  }

  /** Folds whole decisions that follow the checkpoint, and writes them. @throws as `fold` and `write`. */
  async project(events: readonly CommandlessEvent[]): Promise<void> {
    for (const event of events) this.fold(event);
    const batch = this.endBatch();
    if (batch !== null) await this.write(batch);
  }

  /** Folds the next event, also while a batch is written. @throws ProjectionFault if it does not fit */
  fold(event: CommandlessEvent): void {
    this.#unlessFailed(() => {
      const seq = this.folded.seq + 1;
      if (event.seq !== seq) throw new ProjectionFault(`sequence ${event.seq} where ${seq} should be`);
      try {
        this.memory.apply(event);
      } catch (error) {
        throw new ProjectionFault(`sequence ${seq} (${event.event.type}) cannot be applied: ${String(error)}`, {
          cause: error,
        });
      }
      this.settings.changes?.record(event.event, seq, this.memory.rows.markets.current);
      const { at, type } = event.event;
      const keysSeq = TRADING_EVENTS.has(type) ? this.folded.keysSeq : seq;
      this.folded = { seq, hash: event.hash, atMs: at, keysSeq };
    });
  }

  /** Ends the batch, at the end of a decision. Returns its rest, ready to be written; null if nothing was folded. */
  endBatch(): Folded | null {
    return this.#plan(true, () => this.memory.planBatch(this.schema));
  }

  /** The part of an unfinished batch that can already be written; null if there is none. */
  endPart(): Folded | null {
    return this.#plan(false, () => this.memory.planPart(this.schema));
  }

  /**
   * Writes folded batches in their order, each wholly or not at all.
   * @throws ProjectionFault for a row that the tables refuse; ProjectionFenced when another projector has moved the
   * checkpoint; CommitsLost when the database has lost the last commits; SchemaRetired when the schema has another
   * role, or was dropped.
   */
  async write({ from, to, plan, endsBatch, erases }: Folded): Promise<void> {
    if (this.#failed) throw new Error('this projection has failed; open a new one');
    const statements = [this.#moveCheckpoint(from, to), ...plan];
    try {
      if (endsBatch && this.#transaction === null && isSmall(statements)) await writeAtOnce(this.db, statements);
      else await this.#writePart(statements, endsBatch);
      if (!endsBatch) return;
    } catch (error) {
      this.#failed = true;
      await this.abandonPart();
      throw await this.#explain(error, from, to.seq);
    }
    this.written = to;
    if (erases) this.#vacuum.request();
  }

  /** Writes a part of a batch in the batch's transaction, and commits the transaction at the end of the batch. */
  async #writePart(statements: readonly Statement[], endsBatch: boolean): Promise<void> {
    const transaction = (this.#transaction ??= await OpenTransaction.begin(this.db));
    await writePlan(transaction.trx, statements);
    if (!endsBatch) return;
    this.#transaction = null;
    await transaction.commit();
  }

  /** Rolls back a batch that was written in part and will not be finished. */
  async abandonPart(): Promise<void> {
    if (this.#transaction === null) return;
    this.#failed = true;
    const transaction = this.#transaction;
    this.#transaction = null;
    await transaction.rollback();
  }

  #plan(endsBatch: boolean, planned: () => Folded['plan']): Folded | null {
    const [from, to] = [this.#planned, this.folded];
    const { erases } = this.memory;
    if (to === from) return null;
    return this.#unlessFailed(() => {
      try {
        const plan = planned();
        this.#planned = to;
        return { from, to, plan, endsBatch, erases };
      } catch (error) {
        throw this.#asFault(error, from.seq + 1, to.seq);
      }
    });
  }

  #unlessFailed<T>(work: () => T): T {
    if (this.#failed) throw new Error('this projection has failed; open a new one');
    this.#failed = true;
    const result = work();
    this.#failed = false;
    return result;
  }

  /** Moves the checkpoint. Changes nothing if it is not at `from`, or the schema has another role. */
  #moveCheckpoint(from: Checkpoint, to: Checkpoint): Statement {
    return {
      table: 'checkpoint',
      text: `update "${this.schema}"."checkpoint" set seq = $1::int8, hash = $2, at_ms = $3::int8,
        served_from = case when served_from <= $1::int8 then 0 else served_from end
        where seq = $4::int8 and hash = $5 and retired = $6::bool`,
      values: [to.seq, to.hash, to.atMs, from.seq, from.hash, isFormer(this.settings)].map(String),
      rows: 1,
      sent: 1,
    };
  }

  async #explain(error: unknown, from: Checkpoint, last: number): Promise<unknown> {
    if (!(error instanceof RowsMissing && error.table === 'checkpoint')) {
      return this.#asFault(error, from.seq + 1, last);
    }
    try {
      return await this.#checkpointMoved(from);
    } catch (readError) {
      return this.#asFault(readError, from.seq + 1, last);
    }
  }

  async #checkpointMoved(from: Checkpoint): Promise<Error> {
    const found = await this.db.withSchema(this.schema).selectFrom('checkpoint').selectAll().executeTakeFirst();
    if (found === undefined || found.retired !== isFormer(this.settings)) {
      return roleChanged(this.schema, this.settings);
    }
    // Other projectors only move the checkpoint forward.
    if (found.seq < from.seq) {
      return new CommitsLost(`the checkpoint of ${this.schema} is at ${found.seq} again, and was at ${from.seq}`);
    }
    return new ProjectionFenced(
      `the checkpoint of ${this.schema} is at ${found.seq}, not ${from.seq}: another projector has moved it`,
    );
  }

  #asFault(error: unknown, first: number, last: number): unknown {
    if (error instanceof SchemaRetired || isTransient(error)) return error;
    if (isSchemaMissing(error)) return new SchemaRetired(`${this.schema} is not there`, { cause: error });
    return new ProjectionFault(`sequences ${first} to ${last} cannot be written: ${String(error)}`, { cause: error });
  }
}

function isFormer({ role = 'serving' }: ProjectionSettings): boolean {
  return role === 'former';
}

function roleChanged(schema: string, settings: ProjectionSettings): SchemaRetired {
  return new SchemaRetired(`${schema} ${isFormer(settings) ? 'serves again' : 'does not serve any more'}`);
}
