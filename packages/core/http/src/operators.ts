import { timingSafeEqual } from 'node:crypto';
import { OPERATOR_SCOPES } from '@paper/contracts';
import type { OperatorScope } from '@paper/contracts';
import { hashKey } from './call.ts';

export interface Operator {
  readonly name: string;
  /** The groups of calls that the token permits; null: all calls. */
  readonly scopes: readonly OperatorScope[] | null;
}

export interface OperatorToken extends Operator {
  readonly token: string;
}

/** Finds the operator with the SHA-256 (hex) of a presented token; null if there is none. */
export interface Operators {
  readonly find: (tokenHash: string) => Operator | null;
}

export function createOperators(
  tokens: readonly (Omit<OperatorToken, 'scopes'> & Partial<Pick<OperatorToken, 'scopes'>>)[],
): Operators {
  const known = tokens.map(({ name, scopes = null, token }) => ({
    digest: Buffer.from(hashKey(token), 'hex'),
    operator: { name, scopes },
  }));
  return {
    find(tokenHash) {
      const presented = Buffer.from(tokenHash, 'hex');
      let found: Operator | null = null;
      for (const { digest, operator } of known) if (timingSafeEqual(digest, presented)) found = operator;
      return found;
    },
  };
}

/**
 * Parses `name:token[:scope+scope],…`, the form of OPERATOR_TOKENS. A token has no colon, so that a mistyped scope is
 * never a part of it; without scopes it permits all calls. A name may have several tokens, so that one can be replaced
 * without a gap. Throws an Error that quotes no token.
 */
export function parseOperatorTokens(text: string): OperatorToken[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part, index) => {
      const match = /^([A-Za-z0-9_.-]{1,64}):([\x21-\x39\x3b-\x7e]{16,512})(?::(.*))?$/.exec(part);
      if (match?.[1] === undefined || match[2] === undefined) {
        throw new Error(
          `entry ${index + 1} is not of the form name:token or name:token:scope+scope, with a token of at least 16 ` +
            'characters and no colon in it',
        );
      }
      return { name: match[1], scopes: match[3] === undefined ? null : scopesOf(match[3], index), token: match[2] };
    });
}

export function formatOperatorTokens(tokens: readonly OperatorToken[]): string {
  return tokens
    .map(({ name, scopes, token }) => `${name}:${token}${scopes === null ? '' : `:${scopes.join('+')}`}`)
    .join(',');
}

function scopesOf(text: string, index: number): readonly OperatorScope[] {
  const named = new Set(text.split('+'));
  const scopes = OPERATOR_SCOPES.filter((scope) => named.delete(scope));
  if (named.size > 0) {
    throw new Error(`entry ${index + 1} has an unknown scope; scopes are ${OPERATOR_SCOPES.join(', ')}, joined by +`);
  }
  return scopes;
}
