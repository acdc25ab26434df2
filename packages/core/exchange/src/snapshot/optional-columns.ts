import { OPTIONAL_ORDER_FIELDS, PLAIN_ORDER } from '../commands.ts';
import type { OptionalFields } from '../commands.ts';
import { bareType } from '../fields.ts';
import { OPTIONAL_FIELDS, optionalFields } from '../optional-fields.ts';
import type { Order } from '../state/book.ts';
import { TextColumn, textsOf, valueAt } from '../state/packed.ts';
import type { Numbers, Texts } from '../state/packed.ts';

/** The columns of the fields that an order may leave out. Null is stored as an empty text, or as −1. */
export type OptionalColumns = {
  readonly [Name in keyof OptionalFields]: OptionalFields[Name] extends string | null ? Texts : Numbers;
};

export function optionalColumns(orders: readonly Order[]): OptionalColumns {
  const columns = OPTIONAL_FIELDS.map((name) => {
    const values = orders.map(({ given }) => given[name]);
    const isText = bareType(OPTIONAL_ORDER_FIELDS[name]) === 'text';
    return [name, isText ? textsOf(values.map((text) => String(text ?? ''))) : numbersOf(values)];
  });
  return Object.fromEntries(columns) as OptionalColumns;
}

function numbersOf(values: readonly unknown[]): Numbers {
  return new Float64Array(values.map((value) => Number(value ?? -1)));
}

/** Returns a function that reads these fields of a row. @throws Error for a row outside of the columns. */
export function optionalFieldsIn(columns: OptionalColumns): (row: number) => OptionalFields {
  const reads = OPTIONAL_FIELDS.map((name) => {
    const column: Texts | Numbers = columns[name];
    const read =
      column instanceof Float64Array ? numberIn(column, typeof PLAIN_ORDER[name] === 'boolean') : textIn(column);
    return [name, read] as const;
  });
  return (row) => {
    const fields: Record<string, unknown> = {};
    for (const [name, read] of reads) fields[name] = read(row);
    return optionalFields(fields as unknown as OptionalFields);
  };
}

function numberIn(column: Numbers, isFlag: boolean) {
  return (row: number): number | boolean | null => {
    const value = valueAt(column, row);
    if (isFlag) return value === 1;
    return value < 0 ? null : value;
  };
}

function textIn(texts: Texts) {
  const column = new TextColumn(texts);
  return (row: number): string | null => column.at(row) || null;
}
