import type { StoredEvent } from '@paper/journal';

/** A stored event for an audit: whole, or with a digest in place of its withheld private text. */
export interface AuditableEvent extends StoredEvent {
  /** SHA-256 (hex) of the private text that was withheld; 64 zeros where the event never had one. */
  readonly privateDigest?: string;
}

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
