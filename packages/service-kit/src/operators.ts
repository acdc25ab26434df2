import { timingSafeEqual } from 'node:crypto';
import { hashKey } from './call.ts';

/** The operators of the exchange. `nameOf` takes the SHA-256 hex of a presented token; null when no operator has it. */
export interface Operators {
  readonly nameOf: (tokenHash: string) => string | null;
}

/** Holds the tokens as hashes only, and compares with all of them, so that the time taken tells nothing. */
export function createOperators(tokens: readonly { readonly name: string; readonly token: string }[]): Operators {
  const known = tokens.map(({ name, token }) => ({ name, digest: Buffer.from(hashKey(token), 'hex') }));
  return {
    nameOf(tokenHash) {
      const presented = Buffer.from(tokenHash, 'hex');
      let found: string | null = null;
      for (const { name, digest } of known) if (timingSafeEqual(digest, presented)) found = name;
      return found;
    },
  };
}

/**
 * Reads `name:token,name:token`, the form of OPERATOR_TOKENS. A name goes into the journal: 1..64 of `A-Za-z0-9_.-`;
 * a token is 16..512 visible ASCII characters without a comma. A name may have several tokens, so that one can be
 * replaced without a gap. Throws an Error that quotes no token.
 */
export function parseOperatorTokens(text: string): { readonly name: string; readonly token: string }[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part, index) => {
      const match = /^([A-Za-z0-9_.-]{1,64}):([\x21-\x7e]{16,512})$/.exec(part);
      if (match?.[1] === undefined || match[2] === undefined) {
        throw new Error(`entry ${index + 1} is not of the form name:token, with a token of at least 16 characters`);
      }
      return { name: match[1], token: match[2] };
    });
}
