import type { Columns, RowOf } from '@paper/pg-bulk';

/** A row that is still being made. */
export type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** A stored row of this table. */
export type Row<T extends Table> = RowOf<T['columns']>;

/** An index; `on`: its columns and its condition, in SQL. */
export interface Index {
  readonly unique?: true;
  readonly on: string;
}

export interface TableSettings<C extends Columns> {
  /** Conditions that no correct journal can break: the projector stops rather than write a row that breaks one. */
  readonly checks?: readonly string[];
  /** The indexes. Paged lists are ordered by a sequence, so that a cursor stays valid after a rebuild. */
  readonly indexes?: readonly Index[];
  /** A rebuild creates the primary key last, since its fold looks up no row by the key, or reads nearly all rows. */
  readonly keyedLater?: true;
  /** The columns that searches with a typo compare, if the database has pg_trgm. */
  readonly searched?: readonly (keyof C & string)[];
  /** The columns whose values can be erased. The table is vacuumed after an erasure. */
  readonly private?: readonly (keyof C & string)[];
}

/** A table, declared as data. */
export interface Table<C extends Columns = Columns> {
  readonly name: string;
  readonly columns: C;
  readonly primaryKey: readonly string[];
  readonly checks: readonly string[];
  readonly indexes: readonly Index[];
  readonly keyedLater: boolean;
  readonly searched: readonly string[];
  readonly private: readonly string[];
}

export function table<C extends Columns>(
  name: string,
  columns: C,
  primaryKey: readonly (keyof C & string)[],
  settings: TableSettings<C> = {},
): Table<C> {
  const none = { checks: [], indexes: [], keyedLater: false, searched: [], private: [] };
  return { name, columns, primaryKey, ...none, ...settings };
}
