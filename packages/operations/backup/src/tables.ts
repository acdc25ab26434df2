/**
 * The tables of a backup, in the order of a restore: a row comes after the rows that it refers to. `orderBy` orders the
 * rows, so that two backups of the same rows are the same bytes. A test compares the list with a database that all
 * services have created.
 */
export const BACKED_UP: readonly { readonly name: string; readonly orderBy: string }[] = [
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

/** The tables that no backup has, by a pattern of their names, each with the reason. */
export const LEFT_OUT: readonly (readonly [name: RegExp, reason: string])[] = [
  [/^read_models\.|^read_v\d+\w*\./, 'read models are folded from the journal'],
  [/^snapshots\./, 'snapshots are folded from the journal'],
  [/^coordination\.leases$/, 'the holders of leases have ended'],
  [/^portal\.(sessions|operator_sessions)$/, 'a restore ends every session'],
  [/^portal\.(challenges|company_visits|company_arrivals|email_tokens)$/, 'each is valid once, for minutes'],
  [/^portal\.throttle$/, 'counters of minutes'],
  [/^portal\.mail_settings$/, 'written at each start of the portal'],
];

/** A restore fills it from the manifest. */
export const HEAD = 'journal.head';

/** A backup of a journal in EventStoreDB writes rows of this table too. */
export const EVENTS = 'journal.events';

/** Whether the table is part of the journal, which may be in EventStoreDB instead. */
export const isOfJournal = (table: string): boolean => table.startsWith('journal.');
