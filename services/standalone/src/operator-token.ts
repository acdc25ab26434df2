import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from '@paper/embedded-postgres';
import type { OperatorToken } from '@paper/service-kit';

/** The operator's token of this data folder: created at the first start in `operator-token`, mode 600. */
function storedOperatorToken(dataDir: string): string {
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

/** The operators of a service that keeps files in `dataDir`. */
export interface OperatorTokens {
  /** A token that permits all calls: scripts and the demo use it. */
  readonly operatorToken: string;
  readonly operatorTokens: readonly OperatorToken[];
}

/** The given operators; where none of their tokens permits all calls, also the operator with the stored token. */
export function operatorTokensOf(dataDir: string, given: readonly OperatorToken[] = []): OperatorTokens {
  const full = given.find(({ scopes }) => scopes === null);
  if (full !== undefined) return { operatorToken: full.token, operatorTokens: given };
  const token = storedOperatorToken(dataDir);
  return { operatorToken: token, operatorTokens: [...given, { name: 'operator', scopes: null, token }] };
}
