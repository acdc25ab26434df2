import { text, utcText } from '@paper/contracts';
import { LeaderboardEntry } from '@paper/contracts/accounts';
import { CANDLE_PERIODS, Candles, Market, MARKET_SORTS, marketStatus, OrderBook } from '@paper/contracts/markets';
import { Health } from '@paper/contracts/service';
import { MarketEvents, MarketSignal, RecentSignal } from '@paper/contracts/signals';
import { MINUTE_MS } from '@paper/contracts/units';
import { z } from 'zod';
import { cursor, limit, marketId } from './fields.ts';
import { defineRead, found } from './tool.ts';

/** A market without the fields that only a list with `fields=trend` has, to keep the list of tools short. */
const ToolMarket = Market.schema.omit({ change24h: true, spark: true });

export const marketTools = [
  defineRead({
    name: 'search_markets',
    title: 'Search markets',
    description:
      'Lists yes/no markets with their probability, best prices and closing time. Search by words of the title, the ticker or the company, by sector or status.',
    input: z.strictObject({
      q: text(0, 100).optional().meta({ description: 'A text that the title, the ticker or the company contains.' }),
      status: marketStatus.default('active').meta({ description: 'Only an active market takes orders.' }),
      sector: text(1, 100).optional(),
      companySlug: text(1, 100).optional().meta({ description: 'The company, by its short name.' }),
      sort: z.enum(MARKET_SORTS).optional().meta({ description: 'Left out: the newest listing first.' }),
      limit: limit(20, 100),
      cursor,
    }),
    data: z.strictObject({ markets: z.array(ToolMarket) }),
    run: (input, { api }) => found(api.answer('listMarkets', { query: input }), (body) => ({ markets: body })),
  }),
  defineRead({
    name: 'get_market',
    title: 'Get one market',
    description: 'One market: its question, how it settles, its probability, best prices and tick size.',
    input: z.strictObject({ marketId }),
    data: ToolMarket,
    run: (input, { api }) => found(api.answer('getMarket', { params: { id: input.marketId } })),
  }),
  defineRead({
    name: 'get_order_book',
    title: "Get a market's order book",
    description:
      'The resting orders of a market by price level, in YES terms and in NO terms. Buying YES at p is the same as selling NO at 1 − p.',
    input: z.strictObject({
      marketId,
      depth: z.int().min(1).max(200).default(10).meta({ description: 'The largest number of levels of a side.' }),
    }),
    data: OrderBook,
    run: ({ depth, ...params }, { api }) =>
      found(api.answer('getOrderBook', { params }), ({ no, yes, ...rest }) => {
        const cut = ({ asks, bids }: typeof yes) => ({ bids: bids.slice(0, depth), asks: asks.slice(0, depth) });
        return { ...rest, yes: cut(yes), no: cut(no) };
      }),
  }),
  defineRead({
    name: 'get_timeline',
    title: "Get a market's timeline",
    description:
      'What happened to a market: cited signals with their source and link, trades and the resolution, each with the probability before and after. The newest entries, oldest first.',
    input: z.strictObject({ marketId, limit: limit(50, 500), cursor }),
    data: MarketEvents.schema,
    run: ({ marketId: id, ...query }, { api }) => found(api.answer('getMarketEvents', { params: { id }, query })),
  }),
  defineRead({
    name: 'get_candles',
    title: "Get a market's candles",
    description:
      'Open, high, low and close of the YES price, with the volume, for each period, oldest first. Without `from` and `cursor`: the last `limit` periods.',
    input: z.strictObject({
      marketId,
      period: z.literal(CANDLE_PERIODS).default(60).meta({ description: 'Minutes of a candle.' }),
      from: utcText.optional().meta({ description: 'Only candles that start at or after this time.' }),
      to: utcText.optional().meta({ description: 'Only candles that start before this time.' }),
      limit: limit(100, 1_000),
      cursor,
    }),
    data: Candles,
    run({ marketId: id, ...query }, { api }) {
      const { cursor: next, from, limit: periods, period, to } = query;
      const lastPeriods = new Date(Date.now() - periods * period * MINUTE_MS).toISOString();
      const start = from ?? (to === undefined && next === undefined ? lastPeriods : undefined);
      return found(api.answer('getMarketCandles', { params: { id }, query: { ...query, from: start } }));
    },
  }),
  defineRead({
    name: 'get_signals',
    title: 'Get computed signals of active markets',
    description:
      'What can be computed about active markets, or one: change in 24 h, volume, neighbours, averages of sector and company, and the newest cited signals with their fair probability.',
    needs: 'view',
    input: z.strictObject({
      marketId: marketId.optional().meta({ description: 'Only this market. Left out: active markets, newest first.' }),
      limit: limit(20, 100),
    }),
    data: z.strictObject({ signals: z.array(MarketSignal.schema) }),
    run: (input, { api }) =>
      found(api.answer('listMarketSignals', {}), (all) => {
        const wanted = input.marketId === undefined ? all : all.filter((one) => one.marketId === input.marketId);
        return { signals: wanted.slice(0, input.limit) };
      }),
  }),
  defineRead({
    name: 'list_news',
    title: 'List recent cited signals',
    description:
      'Cited signals about all markets and about the whole platform, newest first: headline, source, link, and the fair probability that the source names.',
    input: z.strictObject({ limit: limit(20, 200), cursor }),
    data: z.strictObject({ signals: z.array(RecentSignal.schema) }),
    run: (query, { api }) => found(api.answer('listRecentSignals', { query }), ({ signals }) => ({ signals })),
  }),
  defineRead({
    name: 'get_leaderboard',
    title: 'Get the leaderboard',
    description: 'Accounts by the value of their portfolio, the best first.',
    input: z.strictObject({ limit: limit(20, 200), cursor }),
    data: z.strictObject({ accounts: z.array(LeaderboardEntry.schema) }),
    run: (query, { api }) => found(api.answer('getLeaderboard', { query }), (accounts) => ({ accounts })),
  }),
  defineRead({
    name: 'get_health',
    title: 'Check the health of the exchange',
    description: 'Whether all parts of the exchange work. While it is degraded, orders may be refused as unavailable.',
    input: z.strictObject({}),
    data: Health,
    run: (_input, { api }) => found(api.answer('getHealth', {})),
  }),
];
