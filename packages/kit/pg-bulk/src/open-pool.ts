import pg from 'pg';

/**
 * Opens a pool whose connections never end the process. A connection that breaks while it is in use fails its query,
 * and reports the same error as an event. So does a connection that breaks between two queries, or before its user
 * could listen.
 * @param onIdleError receives the error of a connection that was lost while it was not in use. The pool replaces it.
 * @param onBackend receives the process id of each new connection's backend, on the database's machine.
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

/** Runs the work on a connection of the pool, and closes the connection if the work fails. */
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
