import { chmodSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { ConfigError } from './config/config-error.ts';

/** Writes a file of mode 600 atomically. */
export function writePrivateFile(path: string, text: string): void {
  const draft = `${path}.${process.pid}.tmp`;
  writeFileSync(draft, text, { mode: 0o600 });
  // Node ignores `mode` above if a killed process left its draft file.
  chmodSync(draft, 0o600);
  renameSync(draft, path);
}

/** The text of a file; null if it does not exist. Reads without a check, since others may remove it at any moment. */
export function readIfPresent(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

const OTHERS_READ_OR_WRITE = 0o006;

/** Reads a file that holds a secret. Throws ConfigError if users beyond its group may read it. */
export function readPrivateFile(path: string): string {
  // Windows has no such file modes.
  if (process.platform !== 'win32' && (statSync(path).mode & OTHERS_READ_OR_WRITE) !== 0) {
    throw new ConfigError(`${path} holds a secret, and every user of this machine can read it: chmod o-rw ${path}`);
  }
  return readFileSync(path, 'utf8');
}
