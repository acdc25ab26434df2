import { readFileSync } from 'node:fs';
import { withClient } from '@paper/runtime';
import { lowerPriority } from '@paper/runtime/resources';

export function connectionStringOf(databaseUrl: string, database: string): string {
  const url = new URL(databaseUrl);
  url.pathname = `/${encodeURIComponent(database)}`;
  return url.href;
}

/** A session lock: the server still creates the database of a killed process, so dropping it has to wait. */
const LOCK = 'select pg_advisory_lock(hashtextextended($1, 0))';

async function runLocked(databaseUrl: string, database: string, statement: (name: string) => string): Promise<void> {
  await withClient({ connectionString: databaseUrl }, async (client) => {
    await client.query(LOCK, [database]);
    await client.query(statement(client.escapeIdentifier(database)));
  });
}

export const createDatabase = (databaseUrl: string, database: string): Promise<void> =>
  runLocked(databaseUrl, database, (name) => `create database ${name}`);

export const dropDatabase = (databaseUrl: string, database: string): Promise<void> =>
  runLocked(databaseUrl, database, (name) => `drop database if exists ${name} with (force)`);

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
