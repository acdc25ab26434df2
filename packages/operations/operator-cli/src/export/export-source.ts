import { openReadOnly } from '@paper/auditor';
import type { ReadOnlyJournal } from '@paper/auditor';
import { showWhile } from '@paper/commands';
import { journalSettings, openJournalSource } from '../journal-source.ts';
import type { JournalSource } from '../journal-source.ts';

export type ExportSource = Omit<JournalSource<ReadOnlyJournal>, 'connectionString'>;

/**
 * Opens the journal at `location` (an address, or a file of GET /api/journal), or without one the services' journal,
 * for reading only. Its public parts are enough, and so is the readers' role.
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
