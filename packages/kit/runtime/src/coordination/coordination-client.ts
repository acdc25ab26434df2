import type pg from 'pg';
import { withClient } from '../with-client.ts';

const ANSWER_MS = 5_000;
const INSUFFICIENT_PRIVILEGE = '42501';
const MISSING = new Set(['42P01', '42703', '3F000']);

/** Does work in the schema `coordination` on its own connection. `denied`: the message for a role without rights. */
export async function inCoordination<T>(
  connectionString: string,
  denied: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  try {
    return await withClient({ connectionString, query_timeout: ANSWER_MS }, async (client) => {
      // Without this search path, a function in a schema that another role created could be called instead.
      await client.query('set search_path = pg_catalog');
      return work(client);
    });
  } catch (error) {
    if (codeOf(error) !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new Error(`${denied}; run \`npm run roles\` as the database's owner`, { cause: error });
  }
}

export async function unlessMissing<T>(query: Promise<T>): Promise<T | null> {
  try {
    return await query;
  } catch (error) {
    if (MISSING.has(codeOf(error))) return null;
    throw error;
  }
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code);
}
