import { endpoints } from '@paper/contracts';
import type { Handler } from '@paper/contracts';
import { Market } from '@paper/contracts/markets';
import { MINUTE_MS } from '@paper/contracts/units';
import { queries } from '@paper/read-models';
import type { Answered, ReadView } from '@paper/read-models';
import type { z } from 'zod';
import { MarketTrends } from './market-trends.ts';
import { closingPosition, rankPosition, sequencePosition } from './paging/paging.ts';
import type { PageRequest } from './paging/paging.ts';
import type { RouteParts } from './route-parts.ts';

interface MarketPage<Position> {
  readonly items: Awaited<ReturnType<typeof queries.listMarkets>>['items'];
  readonly next: Position | null;
}

/** The list of markets, in each of its sort orders. Reads that scan all markets of a status take turns. */
export function listMarkets({ now, paging, readModels, turns }: RouteParts): Handler<typeof endpoints.listMarkets> {
  const trends = new MarketTrends(readModels, turns, now);
  return (caller, input, client) => {
    const { sort = 'newest', fields, ...query } = input.query;
    const exact = { status: query.status, sector: query.sector, companySlug: query.companySlug, q: query.q };
    // The number of resolved markets grows without limit, so searching them is long.
    const isLongSearch = exact.q !== undefined && exact.status !== 'active';

    const answer = async <Position>(
      position: z.ZodType<Position>,
      read: (request: PageRequest<Position>) => Promise<Answered<MarketPage<Position>>>,
    ) => {
      const request = paging.request(endpoints.listMarkets, caller, input, position);
      const { value: page, seq } = await read(request);
      const markets = fields === undefined ? page.items : await trends.added(page.items, caller, client);
      return { body: markets.map(Market.body), seq, ...request.linkTo(page.next) };
    };
    type Find<Position> = (db: ReadView['db'], filter: queries.MarketFilter) => Promise<MarketPage<Position>>;
    const found = <Position>(isLong: boolean, find: Find<Position>) => {
      const read = async ({ db, seq }: ReadView) => {
        const page = await find(db, exact);
        const alikeBy = query.q === undefined || page.items.length > 0 ? null : await queries.trigramSchema(db);
        return { value: alikeBy === null ? page : await find(db, { ...exact, alikeBy }), seq };
      };
      return isLong ? turns.read(caller, client, read) : readModels.read(read);
    };

    switch (sort) {
      case 'newest':
        return answer(sequencePosition, async ({ limit, after }) => {
          if (!isMostFrequent(input.query)) {
            return found(isLongSearch, (db, filter) => queries.listMarkets(db, { ...filter, limit, after }));
          }
          const { value: rows, seq } = await readModels.queryOne(queries.newestActive, String(limit + 1));
          return { value: queries.newestPage(rows, limit), seq };
        });
      case 'closing':
        return answer(closingPosition, ({ limit, after }) =>
          found(isLongSearch, (db, filter) => queries.listMarketsByClosing(db, { ...filter, limit, after })),
        );
      case 'activity':
      case 'movement':
        return answer(rankPosition, ({ limit, after }) => {
          const minuteMs = Math.floor(now() / MINUTE_MS) * MINUTE_MS;
          return found(true, (db, filter) => queries.rankMarkets(db, sort, { ...filter, limit, after, minuteMs }));
        });
    }
  };
}

/** Whether these are the first of all active markets, which are read so often that round trips matter. */
function isMostFrequent(query: z.output<typeof endpoints.listMarkets.query>): boolean {
  const { companySlug, cursor, q, sector, status } = query;
  return status === 'active' && [companySlug, cursor, q, sector].every((one) => one === undefined);
}
