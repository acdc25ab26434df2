import { endpoints, JOURNAL_PAGE, type JournalLineBody, type ReadyMade } from '@paper/contracts';
import { withhold, type StoredEvent } from '@paper/journal';
import { etagOf, route, type Authenticate, type Route } from '@paper/service-kit';
import type { JournalReads } from './journal-reads.ts';

/** A day and not for ever: behind an address may one day stand another journal. */
const KEPT = 'public, max-age=86400, immutable';

/** The public journal, for everybody. */
export function journalRoutes(journal: JournalReads, authenticate: Authenticate): Route[] {
  return [
    route(
      endpoints.readJournal,
      async (_caller, { query }): Promise<ReadyMade> => {
        const from = Number(query.from ?? 1);
        const { events, full } = await journal.page(from, { events: query.limit, bytes: JOURNAL_PAGE.bytes });
        const bytes = Buffer.from(events.map(line).join(''));
        const answer = { mediaType: 'application/x-ndjson', readyMade: { bytes, etag: etagOf(bytes) } } as const;
        const last = events.at(-1)?.seq;
        if (!full || last === undefined) return { ...answer, seq: last ?? (await journal.headSeq()) };
        return { ...answer, seq: last, cacheControl: KEPT, headers: { link: nextPage(last + 1, query.limit) } };
      },
      authenticate,
    ),
  ];
}

/** As the endpoint declares it, whatever else an adapter reads. */
function line(stored: StoredEvent): string {
  const { hash, id, privateDigest, publicText, seq, type } = withhold(stored);
  const body: JournalLineBody = { hash, id, privateDigest, publicText, seq, type };
  return `${JSON.stringify(body)}\n`;
}

function nextPage(from: number, limit: number): string {
  return `<${endpoints.readJournal.path}?from=${from}&limit=${limit}>; rel="next"`;
}
