import { connectionStringsOf, freshPasswords, prepareRoles, type ByRole } from '@paper/command-api';
import { startEmbeddedPostgres } from '@paper/embedded-postgres';
import type { Logger, Teardown } from '@paper/service-kit';
import type { StandaloneConfig } from './config.ts';

/** Connection strings: the owner's, and those of who may do no more than its part needs. */
export interface Databases extends ByRole<string> {
  readonly owner: string;
  /** Whether its server is a child of this process. */
  readonly isEmbedded: boolean;
}

/**
 * Where the database is reached: that of DATABASE_URL, whoever that names, else an embedded Postgres in the data folder,
 * where each part has a role of its own. Without its database the service is nothing: `onLost` is told when the
 * embedded one ends by itself.
 */
export async function startDatabase(
  config: StandaloneConfig,
  logger: Logger,
  teardown: Teardown,
  onLost: (error: Error) => void,
): Promise<Databases> {
  const given = config.DATABASE_URL;
  if (given !== undefined) return { owner: given, command: given, projector: given, reader: given, isEmbedded: false };
  const postgres = await startEmbeddedPostgres({ dataDir: config.DATA_DIR, logger });
  await teardown.add('postgres', () => postgres.stop());
  postgres.onExit((reason) => onLost(new Error(reason)));
  const { connectionString: owner } = postgres;
  // New ones each time: nothing but this process needs them, so they lie nowhere.
  const passwords = freshPasswords();
  await prepareRoles({ connectionString: owner, shard: 'main', journalIsHere: true }, passwords);
  return { owner, ...connectionStringsOf(owner, passwords), isEmbedded: true };
}
