import { sql } from 'kysely';
import type { QueryExecutorProvider } from 'kysely';
import type { Table } from './table.ts';

/** The name of the extension. In every Postgres since 13, a role that may create schemas may install it. */
const EXTENSION = 'pg_trgm';

/**
 * The similarity (0 to 1) from which a searched word matches, set for each connection. `queit` and `tezla` have 0.33
 * with `quiet` and `tesla`, `seocnd` has 0.29 with `second`.
 */
export const WORD_LIKENESS = `-c ${EXTENSION}.word_similarity_threshold=0.28`;

/** Installs pg_trgm if it is missing and the role may. Without it, searches find no text with a typo. */
export async function installTrigrams(db: QueryExecutorProvider, schema: string): Promise<void> {
  // Within the block, a refusal does not end the transaction.
  await sql`do $$ begin
    create extension if not exists ${sql.raw(EXTENSION)} schema ${sql.id(schema)};
  exception when others then
    raise notice 'searches find no typos: %', sqlerrm;
  end $$`.execute(db);
}

/** The schema with the functions that compare trigrams; null if the database has none that this role may use. */
export async function trigramSchema(db: QueryExecutorProvider): Promise<string | null> {
  const { rows } = await sql<{ schema: string }>`
    select n.nspname as schema from pg_extension e join pg_namespace n on n.oid = e.extnamespace
    where e.extname = ${EXTENSION} and has_schema_privilege(n.oid, 'usage')`.execute(db);
  return rows[0]?.schema ?? null;
}

/** Creates the indexes of searches with a typo, if that is possible. Existing ones are left unchanged. */
export async function createTrigramIndexes(
  db: QueryExecutorProvider,
  schema: string,
  tables: readonly Table[],
): Promise<void> {
  const searched = tables.filter((table) => table.searched.length > 0);
  const trigrams = searched.length === 0 ? null : await trigramSchema(db);
  if (trigrams === null) return;
  for (const { name, searched: columns } of searched) {
    const on = columns.map((column) => sql`${sql.id(column)} ${sql.id(trigrams, 'gin_trgm_ops')}`);
    await sql`create index if not exists ${sql.id(`${name}_by_likeness`)} on ${sql.id(schema, name)}
      using gin (${sql.join(on)})`.execute(db);
  }
}
