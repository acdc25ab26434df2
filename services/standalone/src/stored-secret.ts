import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from '@paper/embedded-postgres';

/** A secret of 256 random bits. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * The secret under which the portal encrypts the keys that it stores: created at the first start in `portal-secret`,
 * mode 600. With the file lost, the stored keys cannot be read, and the portal issues new ones.
 */
export function storedPortalSecret(dataDir: string): string {
  return storedSecret(join(dataDir, 'portal-secret'), randomSecret);
}

/** The secret in the file; where there is none, the file is written first, readable by its owner only. */
export function storedSecret(file: string, make: () => string): string {
  try {
    const stored = readFileSync(file, 'utf8').trim();
    if (stored !== '') return stored;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const made = make();
  writePrivateFile(file, `${made}\n`);
  return made;
}
