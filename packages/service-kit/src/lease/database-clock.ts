import pg from 'pg';

const ANSWER_MS = 750;

/**
 * The wall clock of a database, in whole milliseconds since 1970 UTC. It is read seldom, so each time over a new
 * connection.
 * @throws where it does not answer within about a second.
 */
export async function databaseClock(connectionString: string): Promise<number> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS });
  // Without a listener, a connection that breaks while it is closed would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ ms: string }>(
      'select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as ms',
    );
    return Number(rows[0]?.ms);
  } finally {
    void client.end().catch(() => undefined);
  }
}
