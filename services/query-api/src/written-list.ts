import { csv } from '@paper/contracts';
import type { CsvCell, PreSerialized } from '@paper/contracts';
import { etagOf } from '@paper/http';

/** A list as CSV (RFC 4180), with a header line, and the name of its file. */
export function csvAnswer<C extends string>(
  name: string,
  columns: readonly C[],
  items: readonly Readonly<Record<C, CsvCell>>[],
  answered: Pick<PreSerialized, 'headers' | 'seq'>,
): PreSerialized {
  const rows = items.map((item) => columns.map((column) => item[column]));
  return written(`${name}.csv`, csv(columns, rows), 'text/csv', answered);
}

export function linesAnswer(name: string, items: readonly object[], answered: Pick<PreSerialized, 'headers' | 'seq'>) {
  const text = items.map((item) => `${JSON.stringify(item)}\n`).join('');
  return written(`${name}.ndjson`, text, 'application/x-ndjson', answered);
}

function written(
  file: string,
  text: string,
  mediaType: 'text/csv' | 'application/x-ndjson',
  { headers, seq }: Pick<PreSerialized, 'headers' | 'seq'>,
): PreSerialized {
  const bytes = Buffer.from(text);
  return {
    preSerialized: { bytes, etag: etagOf(bytes) },
    mediaType,
    seq,
    headers: { ...headers, 'content-disposition': `attachment; filename="${file}"` },
  };
}
