import pg from 'pg';

/** The address of a database, and limits of the connection to it. */
export interface ClientConfig extends pg.ClientConfig {
  readonly connectionString: string;
}

/**
 * Does the work on a connection of its own, which takes 5 s to open at most unless the configuration says otherwise.
 * @throws where the database cannot be reached, and the errors of the work.
 */
export async function withClient<T>(config: ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionTimeoutMillis: 5_000, ...config });
  // A connection that breaks fails the query that is under way. While it is idle, it would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    const ended = client.end().catch(() => undefined);
    // Who limits how long a query takes does not wait for a silent server here either.
    if (config.query_timeout === undefined) await ended;
  }
}
