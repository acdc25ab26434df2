import { startEmbeddedPostgres } from '@paper/embedded-postgres';
import type { Logger, Teardown } from '@paper/service-kit';
import type { StandaloneConfig } from './config.ts';

/**
 * The connection string of the database: that of DATABASE_URL, else of an embedded Postgres in the data folder.
 * Without its database the service is nothing: `onLost` is told when the embedded one ends by itself.
 */
export async function startDatabase(
  config: StandaloneConfig,
  logger: Logger,
  teardown: Teardown,
  onLost: (error: Error) => void,
): Promise<string> {
  if (config.DATABASE_URL !== undefined) return config.DATABASE_URL;
  const postgres = await startEmbeddedPostgres({ dataDir: config.DATA_DIR, logger });
  await teardown.add('postgres', () => postgres.stop());
  postgres.onExit((reason) => onLost(new Error(reason)));
  return postgres.connectionString;
}
