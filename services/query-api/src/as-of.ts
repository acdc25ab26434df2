import { ApiError } from '@paper/contracts';

/** Historical answers never change. A day only, since another journal may be served at the address one day. */
const IMMUTABLE = 'private, max-age=86400, immutable';

export function asOf({ query }: { readonly query: unknown }): unknown {
  return (query as { readonly asOfSeq?: unknown } | null)?.asOfSeq;
}

/** Parses `asOfSeq`. Throws ApiError for a sequence beyond `newest`, that of the read models. */
export function pastSeq(asOfSeq: string, newest: number): number {
  const seq = Number(asOfSeq);
  if (seq <= newest) return seq;
  throw new ApiError(
    'validation_failed',
    `validation failure: asOfSeq: must not be above ${newest}, the newest sequence of the journal`,
  );
}

export function historicalAnswer(seq: number) {
  return { seq, cacheControl: IMMUTABLE };
}
