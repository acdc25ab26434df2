import { join } from 'node:path';
import type { OperatorToken } from '@paper/http';
import { randomSecret, storedSecret } from '@paper/runtime';

/** The operator's token of this data folder: created at the first start in `operator-token`, mode 600. */
function storedOperatorToken(dataDir: string): string {
  return storedSecret(join(dataDir, 'operator-token'), () => `op_${randomSecret()}`);
}

/** The operators of a service that keeps files in `dataDir`. */
export interface OperatorTokens {
  /** A token that permits all calls: scripts and the demo use it. */
  readonly operatorToken: string;
  readonly operatorTokens: readonly OperatorToken[];
}

/** The portal as an operator: it can open accounts, and reaches those alone. */
export function portalOperator(): OperatorToken {
  // New at each start: only this set of processes needs it, so it is not stored.
  return { name: 'portal', scopes: ['accounts-own'], token: randomSecret() };
}

/** The configured operators; where none of their tokens permits all calls, also the operator with the stored token. */
export function operatorTokensOf(dataDir: string, given: readonly OperatorToken[] = []): OperatorTokens {
  const full = given.find(({ scopes }) => scopes === null);
  if (full !== undefined) return { operatorToken: full.token, operatorTokens: given };
  const token = storedOperatorToken(dataDir);
  return { operatorToken: token, operatorTokens: [...given, { name: 'operator', scopes: null, token }] };
}
