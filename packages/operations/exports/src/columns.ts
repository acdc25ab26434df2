/** A value of a row. A timestamp is ms since 1970 UTC, an int64 a safe integer, a double any finite number. */
export type Cell = number | string | boolean | null;

export type ColumnType = 'int64' | 'double' | 'string' | 'boolean' | 'timestamp';

/** The units of whole numbers: money in $0.0001 (`units`) or $0.00005 (`half units`), shares, or sequences. */
export type Unit = 'units' | 'half units' | 'shares' | 'sequence' | 'count';

/** A column of an exported table. */
export interface Column {
  readonly type: ColumnType;
  readonly isNullable: boolean;
  /** The unit of a whole number; null for every other type. */
  readonly unit: Unit | null;
  readonly description: string;
}

/** The key facts of the manifest. A format with metadata repeats them in each file. */
export type FileFacts = Readonly<Record<string, string>>;

export type Columns = Readonly<Record<string, Column>>;

type ValueOf<C extends Column> =
  | (C['type'] extends 'string' ? string : C['type'] extends 'boolean' ? boolean : number)
  | (C['isNullable'] extends true ? null : never);

/** A row of a table with these columns. */
export type RowOf<C extends Columns> = { readonly [N in keyof C]: ValueOf<C[N]> };

/** A row of any table, with its cells in the order of the columns. */
export type Row = Readonly<Record<string, Cell>>;

export const whole = (unit: Unit, description: string) =>
  ({ type: 'int64', isNullable: false, unit, description }) as const;

const withoutUnit =
  <const T extends ColumnType>(type: T) =>
  (description: string) =>
    ({ type, isNullable: false, unit: null, description }) as const;

export const number = withoutUnit('double');
export const text = withoutUnit('string');
export const yesNo = withoutUnit('boolean');
export const time = withoutUnit('timestamp');

/** A column with the value of this field of the event that begins the row. */
export const eventField = <const F extends string, C extends Column>(
  field: F,
  column: C,
): C & { readonly field: F } => ({
  ...column,
  field,
});

/** The same column, with null for missing values. */
export const orNull = <C extends Column>(column: C): Omit<C, 'isNullable'> & { readonly isNullable: true } => ({
  ...column,
  isNullable: true,
});
