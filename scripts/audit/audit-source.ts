import { kindOfPlace, openReadOnly, type ReadOnlyJournal } from '@paper/auditor';
import { journalSettings, openJournalSource } from '../journal-source.ts';

/** What is audited: a journal, and the database with its read models. */
export interface AuditSource {
  readonly journal: ReadOnlyJournal;
  /** Null: nobody has said where they are. Undefined: a downloaded file has none. */
  readonly readModelsUrl: string | null | undefined;
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
  if (place === undefined) return openConfigured();
  const { shard } = journalSettings();
  const journal = await openReadOnly(place, shard);
  return { journal, readModelsUrl: readModelsBeside(place), release: () => journal.close(), shard };
}

async function openConfigured(): Promise<AuditSource> {
  const { connectionString, ...source } = await openJournalSource(
    'nothing to audit',
    (databaseUrl, { eventStoreUrl, shard }) => openReadOnly(eventStoreUrl ?? databaseUrl, shard),
  );
  return { ...source, readModelsUrl: connectionString };
}

/** Whoever has a downloaded file has no database. */
function readModelsBeside(place: string): string | null | undefined {
  const kind = kindOfPlace(place);
  if (kind === 'file') return undefined;
  return kind === 'postgres' ? place : process.env['DATABASE_URL'] || null;
}
