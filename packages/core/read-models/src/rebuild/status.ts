import { sql } from 'kysely';
import type { ReadDb } from '../models/tables.ts';
import { PROJECTION_VERSION } from '../models/tables.ts';
import type { SchemaStatus } from '../projection/registry.ts';
import { withDatabase } from './connections.ts';
import { isRebuildRunning } from './rebuild-lock.ts';

/** The status of one schema of the read models. */
export interface SchemaState {
  readonly schema: string;
  readonly version: number;
  readonly status: SchemaStatus;
  readonly seq: number;
  /** The schema's size on disk, with its indexes. */
  readonly bytes: number;
}

export type RebuildStatus = Awaited<ReturnType<typeof rebuildStatusOf>>;

/** The status of all schemas, over a connection of its own. */
export async function rebuildStatus(connectionString: string): Promise<RebuildStatus> {
  return withDatabase(connectionString, rebuildStatusOf);
}

/** The status of all schemas, over an existing connection such as a reader's. */
export async function rebuildStatusOf(db: ReadDb) {
  const { rows } = await sql<Omit<SchemaState, 'seq'>>`
      select schema, version, status, (
        select coalesce(sum(pg_total_relation_size(c.oid)), 0)::int8 from pg_class c
        where c.relnamespace = (select oid from pg_namespace where nspname = schema) and c.relkind = 'r'
      ) as bytes
      from read_models.versions
      order by version desc, array_position(array['active', 'former', 'filling'], status), created_at desc`.execute(db);
  const schemas: SchemaState[] = [];
  for (const row of rows) {
    const found = await sql<{ seq: number }>`select seq from ${sql.id(row.schema, 'checkpoint')}`.execute(db);
    schemas.push({ ...row, seq: found.rows[0]?.seq ?? 0 });
  }
  return {
    version: PROJECTION_VERSION,
    /** Whether a rebuild is running; a schema that is `filling` without one was interrupted. */
    running: await isRebuildRunning(db),
    /** The schemas of each version, in this order: active, former, filling. */
    schemas,
  };
}
