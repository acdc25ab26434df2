import { createHash, randomBytes } from 'node:crypto';

/** A new 256-bit secret, as text for a cookie or a link. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** The hash under which a token is stored. Tokens are random, so one round of SHA-256 is enough. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token, 'utf8').digest();
