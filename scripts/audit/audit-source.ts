import { openReadOnly, type ReadOnlyJournal } from '@paper/auditor';
import { openJournalSource } from '../journal-source.ts';

/** What is audited: a journal, and the database with its read models, where one is known. */
export interface AuditSource {
  readonly journal: ReadOnlyJournal;
  readonly readModelsUrl: string | undefined;
  readonly shard: string;
  /** Closes the journal, and stops what was started for this. */
  readonly release: () => Promise<void>;
}

/**
 * The journal at `place` (an address, or a downloaded file), opened to be read only, with the read models of the same
 * Postgres; those of DATABASE_URL beside an EventStoreDB. Without a `place` it is where the services have it: see
 * `openJournalSource`.
 *
 * @throws Error that says what was looked for, when there is none.
 */
export async function openAuditSource(place: string | undefined): Promise<AuditSource> {
  if (place === undefined) {
    const { connectionString, ...source } = await openJournalSource('nothing to audit');
    return { ...source, readModelsUrl: connectionString };
  }
  const shard = process.env['SHARD'] || 'main';
  const journal = await openReadOnly(place, shard);
  return { journal, readModelsUrl: readModelsBeside(place), release: () => journal.close(), shard };
}

/** Whoever has a downloaded file has no database. */
function readModelsBeside(place: string): string | undefined {
  if (place.startsWith('postgres')) return place;
  return place.startsWith('esdb') ? process.env['DATABASE_URL'] || undefined : undefined;
}
