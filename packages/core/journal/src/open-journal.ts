import type { EventStoreAccess } from './eventstoredb/access.ts';
import type { EventStoreJournalOptions } from './eventstoredb/eventstore-journal.ts';
import type { Journal } from './port.ts';
import { createPostgresJournal } from './postgres/postgres-journal.ts';
import type { JournalUse } from './postgres/schema.ts';

/** The location of a service's journal, from its configuration. */
export interface JournalLocation {
  /** `postgres://…`: the journal's database, unless `eventStoreUrl` names another place. */
  readonly databaseUrl: string;
  readonly eventStoreUrl?: string | undefined;
  /** Receives the errors that are handled inside (a lost connection), for the log. Default: ignored. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Receives the process id of the Postgres backend of each new connection, on the database's machine. */
  readonly onBackend?: ((pid: number) => void) | undefined;
  /** The shard, which names the journal on this server. Default `main`. */
  readonly shard?: string | undefined;
  /** The Postgres role with which this process uses the journal. Default null: the role of its connection. */
  readonly use?: JournalUse;
}

/** Opens the journal of a service, which the caller closes. @throws Error when it cannot be reached or used. */
export function openJournal(location: JournalLocation): Promise<Journal> {
  const { databaseUrl, eventStoreUrl, onBackend, onError = ignore, shard = 'main', use = null } = location;
  if (eventStoreUrl !== undefined) return createEventStoreJournal({ connectionString: eventStoreUrl, onError, shard });
  return createPostgresJournal({ connectionString: databaseUrl, onBackend, onError, shard, use });
}

/** Opens the journal in EventStoreDB. Its client, a fifth of a service's code, is loaded only here. @throws Error */
export async function createEventStoreJournal(options: EventStoreJournalOptions): Promise<Journal> {
  const adapter = await import('./eventstoredb/eventstore-journal.ts');
  return adapter.createEventStoreJournal(options);
}

/** Creates EventStoreDB's users and their rights: see eventstoredb/access.ts. @throws Error */
export async function prepareEventStore(access: EventStoreAccess): Promise<void> {
  const adapter = await import('./eventstoredb/access.ts');
  await adapter.prepareEventStore(access);
}

function ignore(): void {
  // The caller gave no listener for errors.
}
