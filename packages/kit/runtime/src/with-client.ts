import pg from 'pg';

export interface ClientConfig extends pg.ClientConfig {
  readonly connectionString: string;
}

/** Does the work on a connection of its own. Opening it takes at most 5 s, unless the configuration says otherwise. */
export async function withClient<T>(config: ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionTimeoutMillis: 5_000, ...config });
  // A connection that breaks fails its current query. While it is idle, the error would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    const ended = client.end().catch(() => undefined);
    // A caller that limits the time of queries does not wait for a silent server here either.
    if (config.query_timeout === undefined) await ended;
  }
}
