import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The file by which a running server leaves its address to other processes of this user. */
export function handoverFile(dataDir: string): string {
  return join(dataDir, 'postgres.json');
}

/** The connection string of the server that was started on this data folder last; null where it has stopped. */
export function runningPostgres(dataDir: string): string | null {
  const { connectionString } = JSON.parse(readIfThere(handoverFile(dataDir))) as { connectionString?: unknown };
  return typeof connectionString === 'string' ? connectionString : null;
}

/** A server that ends removes its file at any moment. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '{}';
    throw error;
  }
}
