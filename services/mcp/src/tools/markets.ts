import { text, utcText } from '@paper/contracts';
import { LeaderboardEntry } from '@paper/contracts/accounts';
import { CANDLE_PERIODS, Candles, Market, MARKET_SORTS, marketStatus, OrderBook } from '@paper/contracts/markets';
import { Health } from '@paper/contracts/service';
import { MarketEvents, MarketSignal, RecentSignal } from '@paper/contracts/signals';
import { MINUTE_MS } from '@paper/contracts/units';
import { z } from 'zod';
import { answered } from '../tool-error.ts';
import { cursor, limit, marketId } from './fields.ts';
import { defineTool, found } from './tool.ts';

/**
 * A market as tools show it. The fields that only a list with `fields=trend` has are left out, to keep the list of
 * tools short.
 */
const ToolMarket = Market.schema.omit({ change24h: true, spark: true });

/** Tools that read markets, and the activity of all of them. */
export const marketTools = [
  defineTool({
    name: 'search_markets',
    title: 'Search markets',
    description:
      'Lists yes/no markets with their probability, best prices and closing time. Search by words of the title, the ticker or the company, by sector or status.',
    needs: null,
    effect: 'reads',
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
    async run(input, { api }) {
      const answer = await answered(api.answer('listMarkets', { query: input }));
      return found(answer, { markets: answer.body });
    },
  }),
  defineTool({
    name: 'get_market',
    title: 'Get one market',
    description: 'One market: its question, how it settles, its probability, best prices and tick size.',
    needs: null,
    effect: 'reads',
    input: z.strictObject({ marketId }),
    data: ToolMarket,
    async run(input, { api }) {
      const answer = await answered(api.answer('getMarket', { params: { id: input.marketId } }));
      return found(answer, answer.body);
    },
  }),
  defineTool({
    name: 'get_order_book',
    title: "Get a market's order book",
    description:
      'The resting orders of a market by price level, in YES terms and in NO terms. Buying YES at p is the same as selling NO at 1 − p.',
    needs: null,
    effect: 'reads',
    input: z.strictObject({
      marketId,
      depth: z.int().min(1).max(200).default(10).meta({ description: 'The largest number of levels of a side.' }),
    }),
    data: OrderBook,
    async run(input, { api }) {
      const answer = await answered(api.answer('getOrderBook', { params: { marketId: input.marketId } }));
      const { no, yes, ...rest } = answer.body;
      const cut = ({ asks, bids }: typeof yes): typeof yes => ({
        bids: bids.slice(0, input.depth),
        asks: asks.slice(0, input.depth),
      });
      return found(answer, { ...rest, yes: cut(yes), no: cut(no) });
    },
  }),
  defineTool({
    name: 'get_timeline',
    title: "Get a market's timeline",
    description:
      'What happened to a market: cited signals with their source and link, trades and the resolution, each with the probability before and after. The newest entries, oldest first.',
    needs: null,
    effect: 'reads',
    input: z.strictObject({ marketId, limit: limit(50, 500), cursor }),
    data: MarketEvents.schema,
    async run(input, { api }) {
      const query = { limit: input.limit, cursor: input.cursor };
      const answer = await answered(api.answer('getMarketEvents', { params: { id: input.marketId }, query }));
      return found(answer, answer.body);
    },
  }),
  defineTool({
    name: 'get_candles',
    title: "Get a market's candles",
    description:
      'Open, high, low and close of the YES price, with the volume, for each period, oldest first. Without `from` and `cursor`: the last `limit` periods.',
    needs: null,
    effect: 'reads',
    input: z.strictObject({
      marketId,
      period: z.literal(CANDLE_PERIODS).default(60).meta({ description: 'Minutes of a candle.' }),
      from: utcText.optional().meta({ description: 'Only candles that start at or after this time.' }),
      to: utcText.optional().meta({ description: 'Only candles that start before this time.' }),
      limit: limit(100, 1_000),
      cursor,
    }),
    data: Candles,
    async run(input, { api, now }) {
      const lastPeriods = new Date(now() - input.limit * input.period * MINUTE_MS).toISOString();
      const query = {
        period: input.period,
        from: input.from ?? (input.to === undefined && input.cursor === undefined ? lastPeriods : undefined),
        to: input.to,
        limit: input.limit,
        cursor: input.cursor,
      };
      const answer = await answered(api.answer('getMarketCandles', { params: { id: input.marketId }, query }));
      return found(answer, answer.body);
    },
  }),
  defineTool({
    name: 'get_signals',
    title: 'Get computed signals of active markets',
    description:
      'What can be computed about active markets, or one: change in 24 h, volume, neighbours, averages of sector and company, and the newest cited signals with their fair probability.',
    needs: 'view',
    effect: 'reads',
    input: z.strictObject({
      marketId: marketId.optional().meta({ description: 'Only this market. Left out: active markets, newest first.' }),
      limit: limit(20, 100),
    }),
    data: z.strictObject({ signals: z.array(MarketSignal.schema) }),
    async run(input, { api }) {
      const answer = await answered(api.answer('listMarketSignals', {}));
      const wanted =
        input.marketId === undefined ? answer.body : answer.body.filter((one) => one.marketId === input.marketId);
      return found(answer, { signals: wanted.slice(0, input.limit) });
    },
  }),
  defineTool({
    name: 'list_news',
    title: 'List recent cited signals',
    description:
      'Cited signals about all markets and about the whole platform, newest first: headline, source, link, and the fair probability that the source names.',
    needs: null,
    effect: 'reads',
    input: z.strictObject({ limit: limit(20, 200), cursor }),
    data: z.strictObject({ signals: z.array(RecentSignal.schema) }),
    async run(input, { api }) {
      const query = { limit: input.limit, cursor: input.cursor };
      const answer = await answered(api.answer('listRecentSignals', { query }));
      return found(answer, { signals: answer.body.signals });
    },
  }),
  defineTool({
    name: 'get_leaderboard',
    title: 'Get the leaderboard',
    description: 'Accounts by the value of their portfolio, the best first.',
    needs: null,
    effect: 'reads',
    input: z.strictObject({ limit: limit(20, 200), cursor }),
    data: z.strictObject({ accounts: z.array(LeaderboardEntry.schema) }),
    async run(input, { api }) {
      const query = { limit: input.limit, cursor: input.cursor };
      const answer = await answered(api.answer('getLeaderboard', { query }));
      return found(answer, { accounts: answer.body });
    },
  }),
  defineTool({
    name: 'get_health',
    title: 'Check the health of the exchange',
    description: 'Whether all parts of the exchange work. While it is degraded, orders may be refused as unavailable.',
    needs: null,
    effect: 'reads',
    input: z.strictObject({}),
    data: Health,
    async run(_input, { api }) {
      const answer = await answered(api.answer('getHealth', {}));
      return found(answer, answer.body);
    },
  }),
];
