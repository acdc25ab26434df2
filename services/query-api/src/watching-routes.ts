import {
  activityBody,
  ApiError,
  endpoints,
  limitOf,
  marketEventsBody,
  recentTradeBody,
  TIMELINE_LIMIT,
} from '@paper/contracts';
import { findActivity, findTimeline, listRecentTrades, type ReadModels } from '@paper/read-models';
import { route, type Authenticate, type Route } from '@paper/service-kit';
import type { LeaderboardBoard } from './leaderboard/leaderboard-board.ts';
import { nextPage } from './next-page.ts';
import type { SignalsBoard } from './signals-board/signals-board.ts';

const MINUTE_MS = 60_000;

/** What people and bots watch. Two of the answers are boards: they were made before they are asked for. */
export function watchingRoutes(
  readModels: ReadModels,
  boards: { readonly signals: SignalsBoard; readonly leaderboard: LeaderboardBoard },
  now: () => number,
  authenticate: Authenticate,
): Route[] {
  return [
    route(endpoints.listMarketSignals, () => boards.signals.answer(), authenticate),
    route(
      endpoints.getLeaderboard,
      (_caller, { query }) => boards.leaderboard.page(query.limit, query.cursor),
      authenticate,
    ),
    route(
      endpoints.getMarketEvents,
      (_caller, { params, query }) =>
        readModels.read(async ({ db, seq }) => {
          const filter = { cursor: query.cursor, limit: limitOf(query.limit, TIMELINE_LIMIT) };
          const page = await findTimeline(db, params.id, filter);
          if (page === null) throw new ApiError('market_not_found', `No market has the id ${params.id}`);
          return {
            body: marketEventsBody(params.id, page.items),
            seq,
            ...nextPage(`/api/markets/${encodeURIComponent(params.id)}/events`, { limit: query.limit }, page.next),
          };
        }),
      authenticate,
    ),
    route(
      endpoints.listRecentTrades,
      (_caller, { query }) =>
        readModels.read(async ({ db, seq }) => {
          const page = await listRecentTrades(db, { cursor: query.cursor, limit: limitOf(query.limit, 50) });
          return {
            body: page.items.map(recentTradeBody),
            seq,
            ...nextPage(endpoints.listRecentTrades.path, { limit: query.limit }, page.next),
          };
        }),
      authenticate,
    ),
    route(
      endpoints.getActivity,
      () =>
        readModels.read(async ({ db, seq }) => {
          const minute = Math.floor(now() / MINUTE_MS) * MINUTE_MS;
          return { body: activityBody(await findActivity(db, minute)), seq };
        }),
      authenticate,
    ),
  ];
}
