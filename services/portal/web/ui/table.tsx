import type { ComponentChildren } from 'preact';

export interface Column {
  readonly name: string;
  /** Figures are aligned at the right. */
  readonly isFigure?: boolean;
}

export interface TableProps {
  /** What the table shows, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column[];
  /** Rows, made with `Cell`. */
  readonly children: ComponentChildren;
}

/** A table. On a narrow screen it scrolls by itself, by keyboard too. */
export function Table({ caption, columns, children }: TableProps) {
  return (
    <div class="table-frame" role="region" aria-label={caption} tabIndex={0}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, isFigure }) => (
              <th key={name} scope="col" class={isFigure === true ? 'figure' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

export interface CellProps {
  readonly isFigure?: boolean;
  readonly children: ComponentChildren;
}

export function Cell({ isFigure, children }: CellProps) {
  return <td class={isFigure === true ? 'figure' : undefined}>{children}</td>;
}
