import { withClient } from '@paper/runtime';
import { Redis } from 'ioredis';

const CONNECT_MS = 5_000;

/** Checks that Postgres answers. @throws Error that names the server and the reason. */
export async function reachPostgres(connectionString: string): Promise<void> {
  try {
    await withClient({ connectionString, connectionTimeoutMillis: CONNECT_MS }, (client) => client.query('select 1'));
  } catch (error) {
    throw new Error(`Postgres (DATABASE_URL): ${reasonOf(error)}`, { cause: error });
  }
}

/** Checks that Redis answers. @throws Error that names the server and the reason. */
export async function reachRedis(url: string): Promise<void> {
  const redis = new Redis(url, { lazyConnect: true, connectTimeout: CONNECT_MS, retryStrategy: () => null });
  // The reason is in the error event, not in the rejection.
  let reason: unknown = null;
  redis.on('error', (error) => (reason ??= error));
  try {
    await redis.connect();
    await redis.ping();
  } catch (error) {
    throw new Error(`Redis (REDIS_URL): ${reasonOf(reason ?? error)}`, { cause: error });
  } finally {
    redis.disconnect();
  }
}

export function reasonOf(error: unknown): string {
  // The name has several addresses, each of which refused the connection.
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}
