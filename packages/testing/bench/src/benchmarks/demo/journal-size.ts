import { readFileSync } from 'node:fs';
import path from 'node:path';
import { withClient } from '@paper/runtime';

/** Reads the journal's size on disk, with indexes, from the embedded Postgres of a running service. */
export async function journalSize(dataDir: string) {
  const file = readFileSync(path.join(dataDir, 'postgres.json'), 'utf8');
  const { connectionString } = JSON.parse(file) as { readonly connectionString: string };
  const { rows } = await withClient({ connectionString }, (client) =>
    client.query<{ readonly [column in 'type' | 'count' | 'texts' | 'total']: string }>(`
      select type, count(*), sum(pg_column_size(e.*)) as texts, pg_total_relation_size('journal.events') as total
      from journal.events e group by type order by count(*) desc`),
  );
  const texts = rows.reduce((sum, row) => sum + Number(row.texts), 0);
  const bytes = Number(rows[0]?.total ?? 0);
  const byType = rows.map(({ type, count, texts: own }) => {
    // The bytes of an event, with its share of pages and indexes.
    return [type, { count: Number(count), bytes: ((Number(own) / Number(count)) * bytes) / texts }] as const;
  });
  return { events: rows.reduce((sum, row) => sum + Number(row.count), 0), bytes, byType };
}
