import type { ComponentChildren } from 'preact';

export interface Column<T> {
  readonly name: string;
  /** Figures are aligned at the right. */
  readonly isFigure?: boolean;
  readonly cell: (row: T) => ComponentChildren;
}

export interface TableProps<T> {
  readonly caption: string;
  readonly columns: readonly Column<T>[];
  /** Null before they were read. */
  readonly rows: readonly T[] | null;
  readonly keyOf: (row: T) => string;
  readonly isOwn?: (row: T) => boolean;
  /** In place of a table without rows. */
  readonly empty?: string;
}

/** A table. On a narrow screen it scrolls separately, also by keyboard. */
export function Table<T>({ caption, columns, rows, keyOf, isOwn, empty }: TableProps<T>) {
  if (rows === null) return null;
  if (rows.length === 0 && empty !== undefined) return <p>{empty}</p>;
  const classOf = ({ isFigure }: Column<T>): string | undefined => (isFigure === true ? 'figure' : undefined);
  return (
    <div class="table-frame" role="region" aria-label={caption} tabIndex={0}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" class={classOf(column)}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} class={isOwn?.(row) === true ? 'own' : undefined}>
              {columns.map((column) => (
                <td key={column.name} class={classOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
