/** A table that a backup holds. */
export interface BackedUpTable {
  /** The name with its schema, such as `journal.events`. */
  readonly name: string;
  /** The columns that order the rows, so that two backups of the same rows are the same bytes. */
  readonly orderBy: string;
}

/**
 * The tables that a backup holds, in the order in which a restore fills them: a row comes after the rows that it refers
 * to. No other table is in a backup; a test compares the list with a database of every service.
 */
export const BACKED_UP: readonly BackedUpTable[] = [
  { name: 'journal.head', orderBy: 'shard' },
  { name: 'journal.events', orderBy: 'shard, seq' },
  { name: 'coordination.names', orderBy: 'account_id, salt' },
  { name: 'coordination.key_uses', orderBy: 'key_id' },
  { name: 'coordination.secrets', orderBy: 'name' },
  { name: 'portal.people', orderBy: 'id' },
  { name: 'portal.recovery_codes', orderBy: 'person_id, code_hash' },
  { name: 'portal.passkeys', orderBy: 'credential_id' },
  { name: 'portal.company_links', orderBy: 'issuer, subject' },
  { name: 'portal.invites', orderBy: 'id' },
  { name: 'portal.sign_up_jobs', orderBy: 'person_id' },
  { name: 'portal.deletion_jobs', orderBy: 'id' },
  { name: 'portal.account_keys', orderBy: 'key_id' },
  { name: 'standalone.accounts', orderBy: 'role' },
];

/** Tables that are left out on purpose, by a pattern of their names, each with the reason. */
export const LEFT_OUT: readonly (readonly [name: RegExp, reason: string])[] = [
  [/^read_models\.|^read_v\d+\w*\./, 'read models are folded from the journal'],
  [/^snapshots\./, 'snapshots are folded from the journal'],
  [/^coordination\.leases$/, 'the holders of leases have ended'],
  [/^portal\.(sessions|operator_sessions)$/, 'a restore ends every session'],
  [/^portal\.(challenges|company_visits|company_arrivals|email_tokens)$/, 'each is valid once, for minutes'],
  [/^portal\.throttle$/, 'counters of minutes'],
  [/^portal\.mail_settings$/, 'written at each start of the portal'],
];

/** The table of the journals' heads. A restore fills it from the manifest. */
export const HEAD = 'journal.head';

/**
 * The table of the journal's events. If the journal is in EventStoreDB, a backup writes its stream as rows of this
 * table.
 */
export const EVENTS = 'journal.events';

/** Whether the table is part of the journal, which may be in EventStoreDB. */
export function isOfJournal(table: string): boolean {
  return table.startsWith('journal.');
}
