import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { startEmbeddedPostgres } from '@paper/embedded-postgres';
import { openJournal, type Journal } from '@paper/journal';

/** Where an operator's command finds the journal and the database beside it. */
export interface JournalSource {
  readonly connectionString: string;
  readonly shard: string;
  readonly journal: Journal;
  /** Closes the journal, and stops what was started for this. */
  readonly release: () => Promise<void>;
}

/**
 * The database of DATABASE_URL (with EVENTSTORE_URL and SHARD as the services take them), else the embedded one of
 * DATA_DIR, which is started where no service has it running.
 *
 * @param purpose what there would be nothing to do for without a data folder, in words: `nothing to rebuild`
 * @throws Error that says what was looked for, when there is none.
 */
export async function openJournalSource(purpose: string): Promise<JournalSource> {
  const given = process.env['DATABASE_URL'];
  if (given !== undefined && given !== '') return connect(given);
  const dataDir = path.resolve(process.env['DATA_DIR'] ?? './data');
  if (!existsSync(dataDir)) throw new Error(`There is ${purpose}: no folder ${dataDir}. Set DATA_DIR.`);
  const running = runningDatabase(dataDir);
  if (running !== null) {
    try {
      return await connect(running);
    } catch {
      // Left by a service that was killed. Where one does run, starting a second server says so.
    }
  }
  const postgres = await startEmbeddedPostgres({ dataDir });
  try {
    return await connect(postgres.connectionString, () => postgres.stop());
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

/**
 * Runs a command on the journal source and releases that. What is thrown is told in words, and the exit code is 2.
 *
 * @param purpose as for `openJournalSource`
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

async function connect(
  connectionString: string,
  stop: () => Promise<void> = () => Promise.resolve(),
): Promise<JournalSource> {
  const eventStoreUrl = process.env['EVENTSTORE_URL'] || undefined;
  const shard = process.env['SHARD'] || 'main';
  const journal = await openJournal({ databaseUrl: connectionString, eventStoreUrl, shard });
  const release = async (): Promise<void> => {
    await journal.close();
    await stop();
  };
  return { connectionString, journal, release, shard };
}

/** The embedded server's address, which it leaves in the data folder while it runs. */
function runningDatabase(dataDir: string): string | null {
  const file = path.join(dataDir, 'postgres.json');
  if (!existsSync(file)) return null;
  const { connectionString } = JSON.parse(readFileSync(file, 'utf8')) as { connectionString?: unknown };
  return typeof connectionString === 'string' ? connectionString : null;
}
