import type { Kysely, Transaction } from 'kysely';
import { sql } from 'kysely';
import { createIndexes, createSchema } from '../engine/create-schema.ts';
import { installTrigrams } from '../engine/trigrams.ts';
import type { ReadDb, ReadTables } from '../models/tables.ts';
import { ALL_TABLES, PROJECTION_VERSION } from '../models/tables.ts';

/**
 * The status of a schema of read models. `filling`: a rebuild fills it, or was interrupted and will resume. `active`:
 * readers read it (at most one of a version); a rebuild exchanges it in one transaction. `former`: it was active, and
 * is still projected, so that it can serve again at once.
 */
export type SchemaStatus = 'active' | 'filling' | 'former';

/** Creates the registry where there is none. Concurrent calls are safe. */
export async function prepareRegistry(db: ReadDb): Promise<void> {
  await db.transaction().execute(createRegistry);
}

/**
 * Creates the registry, and an empty active schema if there is none of this version. Older read models stay for servers
 * that still run them, until a rebuild's `--retire` drops them. Concurrent calls are safe.
 */
export async function prepareReadModels(db: ReadDb, servedFrom = 0): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await createRegistry(trx);
    if ((await activeSchema(trx)) !== null) return;
    const schema = await registerSchema(trx, 'active', { servedFrom });
    await createIndexes(trx, schema, ALL_TABLES);
  });
}

async function createRegistry(trx: Transaction<ReadTables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('paper read models registry'))`.execute(trx);
  await sql`create schema if not exists read_models`.execute(trx);
  await sql`create table if not exists read_models.versions (
    schema text primary key,
    version int8 not null,
    status text not null check (status in ('active', 'filling', 'former')),
    created_at timestamptz not null default now()
  )`.execute(trx);
  await sql`create unique index if not exists versions_one_active on read_models.versions (version)
    where status = 'active'`.execute(trx);
  await sql`create sequence if not exists read_models.schema_number`.execute(trx);
  await installTrigrams(trx, 'read_models');
}

/** The schema that readers of this version read; null before the first. */
export async function activeSchema(db: Kysely<ReadTables>): Promise<string | null> {
  const { rows } = await sql<{ schema: string }>`
    select schema from read_models.versions where status = 'active' and version = ${PROJECTION_VERSION}`.execute(db);
  return rows[0]?.schema ?? null;
}

/** The active schema of this version, and the newest former one. `stamp` changes with every swap. */
export async function projectedSchemas(db: Kysely<ReadTables>) {
  const { rows } = await sql<{ schema: string; status: SchemaStatus; stamp: string }>`
    select schema, status, xmin::text as stamp from read_models.versions
    where version = ${PROJECTION_VERSION} and status <> 'filling' order by created_at desc, schema desc`.execute(db);
  const active = rows.find(({ status }) => status === 'active');
  const former = rows.find(({ status }) => status === 'former');
  return { active: active?.schema ?? null, former: former?.schema ?? null, stamp: active?.stamp ?? null };
}

/** Schemas of this version that a rebuild has begun to fill. */
export async function fillingSchemas(db: Kysely<ReadTables>): Promise<readonly string[]> {
  const { rows } = await sql<{ schema: string }>`
    select schema from read_models.versions where version = ${PROJECTION_VERSION} and status = 'filling'
    order by created_at desc`.execute(db);
  return rows.map(({ schema }) => schema);
}

/** Creates an empty schema without indexes, not read before `servedFrom`. A suffix: only some tables will be filled. */
export async function registerSchema(
  db: Kysely<ReadTables>,
  status: SchemaStatus,
  { servedFrom = 0, suffix = '' } = {},
): Promise<string> {
  const { rows } = await sql<{ number: number }>`select nextval('read_models.schema_number') as number`.execute(db);
  const schema = `read_v${String(PROJECTION_VERSION)}_${String(rows[0]?.number)}${suffix}`;
  await sql`insert into read_models.versions (schema, version, status)
    values (${schema}, ${PROJECTION_VERSION}, ${status})`.execute(db);
  await createSchema(db, schema, ALL_TABLES, servedFrom);
  return schema;
}
