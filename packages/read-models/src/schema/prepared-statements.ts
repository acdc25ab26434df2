import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';

/** The limit of prepared statements of a connection, since each keeps a plan; others are planned each time. */
const STATEMENTS_MAX = 200;

/**
 * The same pool, whose connections parse and plan a statement once: to plan what reads many tables takes longer than to
 * run it. What has no parameters (begin, commit) is sent as it is.
 */
export function preparing(pool: pg.Pool): PostgresPool {
  const preparing = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    async connect() {
      const client = await pool.connect();
      const prepared = preparing.get(client) ?? preparingClient(client);
      preparing.set(client, prepared);
      return prepared;
    },
    end: () => pool.end(),
  };
}

function preparingClient(client: pg.PoolClient): PostgresPoolClient {
  const names = new Map<string, string>();
  const nameOf = (text: string): string | undefined => {
    const existing = names.get(text);
    if (existing !== undefined || names.size === STATEMENTS_MAX) return existing;
    const name = `s${names.size}`;
    names.set(text, name);
    return name;
  };
  const query = (text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> => {
    const name = parameters.length === 0 ? undefined : nameOf(text);
    return client.query({ text, values: [...parameters], ...(name === undefined ? {} : { name }) });
  };
  return {
    // Kysely uses cursors only where the dialect's settings have a cursor class.
    query: query as unknown as PostgresPoolClient['query'],
    release: () => client.release(),
  };
}
