export type CsvValue = string | number | null;

/** Rows as CSV by RFC 4180, a header line first. Null is nothing between two commas. */
export function csv<K extends string>(columns: readonly K[], rows: readonly Readonly<Record<K, CsvValue>>[]): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))];
  return lines.map((line) => `${line.map(field).join(',')}\r\n`).join('');
}

function field(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = guarded(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A spreadsheet runs a text that begins like a formula; after an apostrophe it shows it (OWASP, CSV injection). */
function guarded(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
