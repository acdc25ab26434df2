import type pg from 'pg';
import { Fault } from './fault.ts';

const KINDS: Readonly<Record<string, string>> = {
  S: 'sequence',
  f: 'foreign table',
  m: 'materialized view',
  p: 'partitioned table',
  r: 'table',
  v: 'view',
};

/** The tables, views and sequences that belong to a schema. */
export type KnownRelations = Readonly<Record<string, 'sequence' | 'table' | 'view'>>;

/**
 * Checks that a schema has only known relations, and that no table inherits from them. Missing relations are found when
 * they are read. @throws Fault at `seq`
 */
export async function checkRelations(
  client: pg.ClientBase,
  schema: string,
  known: KnownRelations,
  seq: number,
): Promise<void> {
  const { rows } = await client.query<{ kind: string; name: string }>(
    `select relname as name, relkind as kind from pg_catalog.pg_class
     where relnamespace = to_regnamespace(quote_ident($1)) and relkind = any($2::"char"[]) order by relname`,
    [schema, Object.keys(KINDS)],
  );
  const right = Object.keys(known).join(', ');
  for (const { kind, name } of rows) {
    const there = KINDS[kind] ?? kind;
    if (Object.hasOwn(known, name) && known[name] === there) continue;
    throw new Fault('tables', seq, null, `schema ${schema} has the ${there} ${name}`, `${right}, and nothing else`);
  }
  const heirs = await client.query<{ heir: string; name: string }>(
    `select c.relname as name, i.inhrelid::regclass::text as heir
     from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhparent
     where c.relkind = 'r' and c.relnamespace = to_regnamespace(quote_ident($1)) order by 1, 2`,
    [schema],
  );
  const [heir] = heirs.rows;
  if (heir === undefined) return;
  const found = `table ${schema}.${heir.name} is inherited by ${heir.heir}, whose rows are read as its own`;
  throw new Fault('tables', seq, null, found, 'rows of its own alone');
}
