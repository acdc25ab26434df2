import { endpoints } from '@paper/contracts';
import type { Handler } from '@paper/contracts';
import { Market } from '@paper/contracts/markets';
import { MINUTE_MS } from '@paper/contracts/units';
import { queries } from '@paper/read-models';
import type { ReadModels, ReadView } from '@paper/read-models';
import type { z } from 'zod';
import type { LongReadTurns } from './long-read-turns.ts';
import { closingPosition, rankPosition, sequencePosition } from './paging/paging.ts';
import type { PageRequest, Paging } from './paging/paging.ts';

/** A page of markets, and the position after which the next one begins. */
interface MarketPage<Position> {
  readonly items: Awaited<ReturnType<typeof queries.listMarkets>>['items'];
  readonly next: Position | null;
}

/** The list of markets, in each of its orders. Those that read every market of a status take turns. */
export function listMarkets(
  readModels: ReadModels,
  paging: Paging,
  turns: LongReadTurns,
  now: () => number,
): Handler<typeof endpoints.listMarkets> {
  return (caller, input, client) => {
    const { sort = 'newest', ...query } = input.query;
    const filter = { status: query.status, sector: query.sector, companySlug: query.companySlug, q: query.q };
    // The markets that were resolved grow in number for ever.
    const isLongSearch = filter.q !== undefined && filter.status !== 'active';

    const answer = <Position>(
      position: z.ZodType<Position>,
      isLong: boolean,
      find: (db: ReadView['db'], request: PageRequest<Position>) => Promise<MarketPage<Position>>,
    ) => {
      const request = paging.request(endpoints.listMarkets, caller, input, position);
      const read = async ({ db, seq }: ReadView) => {
        const page = await find(db, request);
        return { body: page.items.map(Market.body), seq, ...request.linkTo(page.next) };
      };
      return isLong ? turns.read(caller, client, read) : readModels.read(read);
    };

    switch (sort) {
      case 'newest':
        if (isMostFrequent(input.query)) {
          const { limit, linkTo } = paging.request(endpoints.listMarkets, caller, input, sequencePosition);
          return readModels.queryOne(queries.newestActive, String(limit + 1)).then(({ value: rows, seq }) => {
            const page = queries.newestPage(rows, limit);
            return { body: page.items.map(Market.body), seq, ...linkTo(page.next) };
          });
        }
        return answer(sequencePosition, isLongSearch, (db, { limit, after }) =>
          queries.listMarkets(db, { ...filter, limit, after }),
        );
      case 'closing':
        return answer(closingPosition, isLongSearch, (db, { limit, after }) =>
          queries.listMarketsByClosing(db, { ...filter, limit, after }),
        );
      case 'activity':
      case 'movement':
        return answer(rankPosition, true, (db, { limit, after }) => {
          const minuteMs = Math.floor(now() / MINUTE_MS) * MINUTE_MS;
          return queries.rankMarkets(db, sort, { ...filter, limit, after, minuteMs });
        });
    }
  };
}

/**
 * Whether these are the first of all active markets. While orders arrive they are read so often that round trips
 * matter.
 */
function isMostFrequent({
  companySlug,
  cursor,
  q,
  sector,
  status,
}: z.output<typeof endpoints.listMarkets.query>): boolean {
  return status === 'active' && [companySlug, cursor, q, sector].every((one) => one === undefined);
}
