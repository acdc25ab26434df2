import type { EventType, ExchangeEvent } from '@paper/exchange/events';
import type { Plan } from './plan.ts';
import type { Table } from './table.ts';

/** The position of an event in the journal, and the data that the journal stores with it. */
export interface EventPosition {
  readonly seq: number;
  readonly id: string;
  /** The display name, where the event has one; null where it has none, or was erased. */
  readonly formerName: string | null;
  /** The key that sent the command of the event's decision; null where no key did. */
  readonly keyId: string | null;
}

/** How a projection folds: the same for all of its models. */
export interface FoldSettings {
  /** Whether a table is written. What the fold keeps in memory does not depend on it. */
  readonly writes: (table: Table) => boolean;
  /**
   * The maximum number of positions kept in memory by a fold that begins at sequence 0. Without them in memory, balances
   * are read from the tables; 0: they are never in memory.
   */
  readonly positionsMax: number;
}

/**
 * The rows that a model has in memory: those that the next events need, and those of the present batch. A plan holds
 * bytes only, so the next batch can be folded while one is written.
 */
export interface ModelRows {
  /** Whether the batch takes private values out of rows. */
  readonly erases?: boolean;
  /** The last event of the batch is applied. Runs for every model before anything is planned. */
  endBatch?(): void;
  /**
   * Plans, and drops from memory, rows that no later event of the batch changes. May run before the batch ends. Runs
   * for every model before any `planChanged`, so such rows may be computed from balances as they were before the batch.
   */
  planAdded?(plan: Plan): void;
  /** Plans, and drops from memory, all other rows of the batch. */
  planChanged?(plan: Plan): void;
}

type Handler<E, Rows> = (event: E, at: EventPosition, rows: Rows) => void;

/**
 * A read model: its tables, and how events change them.
 *
 * `Rows`: the models whose rows it uses, each before it in the list. A model changes another model's rows only through
 * that model's methods.
 */
export interface Model<Own extends ModelRows, Rows, Db> {
  readonly tables: readonly Table[];
  /** As at sequence 0. */
  readonly create: (rows: Rows, settings: FoldSettings) => Own;
  /** Continues after the rows of a checkpoint, whose event was at `atMs`. */
  load?(own: Own, db: Db, checkpoint: { readonly atMs: number; readonly rows: Rows }): Promise<void>;
  /** Whether private values were ever taken out of its stored rows. */
  hasErased?(db: Db): Promise<boolean>;
  /** Before any event, whatever its type. */
  readonly beforeEach?: Handler<ExchangeEvent, Rows>;
  readonly on: { readonly [T in EventType]?: Handler<Extract<ExchangeEvent, { readonly type: T }>, Rows> };
  /** After any event. */
  readonly afterEach?: Handler<ExchangeEvent, Rows>;
}
