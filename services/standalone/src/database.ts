import { setTimeout } from 'node:timers/promises';
import { connectionStringsOf, freshPasswords, prepareRoles } from '@paper/command-api';
import { assertReadsNewest } from '@paper/command-side';
import { DiskFull, keepEmbeddedPostgres } from '@paper/embedded-postgres';
import type { KeptPostgres } from '@paper/embedded-postgres';
import { createPostgresJournal } from '@paper/journal';
import type { Journal } from '@paper/journal';
import { FolderInUse, printError } from '@paper/runtime';
import type { Logger, ServiceProcess } from '@paper/runtime';
import { byRole } from '@paper/runtime/coordination';
import type { ByRole } from '@paper/runtime/coordination';
import type { StandaloneConfig } from './config.ts';
import { watchDisk } from './data-folder.ts';
import type { Persist } from './persistence.ts';
import { StorageHealth } from './storage-health.ts';

/** How long a start waits for a command that runs the folder's database. */
const FOLDER_WAIT_MS = 30_000;
const FOLDER_RETRY_MS = 250;

const ENDED = 'the database has ended, and is started again';
const FULL_SERVER = 'the disk of the database (DATABASE_URL) is full: free space';

export interface Databases extends ByRole<string> {
  readonly owner: string;
  /** Whether the server is a child of this process. */
  readonly isEmbedded: boolean;
}

export interface Stores {
  readonly databases: Databases;
  readonly journal: Journal;
  readonly storage: StorageHealth;
}

/** Opens the database and the journal in it. Throws JournalDamaged, JournalUnreadable, before roles are created. */
export async function openStores(
  config: StandaloneConfig,
  onError: (error: unknown) => void,
  persist: Persist,
  running: ServiceProcess,
): Promise<Stores> {
  const storage = new StorageHealth(running.logger);
  const databases = await startDatabase(config, persist, running, storage);
  const { command: connectionString, isEmbedded: alone } = databases;
  // An embedded database has no other writer and no other follower: its folder is locked.
  const journal = await persist(() => createPostgresJournal({ connectionString, alone, onError }));
  await running.teardown.add('journal', () => journal.close());
  return { databases, journal: storage.observe(journal, alone ? new DiskFull().message : FULL_SERVER), storage };
}

/** The database of DATABASE_URL, with one user; else starts the folder's Postgres, with a role for each part. */
async function startDatabase(
  config: StandaloneConfig,
  persist: Persist,
  { logger, teardown }: ServiceProcess,
  storage: StorageHealth,
): Promise<Databases> {
  const given = config.DATABASE_URL;
  if (given !== undefined) {
    // If a configured server cannot be reached, the start ends, since a person has to act.
    await assertReadable(given);
    return { owner: given, ...byRole(() => given), isEmbedded: false };
  }
  const postgres = await startWhenFree(config.DATA_DIR, logger, storage);
  await teardown.add('postgres', () => postgres.stop());
  const { connectionString: owner } = postgres;
  await persist(() => assertReadable(owner));
  await watchDisk(config, storage, teardown);
  // New passwords at each start: only this process needs them, so they are not stored.
  const passwords = freshPasswords();
  await persist(() => prepareRoles({ connectionString: owner, shard: 'main', journalIsHere: true }, passwords));
  return { owner, ...connectionStringsOf(owner, passwords), isEmbedded: true };
}

/** Starts the folder's Postgres once no command runs it any more. Throws FolderInUse after 30 s. */
async function startWhenFree(dataDir: string, logger: Logger, storage: StorageHealth): Promise<KeptPostgres> {
  const onDown = (error: Error): void =>
    storage.report('server', error instanceof DiskFull ? error.message : ENDED, error);
  const onUp = (): void => storage.report('server', null);
  const begunMs = performance.now();
  let isReported = false;
  for (;;) {
    try {
      return await keepEmbeddedPostgres({ dataDir, logger, onDown, onUp });
    } catch (error) {
      if (!(error instanceof FolderInUse) || performance.now() - begunMs > FOLDER_WAIT_MS) throw error;
      if (!isReported) printError(`${error.message} Waiting for at most ${FOLDER_WAIT_MS / 1000} s …`);
      isReported = true;
      await setTimeout(FOLDER_RETRY_MS);
    }
  }
}

/** @throws JournalDamaged, JournalUnreadable when this build must not continue the journal, with nothing changed. */
async function assertReadable(connectionString: string): Promise<void> {
  const journal = await createPostgresJournal({ connectionString });
  try {
    await assertReadsNewest(journal);
  } finally {
    await journal.close();
  }
}
