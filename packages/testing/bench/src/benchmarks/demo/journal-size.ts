import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';

export interface JournalSize {
  readonly events: number;
  readonly bytes: number;
  /** For each type the number of events, and the bytes of one with its share of pages and indexes. */
  readonly byType: ReadonlyMap<string, { readonly count: number; readonly bytes: number }>;
}

interface Row {
  readonly type: string;
  readonly count: string;
  readonly texts: string;
  readonly total: string;
}

/** Reads the size from the embedded Postgres of a running service. */
export async function journalSize(dataDir: string): Promise<JournalSize> {
  const file = readFileSync(path.join(dataDir, 'postgres.json'), 'utf8');
  const { connectionString } = JSON.parse(file) as { readonly connectionString: string };
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<Row>(`
      select type, count(*), sum(pg_column_size(e.*)) as texts, pg_total_relation_size('journal.events') as total
      from journal.events e group by type order by count(*) desc`);
    const texts = rows.reduce((sum, row) => sum + Number(row.texts), 0);
    const bytes = Number(rows[0]?.total ?? 0);
    return {
      events: rows.reduce((sum, row) => sum + Number(row.count), 0),
      bytes,
      byType: new Map(
        rows.map((row) => [
          row.type,
          { count: Number(row.count), bytes: ((Number(row.texts) / Number(row.count)) * bytes) / texts },
        ]),
      ),
    };
  } finally {
    await client.end();
  }
}
