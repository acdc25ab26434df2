import { join } from 'node:path';
import type { OperatorToken } from '@paper/http';
import { randomSecret, storedSecret } from '@paper/runtime';

export const OPERATOR_TOKEN_FILE = 'operator-token';

/** The tokens in `operator-token`: one, or during a rotation two, the newer first. */
export function parseStoredTokens(text: string): OperatorToken[] {
  return text.split(',').map((token) => ({ name: 'operator', scopes: null, token: token.trim() }));
}

export function formatStoredTokens(tokens: readonly OperatorToken[]): string {
  return tokens.map(({ token }) => token).join(',');
}

/** The portal as an operator: it can open accounts, and manage only those. */
export function portalOperator(): OperatorToken {
  // The token is new at each start: only this set of processes needs it, so it is not stored.
  return { name: 'portal', scopes: ['accounts-own'], token: randomSecret() };
}

/**
 * The configured operators; if none of their tokens permits all calls, also the operator with the stored token.
 * `operatorToken` is a token that permits all calls, for scripts and the demo.
 */
export function operatorTokensOf(dataDir: string, given: readonly OperatorToken[] = []) {
  const full = given.find(({ scopes }) => scopes === null);
  if (full !== undefined) return { operatorToken: full.token, operatorTokens: given };
  // The first start makes the token.
  const stored = parseStoredTokens(storedSecret(join(dataDir, OPERATOR_TOKEN_FILE), () => `op_${randomSecret()}`));
  return { operatorToken: stored[0]?.token ?? '', operatorTokens: [...given, ...stored] };
}
