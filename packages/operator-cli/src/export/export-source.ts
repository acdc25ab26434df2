import { kindOfLocation, NoJournal, openReadOnly } from '@paper/auditor';
import { createPostgresJournal } from '@paper/journal';
import type { Journal } from '@paper/journal';
import pg from 'pg';
import { journalSettings, openJournalSource } from '../journal-source.ts';

type PublicJournal = Pick<Journal, 'close' | 'head' | 'read'>;

/** The journal to export, of which the public part is read. */
export interface ExportSource {
  readonly journal: PublicJournal;
  readonly shard: string;
  /** Closes the journal, and stops a server that was started for this. */
  readonly release: () => Promise<void>;
}

/**
 * Opens the journal at `location` (an address, or a file downloaded from GET /api/journal), else the services' journal:
 * see `openJournalSource`. In Postgres every transaction is read-only and reads the view of public parts, so the
 * readers' role suffices.
 *
 * @throws NoJournal that says what was searched, when there is no journal; errors of the connection.
 */
export async function openExportSource(location: string | undefined): Promise<ExportSource> {
  if (location !== undefined) {
    const { shard } = journalSettings();
    const journal = await openPublicJournal(location, shard);
    return { journal, release: () => journal.close(), shard };
  }
  return openJournalSource('nothing to export', (databaseUrl, { eventStoreUrl, shard }) =>
    openPublicJournal(eventStoreUrl ?? databaseUrl, shard),
  );
}

async function openPublicJournal(location: string, shard: string): Promise<PublicJournal> {
  if (kindOfLocation(location) !== 'postgres') return openReadOnly(location, shard);
  const pool = new pg.Pool({ connectionString: location, max: 2, options: '-c default_transaction_read_only=on' });
  pool.on('error', () => undefined);
  try {
    await assertThere(pool, shard);
    const journal = await createPostgresJournal({ asFound: true, pool, shard, use: 'public reader' });
    return {
      head: () => journal.head(),
      read: (fromSeq, limit) => journal.read(fromSeq, limit),
      close: async () => {
        await journal.close();
        await pool.end();
      },
    };
  } catch (error) {
    await pool.end();
    throw error;
  }
}

async function assertThere(pool: pg.Pool, shard: string): Promise<void> {
  const { rows } = await pool.query<{ there: boolean }>(
    `select to_regclass('journal.head') is not null and to_regclass('journal.public_events') is not null as there`,
  );
  if (rows[0]?.there !== true) {
    throw new NoJournal(
      'There is no journal in that database: no table journal.head with the view journal.public_events.',
    );
  }
  const { rows: heads } = await pool.query<{ shard: string }>('select shard from journal.head order by shard');
  const shards = heads.map((head) => head.shard);
  if (shards.includes(shard)) return;
  throw new NoJournal(
    `There is no journal of shard ${shard} in that database, but of: ${shards.join(', ') || 'none'} (SHARD).`,
  );
}
