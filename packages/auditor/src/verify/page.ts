import type { StoredEvent } from '@paper/journal';

/** A page of events column by column: so it travels between threads, to which objects are much slower than texts. */
export interface Page {
  readonly seqs: readonly number[];
  readonly ids: readonly string[];
  readonly types: readonly string[];
  readonly publicTexts: readonly string[];
  readonly privateTexts: readonly (string | null)[];
  readonly hashes: readonly string[];
}

export function pageOf(events: readonly StoredEvent[]): Page {
  return {
    seqs: events.map(({ seq }) => seq),
    ids: events.map(({ id }) => id),
    types: events.map(({ type }) => type),
    publicTexts: events.map(({ publicText }) => publicText),
    privateTexts: events.map(({ privateText }) => privateText),
    hashes: events.map(({ hash }) => hash),
  };
}

export function eventsOf({ hashes, ids, privateTexts, publicTexts, seqs, types }: Page): StoredEvent[] {
  return seqs.map((seq, at) => ({
    hash: hashes[at] ?? '',
    id: ids[at] ?? '',
    privateText: privateTexts[at] ?? null,
    publicText: publicTexts[at] ?? '',
    seq,
    type: types[at] ?? '',
  }));
}
