import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type pg from 'pg';
import { from } from 'pg-copy-streams';

/** Rows for a table: the one parameter of a `copy … from stdin`, in the format that the statement names. */
export class CopiedRows {
  constructor(readonly chunks: readonly Buffer[]) {}
}

/**
 * The same pool, with connections that also run `copy … from stdin`. Its result counts the rows as that of an insert
 * does.
 */
export function copying(pool: pg.Pool): PostgresPool {
  const copying = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    async connect() {
      const client = await pool.connect();
      const copies = copying.get(client) ?? copyingClient(client);
      copying.set(client, copies);
      return copies;
    },
    end: () => pool.end(),
  };
}

function copyingClient(client: pg.PoolClient): PostgresPoolClient {
  const query = (text: string, parameters: unknown[]): Promise<unknown> => {
    const [rows] = parameters;
    return rows instanceof CopiedRows ? copy(client, text, rows) : client.query(text, parameters);
  };
  return {
    // Kysely uses cursors only where the dialect's settings have a cursor class.
    query: query as PostgresPoolClient['query'],
    release: () => client.release(),
  };
}

async function copy(client: pg.PoolClient, text: string, rows: CopiedRows): Promise<PostgresQueryResult<never>> {
  const into = client.query(from(text));
  await pipeline(Readable.from(rows.chunks), into);
  return { command: 'INSERT', rowCount: into.rowCount, rows: [] };
}
