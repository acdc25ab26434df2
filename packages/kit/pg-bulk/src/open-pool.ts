import pg from 'pg';

/**
 * Opens a pool in which a broken connection fails only its own query, and is replaced if it is idle. `onBackend` gets
 * the process id of each connection's server process, on the database's machine.
 */
export function openPool(
  config: pg.PoolConfig,
  onIdleError?: (error: Error) => void,
  onBackend?: (pid: number) => void,
): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on('error', (error) => onIdleError?.(error));
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    // @types/pg does not declare `processID`.
    onBackend?.((client as unknown as { readonly processID: number }).processID);
  });
  return pool;
}

export async function onConnection<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    const result = await work(client);
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}
