import { readFileSync } from 'node:fs';
import { withClient } from '@paper/runtime';
import { lowerPriority } from '@paper/runtime/resources';

/** The connection string of another database of the same server. */
export function connectionStringOf(databaseUrl: string, database: string): string {
  const url = new URL(databaseUrl);
  url.pathname = `/${encodeURIComponent(database)}`;
  return url.href;
}

/** Makes the database of a backtest, which must not exist. */
export async function createDatabase(databaseUrl: string, database: string): Promise<void> {
  await withClient({ connectionString: databaseUrl }, (client) =>
    client.query(`create database ${client.escapeIdentifier(database)}`),
  );
}

/** Drops the database of a backtest with whatever is connected to it, if there is one. */
export async function dropDatabase(databaseUrl: string, database: string): Promise<void> {
  await withClient({ connectionString: databaseUrl }, (client) =>
    client.query(`drop database if exists ${client.escapeIdentifier(database)} with (force)`),
  );
}

/**
 * Lets everything else on this machine have the processor before the backends of a backtest's database, where they run
 * here: then the process with that id has a title that names the database, which no other process has.
 */
export function lowerBackendsOf(database: string): (pid: number) => void {
  return (pid) => {
    try {
      const title = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      if (title.startsWith('postgres:') && title.includes(` ${database} `)) lowerPriority(pid, 'lowest');
    } catch {
      // There is no such process here: the server is elsewhere.
    }
  };
}
