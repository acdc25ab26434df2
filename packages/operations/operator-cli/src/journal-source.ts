import { existsSync } from 'node:fs';
import path from 'node:path';
import { clusterIn, runningPostgres, startEmbeddedPostgres } from '@paper/embedded-postgres';
import { showWhile } from '@paper/commands';
import { openJournal } from '@paper/journal';
import type { Journal } from '@paper/journal';
import { withoutFormerNames, withSecretFiles } from '@paper/runtime';
import { reachPostgres } from '@paper/supervisor';

/** The journal that an operator's command uses, in the form that the command needs, and its database. */
export interface JournalSource<Opened = Journal> {
  readonly connectionString: string;
  readonly shard: string;
  readonly journal: Opened;
  /** Closes the journal, and stops a server that was started for this. */
  readonly release: () => Promise<void>;
}

interface JournalSettings {
  /** JOURNAL_URL: the address of the journal, if it is not in Postgres. */
  readonly eventStoreUrl: string | undefined;
  /** SHARD, else `main`. */
  readonly shard: string;
}

interface DatabaseSource {
  readonly connectionString: string;
  /** Stops a server that was started for this. */
  readonly release: () => Promise<void>;
}

/**
 * Opens the services' journal: in the database of DATABASE_URL, or at JOURNAL_URL. Without these settings it is in the
 * embedded database of DATA_DIR, which is started unless a service runs it. Creates no new cluster.
 * @param purpose what cannot be done without a database, such as `nothing to rebuild`
 * @throws Error that says where the journal was searched, when there is none; errors of `open`, with nothing left open.
 */
export async function openJournalSource<Opened extends { readonly close: () => Promise<void> }>(
  purpose: string,
  open: (databaseUrl: string, settings: JournalSettings) => Promise<Opened>,
): Promise<JournalSource<Opened>> {
  const { connectionString, release } = await openDatabase(purpose);
  try {
    const settings = journalSettings();
    const journal = await showWhile('Opening the journal', () => open(connectionString, settings));
    const releaseBoth = async (): Promise<void> => {
      await journal.close();
      await release();
    };
    return { connectionString, journal, release: releaseBoth, shard: settings.shard };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Reads the settings from the environment. */
export function journalSettings(): JournalSettings {
  const env = withSecretFiles(withoutFormerNames(process.env), ['JOURNAL_URL']);
  return { eventStoreUrl: env['JOURNAL_URL'] || undefined, shard: env['SHARD'] || 'main' };
}

/**
 * Runs a command on the services' journal, and closes it afterwards.
 * @param purpose as for `openJournalSource`
 */
export async function withJournalSource(purpose: string, run: (source: JournalSource) => Promise<void>): Promise<void> {
  const source = await openJournalSource(purpose, (databaseUrl, settings) => openJournal({ databaseUrl, ...settings }));
  try {
    await run(source);
  } finally {
    await source.release();
  }
}

/** Opens only the database, as `openJournalSource` does. */
export async function openDatabase(purpose: string): Promise<DatabaseSource> {
  const given = withSecretFiles(process.env, ['DATABASE_URL'])['DATABASE_URL'];
  if (given !== undefined && given !== '') return { connectionString: given, release: () => Promise.resolve() };
  const dataDir = path.resolve(process.env['DATA_DIR'] ?? './data');
  const cluster = clusterIn(dataDir);
  if (!existsSync(cluster)) throw new Error(`There is ${purpose}: no folder ${cluster}. Set DATA_DIR.`);
  const running = runningPostgres(dataDir);
  // If the server does not answer, a killed service left it. If one does run, starting a second one fails with a
  // message.
  if (running !== null && (await answers(running))) {
    return { connectionString: running, release: () => Promise.resolve() };
  }
  const postgres = await showWhile(`Starting the database of ${dataDir}`, () => startEmbeddedPostgres({ dataDir }));
  return { connectionString: postgres.connectionString, release: () => postgres.stop() };
}

function answers(connectionString: string): Promise<boolean> {
  return reachPostgres(connectionString).then(
    () => true,
    () => false,
  );
}
