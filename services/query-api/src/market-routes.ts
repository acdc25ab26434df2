import { ApiError, endpoints } from '@paper/contracts';
import { Market, orderBookBody } from '@paper/contracts/markets';
import { queries } from '@paper/read-models';
import { historicalAnswer, pastSeq } from './as-of.ts';
import { listMarkets } from './market-lists.ts';
import { sequencePosition } from './paging/paging.ts';
import type { Handlers, RouteParts } from './route-parts.ts';

export function marketHandlers(parts: RouteParts): Handlers {
  const { paging, readModels, turns } = parts;
  return {
    listMarkets: listMarkets(parts),
    getMarket: async (_caller, { params }) => {
      const { value: market, seq } = await readModels.queryOne(queries.marketOf, params.id);
      if (market === null) throw unknownMarket(params.id);
      return { body: Market.body(market), seq };
    },
    getOrderBook: async (caller, { params, query: { asOfSeq } }, client) => {
      if (asOfSeq !== undefined) {
        return turns.read(caller, client, async ({ db, seq }) => {
          const past = pastSeq(asOfSeq, seq);
          const book = await queries.findOrderBookAsOf(db, params.marketId, past);
          if (book === null) throw unknownMarket(params.marketId, past);
          return { body: orderBookBody(book), ...historicalAnswer(past) };
        });
      }
      const { value: book, seq } = await readModels.queryOne(queries.orderBookOf, params.marketId);
      if (book === null) throw unknownMarket(params.marketId);
      return { body: orderBookBody(book), seq };
    },
    listMarketsByPhase: async (caller, input) => {
      const { phase } = input.query;
      const { limit, after, linkTo } = paging.request(endpoints.listMarketsByPhase, caller, input, sequencePosition);
      return readModels.read(async ({ db, seq }) => {
        const page = await queries.listMarkets(db, { phase, limit, after });
        return { body: page.items.map(Market.body), seq, ...linkTo(page.next) };
      });
    },
  };
}

/** The refusal of an id that no market has, or had at the sequence `past`. */
export function unknownMarket(id: string, past?: number): ApiError {
  const text = past === undefined ? `No market has the id ${id}` : `No market had the id ${id} at sequence ${past}`;
  return new ApiError('market_not_found', text);
}
