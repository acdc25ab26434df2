import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';

type RunQuery = (text: string, parameters: unknown[]) => Promise<unknown>;

/**
 * Wraps the pool for Kysely. A connection that the server has ended is not given out again.
 * @param runOn returns the function that runs statements on a connection
 */
export function poolOf(pool: pg.Pool, runOn: (client: pg.PoolClient) => RunQuery): PostgresPool {
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    async connect() {
      const client = await pool.connect();
      const existing = clients.get(client);
      if (existing !== undefined) return existing;
      const wrapped = wrap(client, runOn(client));
      clients.set(client, wrapped);
      return wrapped;
    },
    end: () => pool.end(),
  };
}

function wrap(client: pg.PoolClient, run: RunQuery): PostgresPoolClient {
  let isBroken = false;
  const query = (text: string, parameters: unknown[]): Promise<unknown> =>
    run(text, parameters).catch((error: unknown) => {
      // The driver notices the end of the connection only later.
      isBroken ||= !(error instanceof pg.DatabaseError) || error.severity === 'FATAL';
      throw error;
    });
  return {
    // Kysely uses cursors only if the dialect's settings have a cursor class.
    query: query as PostgresPoolClient['query'],
    release: () => client.release(isBroken),
  };
}
