import { openReadOnly } from '@paper/auditor';
import type { Journal } from '@paper/journal';
import { openJournalSource } from '../journal-source.ts';

/** What is audited: a journal, and the database with its read models, where one is known. */
export interface AuditSource {
  readonly journal: Journal;
  readonly readModelsUrl: string | undefined;
  readonly shard: string;
  /** Closes the journal, and stops what was started for this. */
  readonly release: () => Promise<void>;
}

/**
 * The journal at `url`, opened to be read only, with the read models of the same Postgres or else of DATABASE_URL.
 * Without a `url` it is where the services have it: see `openJournalSource`.
 *
 * @throws Error that says what was looked for, when there is none.
 */
export async function openAuditSource(url: string | undefined): Promise<AuditSource> {
  if (url === undefined) {
    const { connectionString, ...source } = await openJournalSource('nothing to audit');
    return { ...source, readModelsUrl: connectionString };
  }
  const shard = process.env['SHARD'] || 'main';
  const journal = await openReadOnly(url, shard);
  const readModelsUrl = url.startsWith('postgres') ? url : process.env['DATABASE_URL'] || undefined;
  return { journal, readModelsUrl, release: () => journal.close(), shard };
}
