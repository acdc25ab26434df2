import { Redis } from 'ioredis';
import pg from 'pg';

const CONNECT_MS = 5_000;

/**
 * Checks that Postgres answers.
 * @throws Error whose message names the server and the reason.
 */
export async function reachPostgres(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_MS });
  // Later failures are detected by the services.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
  } catch (error) {
    throw new Error(`Postgres (DATABASE_URL): ${reasonOf(error)}`, { cause: error });
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Checks that Redis answers.
 * @throws Error whose message names the server and the reason.
 */
export async function reachRedis(url: string): Promise<void> {
  const redis = new Redis(url, { lazyConnect: true, connectTimeout: CONNECT_MS, retryStrategy: () => null });
  // The event has the reason; the rejection does not.
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

function reasonOf(error: unknown): string {
  // A name with several addresses, each of which refused the connection.
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}
