import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from '@paper/embedded-postgres';

/** The operator's token of this data folder: created at the first start in `operator-token`, mode 600. */
export function storedOperatorToken(dataDir: string): string {
  const file = join(dataDir, 'operator-token');
  try {
    const stored = readFileSync(file, 'utf8').trim();
    if (stored !== '') return stored;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const token = `op_${randomBytes(32).toString('base64url')}`;
  writePrivateFile(file, `${token}\n`);
  return token;
}
