import { ApiError, endpoints } from '@paper/contracts';
import type { PreSerialized } from '@paper/contracts';
import { OrderSequences } from '@paper/contracts/journal';
import { queries } from '@paper/read-models';
import { sequencePosition } from '../paging/paging.ts';
import type { Handlers, RouteParts } from '../route-parts.ts';

/** Cached for a day and not for ever: another journal may one day be served at the same address. */
const IMMUTABLE = 'public, max-age=86400, immutable';

export function journalHandlers({ pages, paging, turns }: RouteParts): Handlers {
  return {
    readJournal: async (_caller, { query }, client): Promise<PreSerialized> => {
      const { from, limit } = { from: Number(query.from ?? 1), limit: query.limit };
      const { ready, seq, next } = await pages.page({ from, limit }, client);
      const answer = { mediaType: 'application/x-ndjson', preSerialized: ready, seq } as const;
      if (next === null) return answer;
      return { ...answer, cacheControl: IMMUTABLE, headers: { link: linkTo(next, limit) } };
    },
    getOrderSequences: (caller, input, client) => {
      const { id } = input.params;
      const pageRequest = paging.request(endpoints.getOrderSequences, caller, input, sequencePosition);
      return turns.read(caller, client, async ({ db, seq }) => {
        const page = await queries.findOrderSequences(db, id, pageRequest);
        if (page === null) throw new ApiError('not_found', `No order has the id ${id}`);
        return { body: OrderSequences.body({ seqs: page.items }), seq, ...pageRequest.linkTo(page.next) };
      });
    },
  };
}

function linkTo(from: number, limit: number): string {
  return `<${endpoints.readJournal.path}?from=${from}&limit=${limit}>; rel="next"`;
}
