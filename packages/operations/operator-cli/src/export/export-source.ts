import { openReadOnly } from '@paper/auditor';
import { showWhile } from '@paper/commands';
import type { Journal } from '@paper/journal';
import { journalSettings, openJournalSource } from '../journal-source.ts';

type PublicJournal = Pick<Journal, 'close' | 'head' | 'read'>;

/** The journal to export, of which only the public part is read. */
export interface ExportSource {
  readonly journal: PublicJournal;
  readonly shard: string;
  /** Closes the journal, and stops a server that was started for this. */
  readonly release: () => Promise<void>;
}

/**
 * Opens the journal at `location` (an address, or a file downloaded from GET /api/journal), or without one the
 * services' journal: see `openJournalSource`. In Postgres every transaction is read-only and reads the view of public
 * parts, so the readers' role suffices.
 * @throws NoJournal that says where the journal was searched, when there is none; errors of the connection.
 */
export async function openExportSource(location: string | undefined): Promise<ExportSource> {
  if (location !== undefined) {
    const { shard } = journalSettings();
    const journal = await showWhile('Opening the journal', () => openReadOnly(location, shard, 'public parts'));
    return { journal, release: () => journal.close(), shard };
  }
  return openJournalSource('nothing to export', (databaseUrl, { eventStoreUrl, shard }) =>
    openReadOnly(eventStoreUrl ?? databaseUrl, shard, 'public parts'),
  );
}
