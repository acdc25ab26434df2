export type CsvCell = string | number | boolean | null;

/** Rows as CSV by RFC 4180, a header line first, each line ended. Null is nothing between two commas. */
export function csv(columns: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return csvLines([columns, ...rows]);
}

/** Rows as the lines of CSV that follow a header line. */
export function csvLines(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((row) => `${row.map(text).join(',')}\r\n`).join('');
}

function text(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const shown = guarded(cell);
  return /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}

/** A spreadsheet runs a text that begins like a formula; after an apostrophe it shows it (OWASP, CSV injection). */
function guarded(cell: string): string {
  return /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
}
