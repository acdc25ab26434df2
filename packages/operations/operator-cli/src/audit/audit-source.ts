import { EmptyJournal, kindOfLocation, NO_EVENTS, openReadOnly } from '@paper/auditor';
import type { ReadOnlyJournal } from '@paper/auditor';
import { showWhile } from '@paper/commands';
import { withSecretFiles } from '@paper/runtime';
import { journalSettings, openJournalSource } from '../journal-source.ts';
import type { JournalSource } from '../journal-source.ts';

export interface AuditSource extends Omit<JournalSource<ReadOnlyJournal>, 'connectionString'> {
  /** The URL of the read models; null if it is unknown, undefined for a downloaded file, which has no read models. */
  readonly readModelsUrl: string | null | undefined;
  readonly missing: EmptyJournal | null;
}

/**
 * Opens the journal at `location` for reading only, with the read models beside it (of an EventStoreDB: of
 * DATABASE_URL), or without a location the services' journal.
 * @throws Error that says where the journal was searched, when there is none.
 */
export async function openAuditSource(location: string | undefined): Promise<AuditSource> {
  if (location === undefined) return openConfigured();
  const { shard } = journalSettings();
  const opened = await showWhile('Opening the journal', () => openOrEmpty(location, shard));
  return { ...opened, readModelsUrl: readModelsBeside(location), release: () => opened.journal.close(), shard };
}

/** Opens the journal, or an empty one if it is missing. @throws NoJournal for an invalid location */
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

/** Undefined for a downloaded file, which has no database. */
function readModelsBeside(location: string): string | null | undefined {
  const kind = kindOfLocation(location);
  if (kind === 'file') return undefined;
  return kind === 'postgres' ? location : withSecretFiles(process.env, ['DATABASE_URL'])['DATABASE_URL'] || null;
}
