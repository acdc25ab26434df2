import { existsSync } from 'node:fs';
import path from 'node:path';
import { clusterIn, runningPostgres, startEmbeddedPostgres } from '@paper/embedded-postgres';
import { showWhile } from '@paper/commands';
import { openJournal } from '@paper/journal';
import type { Journal } from '@paper/journal';
import { withoutFormerNames, withSecretFiles } from '@paper/runtime';
import { reachPostgres } from '@paper/supervisor';

/** The journal of an operator's command, in the form that it needs, and its database. */
export interface JournalSource<Opened = Journal> {
  readonly connectionString: string;
  readonly shard: string;
  readonly journal: Opened;
  readonly release: () => Promise<void>;
}

/**
 * Opens the services' journal: at JOURNAL_URL or in the database of DATABASE_URL, else in the embedded database of
 * DATA_DIR, which is started unless a service runs it. Creates no new cluster.
 * @param purpose what cannot be done without a database, such as `nothing to rebuild`
 * @throws Error that says where the journal was searched, when there is none; errors of `open`, with nothing left open.
 */
export async function openJournalSource<Opened extends { readonly close: () => Promise<void> }>(
  purpose: string,
  open: (databaseUrl: string, settings: ReturnType<typeof journalSettings>) => Promise<Opened>,
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

/** JOURNAL_URL, if the journal is not in Postgres, and SHARD. */
export function journalSettings() {
  const env = withSecretFiles(withoutFormerNames(process.env), ['JOURNAL_URL']);
  return { eventStoreUrl: env['JOURNAL_URL'] || undefined, shard: env['SHARD'] || 'main' };
}

/** Runs a command on the services' journal, and closes it afterwards. */
export async function withJournalSource(purpose: string, run: (source: JournalSource) => Promise<void>): Promise<void> {
  const source = await openJournalSource(purpose, (databaseUrl, settings) => openJournal({ databaseUrl, ...settings }));
  try {
    await run(source);
  } finally {
    await source.release();
  }
}

/** Opens only the database, as `openJournalSource` does. */
export async function openDatabase(purpose: string): Promise<Pick<JournalSource, 'connectionString' | 'release'>> {
  const given = withSecretFiles(process.env, ['DATABASE_URL'])['DATABASE_URL'];
  if (given !== undefined && given !== '') return { connectionString: given, release: () => Promise.resolve() };
  const dataDir = path.resolve(process.env['DATA_DIR'] ?? './data');
  const cluster = clusterIn(dataDir);
  if (!existsSync(cluster)) throw new Error(`There is ${purpose}: no folder ${cluster}. Set DATA_DIR.`);
  const running = runningPostgres(dataDir);
  // A server that does not answer was left by a killed service. If it runs, a second start fails with a message.
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
