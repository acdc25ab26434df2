import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The file by which a running server leaves its address to other processes of this user. */
export function handoverFile(dataDir: string): string {
  return join(dataDir, 'postgres.json');
}

/** The connection string of the server that was started on this data folder last; null where it has stopped. */
export function runningPostgres(dataDir: string): string | null {
  const file = handoverFile(dataDir);
  if (!existsSync(file)) return null;
  const { connectionString } = JSON.parse(readFileSync(file, 'utf8')) as { connectionString?: unknown };
  return typeof connectionString === 'string' ? connectionString : null;
}
