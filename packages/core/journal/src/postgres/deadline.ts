import type { Pool, PoolClient } from 'pg';

/**
 * Runs the work on a connection of the pool for at most `timeoutMs`, including the wait for it. After a failure or a
 * timeout the connection is closed: its statement may still be running.
 * @throws Error on the timeout, and what the work throws.
 */
export async function withConnection<T>(
  pool: Pool,
  timeoutMs: number,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer from Postgres within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    const client = await connect(pool, late);
    try {
      const result = await Promise.race([work(client), late]);
      client.release();
      return result;
    } catch (error) {
      client.release(error instanceof Error ? error : true);
      throw error;
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Returns a connection that is obtained after the deadline to the pool at once. */
async function connect(pool: Pool, late: Promise<never>): Promise<PoolClient> {
  const connecting = pool.connect();
  try {
    return await Promise.race([connecting, late]);
  } catch (error) {
    void connecting.then(
      (client) => client.release(),
      () => undefined,
    );
    throw error;
  }
}
