import type { AuditableEvent } from '../../journal/auditable-event.ts';

/** A page of events as columns: copying texts between threads is much faster than copying objects. */
export interface Page {
  readonly seqs: readonly number[];
  readonly ids: readonly string[];
  readonly types: readonly string[];
  readonly publicTexts: readonly string[];
  readonly privateTexts: readonly (string | null)[];
  readonly privateDigests: readonly (string | undefined)[];
  readonly hashes: readonly string[];
}

export function pageOf(events: readonly AuditableEvent[]): Page {
  return {
    seqs: events.map(({ seq }) => seq),
    ids: events.map(({ id }) => id),
    types: events.map(({ type }) => type),
    publicTexts: events.map(({ publicText }) => publicText),
    privateTexts: events.map(({ privateText }) => privateText),
    privateDigests: events.map(({ privateDigest }) => privateDigest),
    hashes: events.map(({ hash }) => hash),
  };
}

export function eventsOf({
  hashes,
  ids,
  privateDigests,
  privateTexts,
  publicTexts,
  seqs,
  types,
}: Page): AuditableEvent[] {
  return seqs.map((seq, at) => {
    const event = {
      hash: hashes[at] ?? '',
      id: ids[at] ?? '',
      privateText: privateTexts[at] ?? null,
      publicText: publicTexts[at] ?? '',
      seq,
      type: types[at] ?? '',
    };
    const privateDigest = privateDigests[at];
    return privateDigest === undefined ? event : { ...event, privateDigest };
  });
}
