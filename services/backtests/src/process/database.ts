import { readFileSync } from 'node:fs';
import type { Client } from 'pg';
import { withClient } from '@paper/runtime';
import { lowerPriority } from '@paper/runtime/resources';

export function connectionStringOf(databaseUrl: string, database: string): string {
  const url = new URL(databaseUrl);
  url.pathname = `/${encodeURIComponent(database)}`;
  return url.href;
}

/** A session lock: the server still creates the database of a killed process, so whoever empties or drops it has to wait. */
const LOCK = 'select pg_advisory_lock(hashtextextended($1, 0))';
const EXISTS = 'select from pg_database where datname = $1';
/** Ends what a killed process has left. Backends of other roles are the server's own, and end by themselves. */
const END_BACKENDS =
  'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = current_user';
const DROP_SCHEMAS = `do $$ declare schemas text; begin
  select string_agg(quote_ident(nspname), ', ') into schemas from pg_namespace
    where nspname !~ '^pg_' and nspname not in ('information_schema', 'public');
  if schemas is not null then execute format('drop schema %s cascade', schemas); end if;
end $$`;

/** Creates a database if there is none of this name: an ended backtest may have left an empty one. */
export async function createDatabase(databaseUrl: string, database: string): Promise<void> {
  await locked(databaseUrl, database, async (client) => {
    if (await exists(client, database)) return;
    await client.query(`create database ${client.escapeIdentifier(database)}`);
  });
}

/** Removes all schemas of a database. Returns false if there is no such database. */
export function emptyDatabase(databaseUrl: string, database: string): Promise<boolean> {
  return locked(databaseUrl, database, async (client) => {
    if (!(await exists(client, database))) return false;
    await client.query(END_BACKENDS, [database]);
    const options = '-c client_min_messages=warning -c synchronous_commit=off';
    const connectionString = connectionStringOf(databaseUrl, database);
    await withClient({ connectionString, options }, (own) => own.query(DROP_SCHEMAS));
    return true;
  });
}

export async function dropDatabase(databaseUrl: string, database: string): Promise<void> {
  await locked(databaseUrl, database, (client) =>
    client.query(`drop database if exists ${client.escapeIdentifier(database)} with (force)`),
  );
}

function locked<T>(connectionString: string, database: string, work: (client: Client) => Promise<T>): Promise<T> {
  return withClient({ connectionString }, async (client) => {
    await client.query(LOCK, [database]);
    return work(client);
  });
}

async function exists(client: Client, database: string): Promise<boolean> {
  return (await client.query(EXISTS, [database])).rowCount === 1;
}

/** Lowers the priority of the server's processes for a backtest's database, on this machine: their titles name it. */
export function lowerBackendsOf(database: string): (pid: number) => void {
  return (pid) => {
    try {
      const title = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      if (title.startsWith('postgres:') && title.includes(` ${database} `)) lowerPriority(pid, 'lowest');
    } catch {
      // There is no such process on this machine, since the server is elsewhere.
    }
  };
}
