import { csv } from '@paper/contracts';
import type { CsvCell } from '@paper/contracts';
import { escapeLines, escapeText } from '@paper/runtime';
import Table from 'cli-table3';

export const FORMATS = ['table', 'json', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

/** A historical state in printable form: facts and one table. */
export interface Shown {
  readonly facts: Readonly<Record<string, CsvCell>>;
  /** The name of a row in JSON. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly CsvCell[])[];
}

/** Formats a state as a table, JSON, or CSV (RFC 4180). The journal's author is unknown, so its texts are escaped. */
export function format(shown: Shown, as: Format): string {
  switch (as) {
    case 'table':
      return `${table(shown)}\n`;
    case 'json':
      return `${escapeLines(json(shown))}\n`;
    case 'csv':
      return csv(
        shown.columns,
        shown.rows.map((row) => row.map(printable)),
      );
  }
}

const printable = (cell: CsvCell): CsvCell => (typeof cell === 'string' ? escapeText(cell) : cell);

function table({ columns, facts, rows }: Shown): string {
  const shown = new Table({ head: [...columns], style: { border: [], compact: true, head: [] } });
  shown.push(...rows.map((row) => row.map((cell) => (cell === null ? '' : String(printable(cell))))));
  const lines = Object.entries(facts).map(
    ([name, value]) => `${name}: ${value === null ? 'none' : String(printable(value))}`,
  );
  return [...lines, shown.toString()].join('\n');
}

function json({ columns, facts, name, rows }: Shown): string {
  const objects = rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null])));
  return JSON.stringify({ ...facts, [name]: objects }, null, 2);
}
