import { copyFileSync, openSync, readFileSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

/** The size at which the log begins anew; with the former log it takes twice as much. */
export const LOG_BYTES_MAX = 5 * 1024 * 1024;
const LOOK_MS = 1_000;

const logIn = (dataDir: string): string => join(dataDir, 'postgres.log');
const formerLogIn = (dataDir: string): string => `${logIn(dataDir)}.1`;

/** Opens a new log and keeps the previous one, so that the server's user can write it. */
export function openLog(dataDir: string): number {
  try {
    renameSync(logIn(dataDir), formerLogIn(dataDir));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return openSync(logIn(dataDir), 'ax', 0o600);
}

export function lastLogLines(dataDir: string): string {
  const lines = readFileSync(logIn(dataDir), 'utf8').trimEnd().split('\n');
  return lines.slice(-5).join(' | ');
}

/** Keeps the log of a running server small by copying and emptying it. The returned function stops this. */
export function boundLog(dataDir: string): () => void {
  const timer = setInterval(() => {
    const { size = 0 } = statSync(logIn(dataDir), { throwIfNoEntry: false }) ?? {};
    if (size > LOG_BYTES_MAX) beginAnew(dataDir);
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function beginAnew(dataDir: string): void {
  try {
    copyFileSync(logIn(dataDir), formerLogIn(dataDir));
  } catch {
    // On a full disk space is worth more than the former log.
    rmSync(formerLogIn(dataDir), { force: true });
  }
  try {
    truncateSync(logIn(dataDir));
  } catch {
    // The next check tries again.
  }
}
