import Table from 'cli-table3';

export const FORMATS = ['table', 'json', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

export type Cell = string | number | boolean | null;

/** A state of the past, ready to be shown: what it is of, and one table. */
export interface Shown {
  /** What holds for all of it, by name. */
  readonly facts: Readonly<Record<string, Cell>>;
  /** What a row is called in JSON. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** As text: a table for people, JSON with the facts, or CSV (RFC 4180) of the rows. */
export function format(shown: Shown, as: Format): string {
  switch (as) {
    case 'table':
      return table(shown);
    case 'json':
      return json(shown);
    case 'csv':
      return [shown.columns, ...shown.rows].map((row) => row.map(csvCell).join(',')).join('\r\n');
  }
}

function table({ columns, facts, rows }: Shown): string {
  const shown = new Table({ head: [...columns], style: { border: [], head: [] } });
  shown.push(...rows.map((row) => row.map((cell) => (cell === null ? '' : String(cell)))));
  const lines = Object.entries(facts).map(([name, value]) => `${name}: ${value === null ? 'none' : String(value)}`);
  return [...lines, shown.toString()].join('\n');
}

function json({ columns, facts, name, rows }: Shown): string {
  const objects = rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null])));
  return JSON.stringify({ ...facts, [name]: objects }, null, 2);
}

/** A text that a spreadsheet would take for a formula is made one that it does not. */
function csvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
