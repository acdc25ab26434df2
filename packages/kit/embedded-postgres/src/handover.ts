import { join } from 'node:path';
import { readIfPresent } from '@paper/runtime';

/** The file in which a running server stores its address, for other processes of this user. */
export function handoverFile(dataDir: string): string {
  return join(dataDir, 'postgres.json');
}

/** The connection string of the server that was last started on this data folder; null if it has stopped. */
export function runningPostgres(dataDir: string): string | null {
  const text = readIfPresent(handoverFile(dataDir));
  if (text === null) return null;
  const { connectionString } = JSON.parse(text) as { connectionString?: unknown };
  return typeof connectionString === 'string' ? connectionString : null;
}
