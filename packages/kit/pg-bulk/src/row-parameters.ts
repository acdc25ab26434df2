import type { ColumnType } from './columns.ts';

/** The number of rows up to which single parameters cost less than arrays or a copy; each has a prepared statement. */
export const FEW_ROWS = 2;

export interface ParameterColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** Rows whose values are sent as one parameter each, row by row, in the order of `columns`. */
export interface RowParameters {
  readonly columns: readonly ParameterColumn[];
  readonly values: readonly (string | null)[];
}

/** The values of a few rows as single parameters; null if a column holds arrays. Throws TypeError for a wrong type. */
export function rowParameters(columns: readonly ParameterColumn[], rows: readonly object[]): RowParameters | null {
  if (columns.some(({ type }) => type === 'text[]')) return null;
  const values: (string | null)[] = [];
  for (const row of rows as readonly Readonly<Record<string, unknown>>[]) {
    for (const { name, type } of columns) values.push(parameter(type, row[name]));
  }
  return { columns, values };
}

function parameter(type: ColumnType, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (isOf(type, value)) return String(value);
  throw new TypeError(`${JSON.stringify(value)} where ${type} should be`);
}

function isOf(type: ColumnType, value: unknown): value is string | number | boolean {
  switch (type) {
    case 'text':
      return typeof value === 'string';
    case 'int8':
    case 'int2':
      return Number.isSafeInteger(value);
    case 'float8':
      return typeof value === 'number';
    case 'bool':
      return typeof value === 'boolean';
    case 'text[]':
      return false;
  }
}
