import { kindOfLocation, openReadOnly } from '@paper/auditor';
import type { ReadOnlyJournal } from '@paper/auditor';
import { withSecretFiles } from '@paper/runtime';
import { journalSettings, openJournalSource } from '../journal-source.ts';

/** The journal to audit, and the database with its read models. */
export interface AuditSource {
  readonly journal: ReadOnlyJournal;
  /** Null: the address is unknown. Undefined: a downloaded file has none. */
  readonly readModelsUrl: string | null | undefined;
  readonly shard: string;
  /** Closes the journal, and stops a server that was started for this. */
  readonly release: () => Promise<void>;
}

/**
 * Opens the journal at `location` (an address, or a downloaded file) for reading only, with the read models of the same
 * Postgres; for EventStoreDB those of DATABASE_URL. Without a `location` it opens the services' journal: see
 * `openJournalSource`.
 * @throws Error that says what was searched, when there is no journal.
 */
export async function openAuditSource(location: string | undefined): Promise<AuditSource> {
  if (location === undefined) return openConfigured();
  const { shard } = journalSettings();
  const journal = await openReadOnly(location, shard, 'audit');
  return { journal, readModelsUrl: readModelsBeside(location), release: () => journal.close(), shard };
}

async function openConfigured(): Promise<AuditSource> {
  const { connectionString, ...source } = await openJournalSource(
    'nothing to audit',
    (databaseUrl, { eventStoreUrl, shard }) => openReadOnly(eventStoreUrl ?? databaseUrl, shard, 'audit'),
  );
  return { ...source, readModelsUrl: connectionString };
}

/** A downloaded file has no database. */
function readModelsBeside(location: string): string | null | undefined {
  const kind = kindOfLocation(location);
  if (kind === 'file') return undefined;
  return kind === 'postgres' ? location : withSecretFiles(process.env, ['DATABASE_URL'])['DATABASE_URL'] || null;
}
