import { csv, type CsvCell } from '@paper/contracts';
import Table from 'cli-table3';

export const FORMATS = ['table', 'json', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

/** A state of the past, ready to be shown: what it is of, and one table. */
export interface Shown {
  /** What holds for all of it, by name. */
  readonly facts: Readonly<Record<string, CsvCell>>;
  /** What a row is called in JSON. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly CsvCell[])[];
}

/** As text: a table for people, JSON with the facts, or CSV (RFC 4180) of the rows. */
export function format(shown: Shown, as: Format): string {
  switch (as) {
    case 'table':
      return `${table(shown)}\n`;
    case 'json':
      return `${json(shown)}\n`;
    case 'csv':
      return csv(shown.columns, shown.rows);
  }
}

function table({ columns, facts, rows }: Shown): string {
  const shown = new Table({ head: [...columns], style: { border: [], compact: true, head: [] } });
  shown.push(...rows.map((row) => row.map((cell) => (cell === null ? '' : String(cell)))));
  const lines = Object.entries(facts).map(([name, value]) => `${name}: ${value === null ? 'none' : String(value)}`);
  return [...lines, shown.toString()].join('\n');
}

function json({ columns, facts, name, rows }: Shown): string {
  const objects = rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null])));
  return JSON.stringify({ ...facts, [name]: objects }, null, 2);
}
