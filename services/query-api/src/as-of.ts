import { ApiError } from '@paper/contracts';

/** What was right after an event is so for ever; a day, since behind an address may one day stand another journal. */
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

/** How an answer of the past is sent: it knows everything up to that event, and may be kept. */
export function ofPast(seq: number) {
  return { seq, cacheControl: IMMUTABLE };
}
