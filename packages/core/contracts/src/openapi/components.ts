import type { ErrorCode } from '../errors.ts';

/** Reusable components of the OpenAPI document: headers and examples of errors. */

interface Header {
  readonly description: string;
  readonly schema: { readonly type: 'string' | 'integer' };
  readonly example: string | number;
}

interface Reference {
  readonly $ref: string;
}

export const HEADERS = {
  'X-Journal-Seq': {
    description:
      'The journal sequence that the answer includes. The answer to a command carries the sequence of its last event.',
    schema: { type: 'integer' },
    example: 1202,
  },
  'X-Journal-Hash': {
    description:
      'A receipt: the hash of the event at X-Journal-Seq, 64 hex digits. Keep both to prove later, with `GET /api/journal`, that the history was not rewritten. If a command appended nothing, the receipt names the event that the decision followed. A replay carries the receipt of the first answer. A batch in which every command failed carries none.',
    schema: { type: 'string' },
    example: '91ac9aa9d277087e6b54fb5217d12a98912f92269b6b3e450922f714c82d7fa3',
  },
  'Idempotent-Replayed': {
    description: '`true` if this is the stored answer to an earlier request with the same Idempotency-Key.',
    schema: { type: 'string' },
    example: 'true',
  },
  ETag: {
    description:
      'Identifies the bytes of this answer. Send it back as If-None-Match to get 304 while they are the same.',
    schema: { type: 'string' },
    example: '"kUq3Yw9bT2fXh0LrVn6PzA"',
  },
  'Cache-Control': {
    description:
      '`no-cache`: the answer may be cached and must be revalidated. `immutable` with a `max-age`: the answer never changes. `private`: only the client with this key may cache it. `no-store`: the answer must not be cached.',
    schema: { type: 'string' },
    example: 'no-cache',
  },
  Vary: {
    description:
      '`accept-encoding` if the answer is also sent compressed; each encoding has its own ETag. `authorization, x-api-key` if the answer depends on the key.',
    schema: { type: 'string' },
    example: 'accept-encoding',
  },
  Link: {
    description: 'The URL of the next page, as `<…>; rel="next"`. The last page has no Link header.',
    schema: { type: 'string' },
    example: '</api/markets?limit=50&cursor=eyJzIjoxfQ.c2lnbmF0dXJl>; rel="next"',
  },
  RateLimit: {
    description:
      'The units that are left (`r`), and the seconds until the limit is full again (`t`). If several limits apply (of the key; of the fleet, as `"fleet-reads"` or `"fleet-commands"`), the header shows the one with the least left.',
    schema: { type: 'string' },
    example: '"reads";r=399;t=1',
  },
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer' }, example: 1 },
  Allow: { description: 'The methods that this path supports.', schema: { type: 'string' }, example: 'GET, POST' },
} as const satisfies Record<string, Header>;

type HeaderName = keyof typeof HEADERS;
export type Headers = Partial<Record<HeaderName, Reference>>;

function refer(component: 'headers' | 'examples', name: string): Reference {
  return { $ref: `#/components/${component}/${name}` };
}

/** The headers of an answer, by reference. */
export function headersOf(...names: readonly HeaderName[]): Headers {
  return Object.fromEntries(names.map((name) => [name, refer('headers', name)]));
}

/** The example of each error code, by reference. */
export function errorExamples(codes: readonly ErrorCode[]): Record<string, Reference> {
  return Object.fromEntries(codes.map((code) => [code, refer('examples', code)]));
}
