import {
  ApiError,
  endpoints,
  fillBody,
  fleetKeyBody,
  orderBody,
  portfolioBody,
  positionsBody,
  recentSignalsBody,
  subAccountBody,
} from '@paper/contracts';
import { queries } from '@paper/read-models';
import type { ReadModels, ReadView } from '@paper/read-models';
import { implement } from '@paper/service-kit';
import type { Authenticate, Route } from '@paper/service-kit';
import { ofPast, pastSeq } from './as-of.ts';
import { orderPosition, sequencePosition } from './paging/paging.ts';
import type { Paging } from './paging/paging.ts';
import type { LongReadTurns } from './long-read-turns.ts';

/** Reads with a key: the account's data, and signals. Authentication has waited for the journal's head. */
export function accountRoutes(
  readModels: ReadModels,
  paging: Paging,
  turns: LongReadTurns,
  authenticate: Authenticate,
): Route[] {
  return [
    ...tradingRoutes(readModels, paging, authenticate),
    ...holdingRoutes(readModels, turns, authenticate),
    ...fleetRoutes(readModels, paging, turns, authenticate),
  ];
}

/** Orders and fills. */
function tradingRoutes(readModels: ReadModels, paging: Paging, authenticate: Authenticate): Route[] {
  return implement(
    endpoints,
    {
      listOrders: (caller, input) => {
        const { marketId } = input.query;
        const pageRequest = paging.request(endpoints.listOrders, caller, input, orderPosition);
        return readModels.read(async ({ db, seq }) => {
          const filter = { marketId, limit: pageRequest.limit, after: pageRequest.after };
          const page = await queries.listOrders(db, caller.accountId, filter);
          return { body: page.items.map(orderBody), seq, ...pageRequest.linkTo(page.next) };
        });
      },
      listFills: (caller, input) => {
        const { marketId } = input.query;
        const pageRequest = paging.request(endpoints.listFills, caller, input, sequencePosition);
        return readModels.read(async ({ db, seq }) => {
          const filter = { marketId, limit: pageRequest.limit, after: pageRequest.after };
          const page = await queries.listFills(db, caller.accountId, filter);
          return { body: page.items.map(fillBody), seq, ...pageRequest.linkTo(page.next) };
        });
      },
    },
    authenticate,
  );
}

/** Portfolio and positions. */
function holdingRoutes(readModels: ReadModels, turns: LongReadTurns, authenticate: Authenticate): Route[] {
  return implement(
    endpoints,
    {
      getPortfolio: async (caller, { query: { asOfSeq } }, client) => {
        if (asOfSeq !== undefined) {
          return turns.read(caller, client, (view) => portfolioAsOf(view, caller.accountId, asOfSeq));
        }
        const { value: portfolio, seq } = await readModels.queryOne(queries.portfolioOf, caller.accountId);
        // A key and its account are projected together. A key without an account is our fault, so it is not a 4xx.
        if (portfolio === null) throw new Error(`account ${caller.accountId} has a key and no row`);
        return { body: portfolioBody(portfolio), seq };
      },
      getPositions: async (caller) => {
        const { value: positions, seq } = await readModels.queryOne(queries.positionsOf, caller.accountId);
        return { body: positionsBody(positions, seq), seq };
      },
    },
    authenticate,
  );
}

/** Sub-accounts, keys and signals. */
function fleetRoutes(
  readModels: ReadModels,
  paging: Paging,
  turns: LongReadTurns,
  authenticate: Authenticate,
): Route[] {
  return implement(
    endpoints,
    {
      listSubAccounts: (caller, _input, client) =>
        turns.read(caller, client, async ({ db, seq }) => ({
          body: { subAccounts: (await queries.listSubAccounts(db, caller.accountId)).map(subAccountBody) },
          seq,
        })),
      listKeys: (caller, input) => {
        const pageRequest = paging.request(endpoints.listKeys, caller, input, sequencePosition);
        return readModels.read(async ({ db, seq }) => {
          const page = await queries.listKeys(db, caller.accountId, pageRequest);
          return { body: { keys: page.items.map(fleetKeyBody) }, seq, ...pageRequest.linkTo(page.next) };
        });
      },
      listRecentSignals: (caller, input) => {
        const pageRequest = paging.request(endpoints.listRecentSignals, caller, input, sequencePosition);
        return readModels.read(async ({ db, seq }) => {
          const page = await queries.listRecentSignals(db, pageRequest);
          return { body: recentSignalsBody(page.items), seq, ...pageRequest.linkTo(page.next) };
        });
      },
    },
    authenticate,
  );
}

async function portfolioAsOf({ db, seq }: ReadView, accountId: string, asOfSeq: string) {
  const past = pastSeq(asOfSeq, seq);
  const portfolio = await queries.findPortfolioAsOf(db, accountId, past, seq);
  if (portfolio === null) throw new ApiError('account_not_found', `This account was not open yet at sequence ${past}`);
  return { body: portfolioBody(portfolio), ...ofPast(past) };
}
