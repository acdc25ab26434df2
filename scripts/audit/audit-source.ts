import { kindOfLocation, openReadOnly, type ReadOnlyJournal } from '@paper/auditor';
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
 * The journal at `location` (an address, or a downloaded file), opened to be read only, with the read models of the same
 * Postgres; those of DATABASE_URL beside an EventStoreDB. Without a `location` it is where the services have it: see
 * `openJournalSource`.
 *
 * @throws Error that says what was looked for, when there is none.
 */
export async function openAuditSource(location: string | undefined): Promise<AuditSource> {
  if (location === undefined) return openConfigured();
  const { shard } = journalSettings();
  const journal = await openReadOnly(location, shard);
  return { journal, readModelsUrl: readModelsBeside(location), release: () => journal.close(), shard };
}

async function openConfigured(): Promise<AuditSource> {
  const { connectionString, ...source } = await openJournalSource(
    'nothing to audit',
    (databaseUrl, { eventStoreUrl, shard }) => openReadOnly(eventStoreUrl ?? databaseUrl, shard),
  );
  return { ...source, readModelsUrl: connectionString };
}

/** Whoever has a downloaded file has no database. */
function readModelsBeside(location: string): string | null | undefined {
  const kind = kindOfLocation(location);
  if (kind === 'file') return undefined;
  return kind === 'postgres' ? location : process.env['DATABASE_URL'] || null;
}
