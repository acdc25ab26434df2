import { findNames } from './names-table.ts';
import pg from 'pg';
import type { NameStore } from './name-store.ts';

export interface PostgresNamesOptions {
  readonly connectionString: string;
  readonly shard: string;
  /** Called when an idle connection broke. */
  readonly onIdleError?: (error: Error) => void;
}

const ANSWER_MS = 5_000;

// A name must be on disk before its account is, and the journal's disk may be another machine's. So the commit waits
// for the disk, whatever the server's default is. The mark that a name is settled may be lost: the next start sets it
// again.
const KEEP = `
  with kept as (
    insert into coordination.names (account_id, shard, salt, name, pending)
    select account_id, $1, salt, name, true from unnest($2::text[], $3::bytea[], $4::text[]) as n (account_id, salt, name)
    returning account_id
  )
  select set_config('synchronous_commit', 'on', true), count(*) from kept`;
const SETTLE = 'update coordination.names set pending = false where account_id = any($1) and pending';
const DROP = 'delete from coordination.names where account_id = any($1) and pending';
// A deletion must be on disk before it is acknowledged.
const FORGET = `
  with gone as (delete from coordination.names where account_id = any($1) returning account_id)
  select set_config('synchronous_commit', 'on', true), count(*) from gone`;
const PENDING = 'select account_id from coordination.names where shard = $1 and pending';
const FIND = 'select name from coordination.names where account_id = $1';

/**
 * Display names in Postgres, on either wiring.
 *
 * @throws where the database cannot be reached, or has no such table for the role of the connection.
 */
export async function openNames({ connectionString, onIdleError, shard }: PostgresNamesOptions): Promise<NameStore> {
  await findNames(connectionString);
  const pool = new pg.Pool({
    application_name: 'paper-names',
    connectionString,
    connectionTimeoutMillis: ANSWER_MS,
    keepAlive: true,
    max: 2,
    query_timeout: ANSWER_MS,
  });
  pool.on('error', (error) => onIdleError?.(error));
  return {
    async store(names) {
      const columns = [
        names.map(({ accountId }) => accountId),
        names.map(({ salt }) => salt),
        names.map(({ name }) => name),
      ];
      await pool.query(KEEP, [shard, ...columns]);
    },
    async settle(accountIds) {
      await pool.query(SETTLE, [accountIds]);
    },
    async drop(accountIds) {
      await pool.query(DROP, [accountIds]);
    },
    async forget(accountIds) {
      await pool.query(FORGET, [accountIds]);
    },
    async pending() {
      const { rows } = await pool.query<{ account_id: string }>(PENDING, [shard]);
      return rows.map(({ account_id }) => account_id);
    },
    async find(accountId) {
      const { rows } = await pool.query<{ name: string }>(FIND, [accountId]);
      return rows[0]?.name ?? null;
    },
    close: () => pool.end(),
  };
}
