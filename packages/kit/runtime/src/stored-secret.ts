import { randomBytes } from 'node:crypto';
import { readPrivateFile, writePrivateFile } from './private-file.ts';

export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Reads the secret in the file, written first if it is missing. Throws ConfigError when others can read it. */
export function storedSecret(file: string, make: () => string = randomSecret): string {
  try {
    const stored = readPrivateFile(file).trim();
    if (stored !== '') return stored;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const made = make();
  writePrivateFile(file, `${made}\n`);
  return made;
}
