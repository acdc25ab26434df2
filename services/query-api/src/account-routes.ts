import {
  ApiError,
  endpoints,
  fillBody,
  limitOf,
  orderBody,
  portfolioBody,
  positionsBody,
  recentSignalsBody,
  subAccountBody,
} from '@paper/contracts';
import {
  findPortfolioAsOf,
  listFills,
  listOrders,
  listRecentSignals,
  listSubAccounts,
  portfolioOf,
  positionsOf,
  type ReadModels,
} from '@paper/read-models';
import { route, type Authenticate, type Route } from '@paper/service-kit';
import { ofPast, pastSeq } from './as-of.ts';
import { nextPage } from './next-page.ts';

/** What a key reads: the account's own, and the signals. Authentication has waited for the journal's head. */
export function accountRoutes(readModels: ReadModels, authenticate: Authenticate): Route[] {
  return [
    route(
      endpoints.listOrders,
      (caller, { query }) =>
        readModels.read(async ({ db, seq }) => {
          const { marketId, cursor } = query;
          const page = await listOrders(db, caller.accountId, { marketId, cursor, limit: limitOf(query.limit, 500) });
          return {
            body: page.items.map(orderBody),
            seq,
            ...nextPage(endpoints.listOrders.path, { marketId, limit: query.limit }, page.next),
          };
        }),
      authenticate,
    ),
    route(
      endpoints.listFills,
      (caller, { query }) =>
        readModels.read(async ({ db, seq }) => {
          const { marketId, cursor } = query;
          const page = await listFills(db, caller.accountId, { marketId, cursor, limit: limitOf(query.limit, 50) });
          return {
            body: page.items.map(fillBody),
            seq,
            ...nextPage(endpoints.listFills.path, { marketId, limit: query.limit }, page.next),
          };
        }),
      authenticate,
    ),
    route(
      endpoints.getPortfolio,
      async (caller, { query: { asOfSeq } }) => {
        if (asOfSeq !== undefined) return portfolioAsOf(readModels, caller.accountId, asOfSeq);
        const { value: portfolio, seq } = await readModels.ask(portfolioOf, caller.accountId);
        // A key is projected together with its account, so one without the other is a fault, not a client's error.
        if (portfolio === null) throw new Error(`account ${caller.accountId} has a key and no row`);
        return { body: portfolioBody(portfolio), seq };
      },
      authenticate,
    ),
    route(
      endpoints.getPositions,
      async (caller) => {
        const { value: positions, seq } = await readModels.ask(positionsOf, caller.accountId);
        return { body: positionsBody(positions, seq), seq };
      },
      authenticate,
    ),
    route(
      endpoints.listSubAccounts,
      (caller) =>
        readModels.read(async ({ db, seq }) => ({
          body: { subAccounts: (await listSubAccounts(db, caller.accountId)).map(subAccountBody) },
          seq,
        })),
      authenticate,
    ),
    route(
      endpoints.listRecentSignals,
      (_caller, { query }) =>
        readModels.read(async ({ db, seq }) => {
          const page = await listRecentSignals(db, { cursor: query.cursor, limit: limitOf(query.limit, 50) });
          return {
            body: recentSignalsBody(page.items),
            seq,
            ...nextPage(endpoints.listRecentSignals.path, { limit: query.limit }, page.next),
          };
        }),
      authenticate,
    ),
  ];
}

function portfolioAsOf(readModels: ReadModels, accountId: string, asOfSeq: string) {
  return readModels.read(async ({ db, seq }) => {
    const past = pastSeq(asOfSeq, seq);
    const portfolio = await findPortfolioAsOf(db, accountId, past, seq);
    if (portfolio === null) {
      throw new ApiError('account_not_found', `This account was not open yet at sequence ${past}`);
    }
    return { body: portfolioBody(portfolio), ...ofPast(past) };
  });
}
