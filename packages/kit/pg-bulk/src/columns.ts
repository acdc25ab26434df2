export type ColumnType = 'text' | 'text[]' | 'int2' | 'int8' | 'float8' | 'bool';

/** A column as data, from which the DDL, the record lists of the bulk writes and the row types follow. */
export interface Column<T> {
  readonly sql: ColumnType;
  readonly nullable: boolean;
  /** Only carries the type; never set. */
  readonly type?: T;
}

export type Columns = Readonly<Record<string, Column<unknown>>>;

export type RowOf<C extends Columns> = {
  readonly [K in keyof C]: C[K] extends Column<infer T> ? T : never;
};

/** Text, optionally from a closed set of words. */
export function text<T extends string = string>(): Column<T> {
  return { sql: 'text', nullable: false };
}

export function texts<T extends string = string>(): Column<readonly T[]> {
  return { sql: 'text[]', nullable: false };
}

/** Whole numbers up to 2^53: money in units, shares, times in ms, sequences. */
export const int8: Column<number> = { sql: 'int8', nullable: false };
/** Whole numbers from -32,768 to 32,767, such as prices: a quarter of the space, for rows that have many. */
export const int2: Column<number> = { sql: 'int2', nullable: false };
export const float8: Column<number> = { sql: 'float8', nullable: false };
export const bool: Column<boolean> = { sql: 'bool', nullable: false };

export function nullable<T>(column: Column<T>): Column<T | null> {
  return { sql: column.sql, nullable: true };
}
