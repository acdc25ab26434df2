import { endpoints } from '@paper/contracts';
import { createAuthenticator } from '@paper/read-models';
import type { Freshness, ProgressSource, ReadModels } from '@paper/read-models';
import { implement } from '@paper/http';
import type { Route } from '@paper/http';
import type { Logger } from '@paper/runtime';
import { accountHandlers } from './account-routes.ts';
import { ResponseCache } from './response-cache.ts';
import { JournalPages } from './journal/journal-pages.ts';
import { JournalReads } from './journal/journal-reads.ts';
import { journalHandlers } from './journal/journal-routes.ts';
import { ledgerHandlers } from './journal/ledger-routes.ts';
import { orderHistoryHandlers } from './journal/order-history-routes.ts';
import { oversightHandlers } from './oversight-routes.ts';
import type { PageSource, ReadableJournal } from './journal/page-bytes.ts';
import { LeaderboardBoard } from './leaderboard/leaderboard-board.ts';
import { marketHandlers } from './market-routes.ts';
import { Paging } from './paging/paging.ts';
import { HeldPortfolios } from './portfolio/held-portfolios.ts';
import { LongReadTurns } from './long-read-turns.ts';
import type { Handlers, RouteParts } from './route-parts.ts';
import { serviceHandlers } from './service-routes.ts';
import type { ServiceFacts } from './service-routes.ts';
import { SignalsBoard } from './signals-board/signals-board.ts';
import { watchingHandlers } from './watching-routes.ts';

interface QuerySideSettings extends ServiceFacts {
  readonly readModels: ReadModels;
  /** The journal, which may take long to open: until then, only reads of the journal itself are unavailable. */
  readonly journal: Promise<ReadableJournal>;
  /** Makes the pages of the public journal. Stopped together with the query side. */
  readonly pages: PageSource;
  /** The secret that signs cursors. Until it resolves, further pages are unavailable. Must not reject. */
  readonly cursorSecret: Promise<Buffer>;
  readonly freshness: Freshness;
  /** The projection's progress, which invalidates cached answers. */
  readonly progress: ProgressSource;
  readonly logger: Logger;
  /** Whether boards are computed only when requested, as of the read models and not by the wall clock. Default: no. */
  readonly boardsOnDemand?: boolean;
  /** The accounts that are never ranked, whatever their balance: those that play a tape. Default: none. */
  readonly unranked?: () => readonly string[];
}

export type QuerySide = ReturnType<typeof createQuerySide>;

/** Public endpoints, whose answers depend only on the read models and the minute. */
const PUBLIC: ReadonlySet<string> = new Set([
  endpoints.listMarkets.id,
  endpoints.getMarket.id,
  endpoints.getOrderBook.id,
  endpoints.getMarketEvents.id,
  endpoints.listMoments.id,
  endpoints.getMarketCandles.id,
  endpoints.listRecentTrades.id,
  endpoints.getActivity.id,
  endpoints.getTrader.id,
]);

/** Endpoints of an account's own data that bots poll. */
const OWN: ReadonlySet<string> = new Set([endpoints.getPortfolio.id, endpoints.getPositions.id]);

/** Endpoints that are answered while the read models do not match the journal. */
const WITHOUT_READ_MODELS: ReadonlySet<string> = new Set([
  endpoints.getHealth.id,
  endpoints.getOpenApi.id,
  endpoints.readJournal.id,
]);

/** Endpoints whose callers do not wait for the projection, among them the status of a rebuild. */
const AT_ONCE: ReadonlySet<string> = new Set([...WITHOUT_READ_MODELS, endpoints.getRebuildStatus.id]);

/** Creates the query side: one handler for each endpoint. Each answer comes from one snapshot of the read models. */
export function createQuerySide(settings: QuerySideSettings) {
  const { readModels, freshness, progress } = settings;
  const authenticate = createAuthenticator(readModels, freshness, progress);
  // Each cache has its own limits, so that one account's answers do not evict public ones.
  const cacheSettings = { ...settings, generation: () => readModels.generation };
  const caches = { everybody: new ResponseCache(cacheSettings), accounts: new ResponseCache(cacheSettings) };
  const boardSettings = { ...settings, onDemand: settings.boardsOnDemand ?? false };
  const { unranked = () => [] } = settings;
  const leaderboard = new LeaderboardBoard(boardSettings, unranked);
  const boards = { signals: new SignalsBoard(boardSettings), leaderboard };
  const parts: RouteParts = {
    boards,
    journal: new JournalReads(settings.journal, settings.logger),
    now: settings.now,
    pages: new JournalPages(settings.pages, settings.logger),
    paging: new Paging(settings.cursorSecret),
    portfolios: new HeldPortfolios(readModels, progress, settings.now),
    readModels,
    turns: new LongReadTurns(readModels),
    unranked,
  };
  const handlers: Handlers = {
    ...serviceHandlers(settings, readModels),
    ...marketHandlers(parts),
    ...oversightHandlers(parts),
    ...accountHandlers(parts),
    ...journalHandlers(parts),
    ...orderHistoryHandlers(parts),
    ...ledgerHandlers(parts),
    ...watchingHandlers(parts),
  };
  return {
    authenticate,
    routes: implement(endpoints, handlers, authenticate)
      .map((one) => {
        if (PUBLIC.has(one.endpoint.id)) return caches.everybody.cached(one);
        return OWN.has(one.endpoint.id) ? caches.accounts.cached(one) : one;
      })
      .map((one) => (AT_ONCE.has(one.endpoint.id) ? { ...one, authenticate: authenticate.atOnce } : one))
      .map((one) => (WITHOUT_READ_MODELS.has(one.endpoint.id) ? one : whileOfJournal(one, readModels))),
    start(): void {
      for (const board of Object.values(boards)) board.start();
    },
    async stop(): Promise<void> {
      await Promise.all([...Object.values(boards).map((board) => board.stop()), settings.pages.stop()]);
    },
  };
}

/** Wraps a route so that it refuses all answers while the read models do not match the journal. */
function whileOfJournal(route: Route, readModels: ReadModels): Route {
  return {
    ...route,
    handler: (caller, input, client) => {
      readModels.assertOfJournal();
      return route.handler(caller, input, client);
    },
  };
}
