import type { AuditableEvent } from '../../journal/audited-event.ts';

/** A page of events as columns, since copying texts between threads is much faster than copying objects. */
export type Page = { readonly [Field in keyof AuditableEvent]-?: readonly AuditableEvent[Field][] };

export function pageOf(events: readonly AuditableEvent[]): Page {
  return {
    hash: events.map(({ hash }) => hash),
    id: events.map(({ id }) => id),
    privateDigest: events.map(({ privateDigest }) => privateDigest),
    privateText: events.map(({ privateText }) => privateText),
    publicText: events.map(({ publicText }) => publicText),
    seq: events.map(({ seq }) => seq),
    type: events.map(({ type }) => type),
  };
}

export function eventsOf(page: Page): AuditableEvent[] {
  return page.seq.map((seq, at) => {
    const event = {
      hash: page.hash[at] ?? '',
      id: page.id[at] ?? '',
      privateText: page.privateText[at] ?? null,
      publicText: page.publicText[at] ?? '',
      seq,
      type: page.type[at] ?? '',
    };
    const privateDigest = page.privateDigest[at];
    return privateDigest === undefined ? event : { ...event, privateDigest };
  });
}
