import type { OrderPlaced } from '@paper/exchange/events';
import type { Column, Columns, RowOf } from '@paper/pg-bulk';

/** A column that holds a field of OrderPlaced. */
export type PlacedColumn<F extends keyof OrderPlaced = keyof OrderPlaced> = Column<OrderPlaced[F]> & {
  readonly field: F;
};

export function placed<F extends keyof OrderPlaced>(field: F, column: Column<OrderPlaced[F]>): PlacedColumn<F> {
  return { ...column, field };
}

type PlacedColumns = Columns & Readonly<Record<string, { readonly field: keyof OrderPlaced }>>;

/** The values of columns, each under the name of its field in OrderPlaced. */
export type FieldsIn<C extends PlacedColumns> = {
  readonly [Name in keyof C as C[Name]['field']]: RowOf<C>[Name];
};

/** Pairs of a column and the name of its field in OrderPlaced. */
export function fieldsOf<C extends PlacedColumns>(columns: C) {
  type Field = readonly [keyof C, C[keyof C]['field']];
  return Object.entries(columns).map(([column, { field }]) => [column, field]) as readonly Field[];
}

/** Returns a function that reads these columns of a row into an object with the names of their fields. */
export function fieldsIn<C extends PlacedColumns>(columns: C): (row: RowOf<C>) => FieldsIn<C> {
  const names = fieldsOf(columns);
  return (row) => {
    const fields: Record<string, unknown> = {};
    for (const [column, field] of names) fields[field] = row[column];
    return fields as FieldsIn<C>;
  };
}
