import { withClient } from '../with-client.ts';

const ANSWER_MS = 750;

/** Reads the wall clock of a database, in ms since 1970 UTC. Rejects when it does not answer within about a second. */
export async function databaseClock(connectionString: string): Promise<number> {
  const limits = { connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS };
  return withClient({ connectionString, ...limits }, async (client) => {
    const { rows } = await client.query<{ ms: string }>(
      'select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as ms',
    );
    return Number(rows[0]?.ms);
  });
}
