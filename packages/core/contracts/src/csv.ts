export type CsvCell = string | number | boolean | null;

/** Formats rows as CSV by RFC 4180: a header line first, a line break after each line, null as an empty cell. */
export function csv(columns: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return csvLines([columns, ...rows]);
}

/** Formats rows as the lines of CSV that follow a header line. */
export function csvLines(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((row) => `${row.map(text).join(',')}\r\n`).join('');
}

function text(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const shown = guarded(cell);
  return /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}

/** Puts an apostrophe before what a spreadsheet would run as a formula (OWASP, CSV injection). */
function guarded(cell: string): string {
  return /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
}
