import { ApiError } from '@paper/contracts';

/** Historical answers never change; a day, since an address may serve another journal one day. */
const IMMUTABLE = 'private, max-age=86400, immutable';

/** A request's `asOfSeq`, where its endpoint has one. */
export function asOf({ query }: { readonly query: unknown }): unknown {
  return (query as { readonly asOfSeq?: unknown } | null)?.asOfSeq;
}

/** @param newest what the read models show; they have waited for the journal's head. @throws ApiError for what is to come. */
export function pastSeq(asOfSeq: string, newest: number): number {
  const seq = Number(asOfSeq);
  if (seq <= newest) return seq;
  throw new ApiError(
    'validation_failed',
    `validation failure: asOfSeq: must not be above ${newest}, the newest sequence of the journal`,
  );
}

/** The sequence and headers of a historical answer, which may be cached. */
export function ofPast(seq: number) {
  return { seq, cacheControl: IMMUTABLE };
}
