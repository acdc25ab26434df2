import type { Columns } from '@paper/pg-bulk';

/** A row that is still being made. */
export type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** A table as data. */
export interface Table<C extends Columns> {
  readonly columns: C;
  readonly primaryKey: readonly (keyof C & string)[];
  /** Conditions that no correct journal can break: the projector stops rather than write past one. */
  readonly checks: readonly string[];
}

export function table<C extends Columns>(
  columns: C,
  primaryKey: readonly (keyof C & string)[],
  checks: readonly string[] = [],
): Table<C> {
  return { columns, primaryKey, checks };
}
