import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { startEmbeddedPostgres } from '@paper/embedded-postgres';
import { openJournal, type Journal } from '@paper/journal';
import pg from 'pg';

/** The database of the service, for an operator's command. */
export interface DatabaseSource {
  readonly connectionString: string;
  /** Stops what was started for this. */
  readonly release: () => Promise<void>;
}

/** Where an operator's command finds the journal and the database beside it. */
export interface JournalSource {
  readonly connectionString: string;
  readonly shard: string;
  readonly journal: Journal;
  /** Closes the journal, and stops what was started for this. */
  readonly release: () => Promise<void>;
}

/**
 * The database of DATABASE_URL, else the embedded one of DATA_DIR, which is started where no service has it running.
 * Nothing is written to it.
 *
 * @param purpose what there would be nothing to do for without a data folder, in words: `nothing to rebuild`
 * @param needed the folder in DATA_DIR that must be there: with `postgres` no new cluster is made
 * @throws Error that says what was looked for, when there is none.
 */
export async function openDatabaseSource(purpose: string, needed: '' | 'postgres' = ''): Promise<DatabaseSource> {
  const given = process.env['DATABASE_URL'];
  if (given !== undefined && given !== '') return { connectionString: given, release: () => Promise.resolve() };
  const dataDir = path.resolve(process.env['DATA_DIR'] ?? './data');
  const folder = path.join(dataDir, needed);
  if (!existsSync(folder)) throw new Error(`There is ${purpose}: no folder ${folder}. Set DATA_DIR.`);
  const running = runningDatabase(dataDir);
  // One that does not answer was left by a service that was killed. Where one does run, starting a second says so.
  if (running !== null && (await answers(running))) {
    return { connectionString: running, release: () => Promise.resolve() };
  }
  const postgres = await startEmbeddedPostgres({ dataDir });
  return { connectionString: postgres.connectionString, release: () => postgres.stop() };
}

/** Which journal, as the services take it: EVENTSTORE_URL, where it is not in Postgres, and SHARD. */
export function journalSettings(): { readonly eventStoreUrl: string | undefined; readonly shard: string } {
  return { eventStoreUrl: process.env['EVENTSTORE_URL'] || undefined, shard: process.env['SHARD'] || 'main' };
}

async function openJournalSource(purpose: string): Promise<JournalSource> {
  const { connectionString, release } = await openDatabaseSource(purpose);
  try {
    const { eventStoreUrl, shard } = journalSettings();
    const journal = await openJournal({ databaseUrl: connectionString, eventStoreUrl, shard });
    const releaseBoth = async (): Promise<void> => {
      await journal.close();
      await release();
    };
    return { connectionString, journal, release: releaseBoth, shard };
  } catch (error) {
    await release();
    throw error;
  }
}

/**
 * Runs a command on the journal source and releases that. What is thrown is told in words, and the exit code is 2.
 *
 * @param purpose as for `openDatabaseSource`
 */
export async function withJournalSource(purpose: string, run: (source: JournalSource) => Promise<void>): Promise<void> {
  try {
    const source = await openJournalSource(purpose);
    try {
      await run(source);
    } finally {
      await source.release();
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 2;
  }
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}

/** The embedded server's address, which it leaves in the data folder while it runs. */
function runningDatabase(dataDir: string): string | null {
  const file = path.join(dataDir, 'postgres.json');
  if (!existsSync(file)) return null;
  const { connectionString } = JSON.parse(readFileSync(file, 'utf8')) as { connectionString?: unknown };
  return typeof connectionString === 'string' ? connectionString : null;
}
