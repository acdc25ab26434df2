import { endpoints } from '@paper/contracts';
import type { PreSerialized } from '@paper/contracts';
import { implement } from '@paper/http';
import type { Authenticate, Route } from '@paper/http';
import type { JournalPages } from './journal-pages.ts';

/** A day and not for ever: another journal may one day be served at the same address. */
const IMMUTABLE = 'public, max-age=86400, immutable';

/** The public journal; needs no key. */
export function journalRoutes(pages: JournalPages, authenticate: Authenticate): Route[] {
  return implement(
    endpoints,
    {
      readJournal: async (_caller, { query }, client): Promise<PreSerialized> => {
        const { from, limit } = { from: Number(query.from ?? 1), limit: query.limit };
        const { ready, seq, next } = await pages.page({ from, limit }, client);
        const answer = { mediaType: 'application/x-ndjson', preSerialized: ready, seq } as const;
        if (next === null) return answer;
        return { ...answer, cacheControl: IMMUTABLE, headers: { link: linkTo(next, limit) } };
      },
    },
    authenticate,
  );
}

function linkTo(from: number, limit: number): string {
  return `<${endpoints.readJournal.path}?from=${from}&limit=${limit}>; rel="next"`;
}
