import { useState } from 'preact/hooks';

export interface FigureTableProps {
  readonly summary: string;
  readonly columns: readonly string[];
  /** Returns the rows, each a time and then figures. */
  readonly rows: () => readonly (readonly string[])[];
}

/** The figures of a chart as a table, rendered once the person opens it. */
export function FigureTable({ summary, columns, rows }: FigureTableProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details class="chart-table" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen && (
        <div class="table-frame" role="region" aria-label={summary} tabIndex={0}>
          <table>
            <thead>
              <tr>
                {columns.map((name, index) => (
                  <th key={name} scope="col" class={index === 0 ? undefined : 'figure'}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows().map((row, at) => (
                <tr key={at}>
                  {row.map((text, index) => (
                    <td key={index} class={index === 0 ? 'number' : 'figure'}>
                      {text}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}
