import { openPool } from '@paper/pg-bulk';
import { NOTING_MS } from './key-uses.ts';
import { ensureNameTables } from './names-table.ts';
import type { NameKey, NameStore } from './name-store.ts';

export interface PostgresNamesOptions {
  readonly connectionString: string;
  readonly shard: string;
  readonly onIdleError?: (error: Error) => void;
  readonly onBackend?: (pid: number) => void;
  /** The time, in ms, after which every process has written its last uses of keys that are revoked now. */
  readonly usesNotedWithinMs?: number;
}

const ANSWER_MS = 5_000;

// A name must be on disk before its account is, and the journal may be on another machine. So the commit waits for the
// disk, whatever the server's default is. The mark that a name is settled may be lost: the next start sets it again.
const KEEP = `
  with kept as (
    insert into coordination.names (account_id, digest, shard, salt, name, pending)
    select account_id, digest, $1, salt, name, true
    from unnest($2::text[], $3::text[], $4::bytea[], $5::text[]) as n (account_id, digest, salt, name)
    returning account_id
  )
  select set_config('synchronous_commit', 'on', true), count(*) from kept`;
const THESE = '(account_id, digest) in (select * from unnest($1::text[], $2::text[])) and pending';
const SETTLE = `update coordination.names set pending = false where ${THESE}`;
const DROP = `delete from coordination.names where ${THESE}`;
// A deletion must be on disk before it is acknowledged.
const FORGET = `
  with gone as (delete from coordination.names where account_id = any($1) returning account_id),
    unused as (delete from coordination.key_uses where account_id = any($1))
  select set_config('synchronous_commit', 'on', true), count(*) from gone`;
const FORGET_USES = 'delete from coordination.key_uses where account_id = any($1)';
const PENDING = 'select account_id, digest from coordination.names where shard = $1 and pending';
const FIND = 'select name from coordination.names where account_id = $1 and digest = $2';

/** Opens the display names in Postgres. @throws when the database or the table cannot be reached. */
export async function openNames(options: PostgresNamesOptions): Promise<NameStore> {
  const { connectionString, onBackend, onIdleError, shard, usesNotedWithinMs = 2 * NOTING_MS } = options;
  await ensureNameTables(connectionString);
  const limits = { connectionTimeoutMillis: ANSWER_MS, max: 2, query_timeout: ANSWER_MS };
  const config = { application_name: 'paper-names', connectionString, keepAlive: true, ...limits };
  const pool = openPool(config, onIdleError, onBackend);
  return {
    async store(names) {
      const columns = [...columnsOf(names), names.map(({ salt }) => salt), names.map(({ name }) => name)];
      await pool.query(KEEP, [shard, ...columns]);
    },
    async settle(names) {
      await pool.query(SETTLE, columnsOf(names));
    },
    async drop(names) {
      await pool.query(DROP, columnsOf(names));
    },
    async forget(accountIds) {
      await pool.query(FORGET, [accountIds]);
      // A failure is left to the next start, which deletes all forgotten names again.
      const forgetUses = () => pool.query(FORGET_USES, [accountIds]).catch(() => undefined);
      setTimeout(() => void forgetUses(), usesNotedWithinMs).unref();
    },
    async pending() {
      const { rows } = await pool.query<{ account_id: string; digest: string }>(PENDING, [shard]);
      return rows.map(({ account_id, digest }) => ({ accountId: account_id, digest }));
    },
    async find({ accountId, digest }) {
      const { rows } = await pool.query<{ name: string }>(FIND, [accountId, digest]);
      return rows[0]?.name ?? null;
    },
    close: () => pool.end(),
  };
}

const columnsOf = (names: readonly NameKey[]): [accountIds: string[], digests: string[]] => [
  names.map(({ accountId }) => accountId),
  names.map(({ digest }) => digest),
];
