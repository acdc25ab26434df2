import { connectionStringsOf, freshPasswords, prepareRoles } from '@paper/command-api';
import type { ByRole } from '@paper/command-api';
import { startEmbeddedPostgres } from '@paper/embedded-postgres';
import { createPostgresJournal } from '@paper/journal';
import type { Journal } from '@paper/journal';
import type { Logger, Teardown } from '@paper/runtime';
import type { StandaloneConfig } from './config.ts';

/** Connection strings: the owner's, and one for each role. */
export interface Databases extends ByRole<string> {
  readonly owner: string;
  /** Whether the server is a child of this process. */
  readonly isEmbedded: boolean;
}

/**
 * Gives the database of DATABASE_URL, with that one user for every part; else starts an embedded Postgres in the data
 * folder, with a role for each part. `onLost` is called when the embedded server ends by itself, since the service
 * cannot run without it.
 */
export async function startDatabase(
  config: StandaloneConfig,
  logger: Logger,
  teardown: Teardown,
  onLost: (error: Error) => void,
): Promise<Databases> {
  const given = config.DATABASE_URL;
  if (given !== undefined) {
    return { owner: given, command: given, projector: given, reader: given, portal: given, isEmbedded: false };
  }
  const postgres = await startEmbeddedPostgres({ dataDir: config.DATA_DIR, logger });
  await teardown.add('postgres', () => postgres.stop());
  postgres.onExit((reason) => onLost(new Error(reason)));
  const { connectionString: owner } = postgres;
  // New passwords at each start: only this process needs them, so they are not stored.
  const passwords = freshPasswords();
  await prepareRoles({ connectionString: owner, shard: 'main', journalIsHere: true }, passwords);
  return { owner, ...connectionStringsOf(owner, passwords), isEmbedded: true };
}

/** Opens the journal in the database. An embedded one has no other writer and no other follower: its folder is locked. */
export async function openJournal(
  { command, isEmbedded }: Databases,
  onError: (error: unknown) => void,
  teardown: Teardown,
): Promise<Journal> {
  const journal = await createPostgresJournal({ connectionString: command, alone: isEmbedded, onError });
  await teardown.add('journal', () => journal.close());
  return journal;
}
