import { setTimeout } from 'node:timers/promises';
import { connectionStringsOf, freshPasswords, prepareRoles } from '@paper/command-api';
import type { ByRole } from '@paper/command-api';
import { startEmbeddedPostgres } from '@paper/embedded-postgres';
import type { EmbeddedPostgres } from '@paper/embedded-postgres';
import { createPostgresJournal } from '@paper/journal';
import type { Journal } from '@paper/journal';
import { FolderInUse, printError } from '@paper/runtime';
import type { Logger, Teardown } from '@paper/runtime';
import type { StandaloneConfig } from './config.ts';

/** The time that a start waits for a command that runs the folder's database. */
const FOLDER_WAIT_MS = 30_000;
const FOLDER_RETRY_MS = 250;

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
  const postgres = await startWhenFree(config.DATA_DIR, logger);
  await teardown.add('postgres', () => postgres.stop());
  postgres.onExit((reason) => onLost(new Error(reason)));
  const { connectionString: owner } = postgres;
  // New passwords at each start: only this process needs them, so they are not stored.
  const passwords = freshPasswords();
  await prepareRoles({ connectionString: owner, shard: 'main', journalIsHere: true }, passwords);
  return { owner, ...connectionStringsOf(owner, passwords), isEmbedded: true };
}

/**
 * Starts the folder's Postgres. A command such as `npm run export` may run it meanwhile: most end within seconds.
 * @throws FolderInUse where the folder is still in use after 30 s.
 */
async function startWhenFree(dataDir: string, logger: Logger): Promise<EmbeddedPostgres> {
  const begunMs = performance.now();
  let isReported = false;
  for (;;) {
    try {
      return await startEmbeddedPostgres({ dataDir, logger });
    } catch (error) {
      if (!(error instanceof FolderInUse) || performance.now() - begunMs > FOLDER_WAIT_MS) throw error;
      if (!isReported) printError(`${error.message} Waiting for at most ${FOLDER_WAIT_MS / 1000} s …`);
      isReported = true;
      await setTimeout(FOLDER_RETRY_MS);
    }
  }
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
