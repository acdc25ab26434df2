import type pg from 'pg';

/** The row of the checkpoint when the read models were read. */
export interface Checkpoint {
  readonly at: number;
  readonly hash: string;
  readonly seq: number;
  readonly retired: boolean;
  /** Readers wait until the read models have reached this sequence; 0 once they have. */
  readonly servedFrom: number;
}

/** Postgres's codes for a missing schema, table or column. */
const MISSING = new Set(['42P01', '3F000', '42703']);

/** Finds the serving read models in the client's transaction, or the reason (a text) why there are none. */
export async function findReadModels(client: pg.ClientBase) {
  try {
    const { rows: active } = await client.query<{ schema: string; version: number }>(
      `select schema, version from read_models.versions where status = 'active' order by version desc, schema`,
    );
    const [newest, second] = active;
    if (newest === undefined) return 'read_models.versions names no schema that is active';
    if (second?.version === newest.version) {
      return `read_models.versions names two active schemas of version ${newest.version}: ${newest.schema}, ${second.schema}`;
    }
    return await findCheckpoint(client, newest.schema);
  } catch (error) {
    if (!MISSING.has(String((error as { code?: unknown }).code))) throw error;
    return `the read models cannot be found: ${(error as Error).message}`;
  }
}

async function findCheckpoint(client: pg.ClientBase, schema: string) {
  const { rows } = await client.query<Checkpoint & { name: string }>(
    `select name, seq, hash, at_ms as at, retired, served_from as "servedFrom" from ${client.escapeIdentifier(schema)}.checkpoint order by name`,
  );
  const [only, second] = rows;
  if (only === undefined) return `${schema}.checkpoint has no row`;
  if (second !== undefined || only.name !== 'main') {
    return `${schema}.checkpoint has ${rows.length} ${second === undefined ? 'row' : 'rows'}, ${rows.map(({ name, seq }) => `${name} at ${seq}`).join(', ')}; one belongs there, main`;
  }
  const { name: _, ...checkpoint } = only;
  return { checkpoint, schema };
}
