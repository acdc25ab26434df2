import { readFileSync } from 'node:fs';
import { withClient } from '@paper/runtime';
import { lowerPriority } from '@paper/runtime/resources';

/** The connection string of another database of the same server. */
export function connectionStringOf(databaseUrl: string, database: string): string {
  const url = new URL(databaseUrl);
  url.pathname = `/${encodeURIComponent(database)}`;
  return url.href;
}

/**
 * The server goes on creating the database of a process that was killed, so who drops it waits for the end of that
 * session.
 */
const LOCK = 'select pg_advisory_lock(hashtextextended($1, 0))';

/** Creates the database of a backtest, which must not exist yet. */
export async function createDatabase(databaseUrl: string, database: string): Promise<void> {
  await withClient({ connectionString: databaseUrl }, async (client) => {
    await client.query(LOCK, [database]);
    await client.query(`create database ${client.escapeIdentifier(database)}`);
  });
}

/** Drops the database of a backtest and all connections to it, if the database exists. */
export async function dropDatabase(databaseUrl: string, database: string): Promise<void> {
  await withClient({ connectionString: databaseUrl }, async (client) => {
    await client.query(LOCK, [database]);
    await client.query(`drop database if exists ${client.escapeIdentifier(database)} with (force)`);
  });
}

/**
 * Lowers the priority of the database server's processes for a backtest's database below everything else, if they run
 * on this machine: the title of such a process names the database, which no other process's title does.
 */
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
