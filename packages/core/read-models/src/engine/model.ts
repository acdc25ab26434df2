import type { EventType, ExchangeEvent } from '@paper/exchange/events';
import type { Plan } from './plan.ts';
import type { Table } from './table.ts';

/** The position of an event in the journal, and the data that the journal stores with it. */
export interface EventPosition {
  readonly seq: number;
  readonly id: string;
  /** The display name in the event; null if it has none, or the name was erased. */
  readonly formerName: string | null;
  /** The key that sent the command of the event's decision; null if no key did. */
  readonly keyId: string | null;
}

/** Settings of a fold, the same for all of its models. */
export interface FoldSettings {
  /** Whether a table is written. This does not change what the fold keeps in memory. */
  readonly writes: (table: Table) => boolean;
  /** The most positions that a fold from sequence 0 keeps in memory; beyond it, balances are read from the tables. */
  readonly positionsMax: number;
}

/** The rows that a model has in memory: those that the next events need, and those of the current batch. */
export interface ModelRows {
  /** Whether the batch erases private values from rows. */
  readonly erases?: boolean;
  /** Called after the last event of the batch, for every model before anything is planned. */
  endBatch?(): void;
  /**
   * Plans the rows that no later event of the batch changes, and drops them. May run before the batch ends, and runs
   * before any `planChanged`, so such rows may be computed from balances as they were before the batch.
   */
  planAdded?(plan: Plan): void;
  /** Plans all other rows of the batch, and drops them from memory. */
  planChanged?(plan: Plan): void;
}

type Handler<E, Rows> = (event: E, at: EventPosition, rows: Rows) => void;

/** A read model: its tables, and how events change them. `Rows`: the models that it uses, all earlier in the list. */
export interface Model<Own extends ModelRows, Rows, Db> {
  readonly tables: readonly Table[];
  readonly create: (rows: Rows, settings: FoldSettings) => Own;
  /** Loads what the model keeps in memory from the rows at a checkpoint, whose event was at `atMs`. */
  load?(own: Own, db: Db, checkpoint: { readonly atMs: number; readonly rows: Rows }): Promise<void>;
  /** Whether private values were ever erased from its stored rows. */
  hasErased?(db: Db): Promise<boolean>;
  readonly beforeEach?: Handler<ExchangeEvent, Rows>;
  readonly on: { readonly [T in EventType]?: Handler<Extract<ExchangeEvent, { readonly type: T }>, Rows> };
  readonly afterEach?: Handler<ExchangeEvent, Rows>;
}
