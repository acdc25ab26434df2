import { EmptyJournal, kindOfLocation, NO_EVENTS, openReadOnly } from '@paper/auditor';
import type { ReadOnlyJournal } from '@paper/auditor';
import { showWhile } from '@paper/commands';
import { withSecretFiles } from '@paper/runtime';
import { journalSettings, openJournalSource } from '../journal-source.ts';

/** The journal to audit, and the database with its read models. */
export interface AuditSource {
  readonly journal: ReadOnlyJournal;
  /** The address of the read models. Null: the address is unknown. Undefined: a downloaded file has none. */
  readonly readModelsUrl: string | null | undefined;
  readonly shard: string;
  /** The reason why the journal has no events; null if it has events. */
  readonly missing: EmptyJournal | null;
  /** Closes the journal, and stops a server that was started for this. */
  readonly release: () => Promise<void>;
}

/**
 * Opens the journal at `location` (an address, or a downloaded file) for reading only, with the read models in the same
 * Postgres; for EventStoreDB with those of DATABASE_URL. Without a `location` it opens the services' journal: see
 * `openJournalSource`.
 * @throws Error that says where the journal was searched, when there is none.
 */
export async function openAuditSource(location: string | undefined): Promise<AuditSource> {
  if (location === undefined) return openConfigured();
  const { shard } = journalSettings();
  const opened = await showWhile('Opening the journal', () => openOrEmpty(location, shard));
  return { ...opened, readModelsUrl: readModelsBeside(location), release: () => opened.journal.close(), shard };
}

/** Opens the journal, or a journal without events if it does not exist. @throws NoJournal for an invalid location */
async function openOrEmpty(location: string, shard: string): Promise<Pick<AuditSource, 'journal' | 'missing'>> {
  try {
    return { journal: await openReadOnly(location, shard, 'audit'), missing: null };
  } catch (error) {
    if (!(error instanceof EmptyJournal)) throw error;
    return { journal: NO_EVENTS, missing: error };
  }
}

async function openConfigured(): Promise<AuditSource> {
  let missing: EmptyJournal | null = null;
  const { connectionString, ...source } = await openJournalSource(
    'nothing to audit',
    async (databaseUrl, { eventStoreUrl, shard }) => {
      const opened = await openOrEmpty(eventStoreUrl ?? databaseUrl, shard);
      missing = opened.missing;
      return opened.journal;
    },
  );
  return { ...source, missing, readModelsUrl: connectionString };
}

/** The address of the read models for a location; undefined for a downloaded file, which has no database. */
function readModelsBeside(location: string): string | null | undefined {
  const kind = kindOfLocation(location);
  if (kind === 'file') return undefined;
  return kind === 'postgres' ? location : withSecretFiles(process.env, ['DATABASE_URL'])['DATABASE_URL'] || null;
}
