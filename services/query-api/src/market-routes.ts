import { ApiError, endpoints, limitOf, marketBody, orderBookBody } from '@paper/contracts';
import { findMarket, findOrderBook, listMarkets, type Freshness, type ReadModels } from '@paper/read-models';
import { route, type Authenticate, type Route } from '@paper/service-kit';
import { nextPage } from './next-page.ts';

/** Markets and their books, for everybody; and the operator's list of every phase. */
export function marketRoutes(readModels: ReadModels, freshness: Freshness, authenticate: Authenticate): Route[] {
  const unknownMarket = (id: string): ApiError => new ApiError('market_not_found', `No market has the id ${id}`);

  return [
    route(
      endpoints.listMarkets,
      (_caller, { query }) =>
        readModels.read(async ({ db, seq }) => {
          const { status, sector, cursor } = query;
          const page = await listMarkets(db, { status, sector, cursor, limit: limitOf(query.limit, 50) });
          return {
            body: page.items.map(marketBody),
            seq,
            ...nextPage(endpoints.listMarkets.path, { status, sector, limit: query.limit }, page.next),
          };
        }),
      authenticate,
    ),
    route(
      endpoints.getMarket,
      (_caller, { params }) =>
        readModels.read(async ({ db, seq }) => {
          const market = await findMarket(db, params.id);
          if (market === null) throw unknownMarket(params.id);
          return { body: marketBody(market), seq };
        }),
      authenticate,
    ),
    route(
      endpoints.getOrderBook,
      (_caller, { params }) =>
        readModels.read(async ({ db, seq }) => {
          const book = await findOrderBook(db, params.marketId);
          if (book === null) throw unknownMarket(params.marketId);
          return { body: orderBookBody(book), seq };
        }),
      authenticate,
    ),
    route(
      endpoints.operatorListMarkets,
      async (_caller, { query }) => {
        // An operator's token is not in the projection, so nothing has waited for this call yet.
        await freshness.reached();
        return readModels.read(async ({ db, seq }) => {
          const { phase, cursor } = query;
          const page = await listMarkets(db, { phase, cursor, limit: limitOf(query.limit, 50) });
          return {
            body: page.items.map(marketBody),
            seq,
            ...nextPage(endpoints.operatorListMarkets.path, { phase, limit: query.limit }, page.next),
          };
        });
      },
      authenticate,
    ),
  ];
}
