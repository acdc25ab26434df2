import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/**
 * The credentials of a request. `malformed`: the headers do not hold exactly one key (two different keys, a header given
 * twice, another scheme than Bearer). `scheme` says whether the Authorization header carried it.
 */
export type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'key'; readonly hash: string; readonly bearer: boolean };

/** The form in which keys and tokens are stored and compared: SHA-256, hex. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key, 'utf8').digest('hex');
}

const TOKEN = /^[\x21-\x7e]{1,512}$/;

/** Reads `Authorization: Bearer <key>` (scheme in any case) and `X-Api-Key`. Only headers count: never query or body. */
export function readCredentials(request: Pick<IncomingMessage, 'headers' | 'headersDistinct'>): Credentials {
  // Most reads have no credentials. Looking for repeated headers costs more than everything else here.
  const { headers } = request;
  if (headers.authorization === undefined && headers['x-api-key'] === undefined) return { kind: 'none' };
  const authorization = request.headersDistinct['authorization'] ?? [];
  const apiKey = request.headersDistinct['x-api-key'] ?? [];
  if (authorization.length + apiKey.length === 0) return { kind: 'none' };
  if (authorization.length > 1 || apiKey.length > 1) return { kind: 'malformed' };
  const fromBearer = authorization[0] === undefined ? undefined : (/^bearer +(.*)$/i.exec(authorization[0])?.[1] ?? '');
  const fromHeader = apiKey[0];
  if (fromBearer !== undefined && fromHeader !== undefined && fromBearer !== fromHeader) return { kind: 'malformed' };
  const key = fromBearer ?? fromHeader ?? '';
  if (!TOKEN.test(key)) return { kind: 'malformed' };
  return { kind: 'key', hash: hashKey(key), bearer: fromBearer !== undefined };
}
