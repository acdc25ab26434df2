import { ApiError, endpoints } from '@paper/contracts';
import { Trader } from '@paper/contracts/accounts';
import { Activity, Moments, RecentTrade, TRADE_COLUMNS, Trade } from '@paper/contracts/markets';
import { MarketEvents } from '@paper/contracts/signals';
import { MINUTE_MS } from '@paper/contracts/units';
import { queries } from '@paper/read-models';
import type { ReadView } from '@paper/read-models';
import { getMarketCandles } from './market-candles.ts';
import { unknownMarket } from './market-routes.ts';
import { sequencePosition } from './paging/paging.ts';
import { csvAnswer, linesAnswer } from './written-list.ts';
import type { Handlers, RouteParts } from './route-parts.ts';

/** Pages longer than this take turns with other costly reads, since several at once would slow orders down. */
const LARGE_PAGE = 100;

export function watchingHandlers(parts: RouteParts): Handlers {
  const { boards, now, paging, readModels, turns, unranked } = parts;
  return {
    listMarketSignals: () => boards.signals.answer(),
    getLeaderboard: (caller, input) =>
      boards.leaderboard.page(paging.request(endpoints.getLeaderboard, caller, input, sequencePosition)),
    getTrader: (caller, { params: { id }, query: { from } }, client) =>
      turns.read(caller, client, async ({ db, seq, atMs }) => {
        const trader = await queries.findTrader(db, atMs, id, from === undefined ? null : Date.parse(from));
        if (trader === null || unranked().includes(id)) {
          throw new ApiError('account_not_found', `No trader has the id ${id}`);
        }
        return { body: Trader.body(trader), seq };
      }),
    getMarketEvents: (caller, input) => {
      const { id } = input.params;
      const pageRequest = paging.request(endpoints.getMarketEvents, caller, input, sequencePosition);
      return readModels.read(async ({ db, seq }) => {
        const page = await queries.findTimeline(db, id, pageRequest);
        if (page === null) throw unknownMarket(id);
        return {
          body: MarketEvents.body({ marketId: id, timeline: page.items }),
          seq,
          ...pageRequest.linkTo(page.next),
        };
      });
    },
    getMarketCandles: getMarketCandles(parts),
    listMoments: (_caller, { params: { id }, query: { from, to, points } }) =>
      readModels.read(async ({ db, seq }) => {
        const moments = await queries.findMoments(db, id, { fromMs: msOf(from), toMs: msOf(to), points });
        if (moments === null) throw unknownMarket(id);
        return { body: Moments.body({ moments }), seq };
      }),
    listRecentTrades: (caller, input, client) => {
      const { marketId, from, to } = input.query;
      const range = { fromMs: msOf(from), toMs: msOf(to) };
      const pageRequest = paging.request(endpoints.listRecentTrades, caller, input, sequencePosition);
      const find = async ({ db, seq }: ReadView) => {
        const page = await queries.listRecentTrades(db, { ...pageRequest, marketId, ...range });
        return { body: page.items.map(RecentTrade.body), seq, ...pageRequest.linkTo(page.next) };
      };
      if (pageRequest.limit <= LARGE_PAGE) return readModels.read(find);
      return turns.read(caller, client, find);
    },
    downloadTrades: (caller, input, client) => {
      const { format = 'json', from, marketId, to } = input.query;
      const range = { fromMs: msOf(from), toMs: msOf(to) };
      const pageRequest = paging.request(endpoints.downloadTrades, caller, input, sequencePosition);
      const find = async ({ db, seq }: ReadView) => {
        const page = await queries.listTrades(db, { ...pageRequest, marketId, ...range });
        const body = page.items.map(Trade.body);
        const answered = { seq, ...pageRequest.linkTo(page.next) };
        if (format === 'csv') return csvAnswer('trades', TRADE_COLUMNS, body, answered);
        return format === 'ndjson' ? linesAnswer('trades', body, answered) : { body, ...answered };
      };
      if (pageRequest.limit <= LARGE_PAGE) return readModels.read(find);
      return turns.read(caller, client, find);
    },
    getActivity: () =>
      readModels.read(async ({ db, seq }) => {
        const minute = Math.floor(now() / MINUTE_MS) * MINUTE_MS;
        return { body: Activity.body(await queries.findActivity(db, minute)), seq };
      }),
  };
}

function msOf(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(time);
}
