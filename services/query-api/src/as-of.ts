import { ApiError } from '@paper/contracts';

/**
 * Historical answers never change. They are cached for a day only, since another journal may be served at the address
 * one day.
 */
const IMMUTABLE = 'private, max-age=86400, immutable';

/** A request's `asOfSeq`; undefined if the endpoint has none. */
export function asOf({ query }: { readonly query: unknown }): unknown {
  return (query as { readonly asOfSeq?: unknown } | null)?.asOfSeq;
}

/**
 * Parses `asOfSeq`. @param newest the newest sequence of the read models, which have waited for the journal's head.
 * @throws ApiError for a sequence beyond it.
 */
export function pastSeq(asOfSeq: string, newest: number): number {
  const seq = Number(asOfSeq);
  if (seq <= newest) return seq;
  throw new ApiError(
    'validation_failed',
    `validation failure: asOfSeq: must not be above ${newest}, the newest sequence of the journal`,
  );
}

/** The sequence and headers of a historical answer, which may be cached. */
export function historicalAnswer(seq: number) {
  return { seq, cacheControl: IMMUTABLE };
}
