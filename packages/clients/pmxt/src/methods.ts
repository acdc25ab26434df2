import * as args from './arguments.ts';
import { PmxtError } from './errors.ts';
import { findMarkets, onlyMarket } from './markets.ts';
import type { Api } from './markets.ts';
import { cancelOrder, createOrder, fetchOrder, listOrders, listUserTrades } from './orders.ts';
import { executionPrice } from './price.ts';
import { parseOutcomeId, toBalance, toCandle, toEvents, toPosition, toTrade } from './shapes.ts';
import type { Origin } from './shapes.ts';

interface PmxtCall {
  readonly api: Api;
  readonly origin: Origin;
  readonly idempotencyKey: string | undefined;
  readonly args: readonly unknown[];
}

/** A positional argument of a GET: a value of the query, or all other values together. */
export interface QueryArgument {
  readonly name: string;
  readonly kind: 'object' | 'string';
}

export interface Method {
  /** The arguments of a GET; null: only POST, as in pmxt's server. */
  readonly query: readonly QueryArgument[] | null;
  readonly run: (call: PmxtCall) => unknown;
}

const params = [{ name: 'params', kind: 'object' }] as const;
const outcomeAnd = [{ name: 'outcomeId', kind: 'string' }, ...params] as const;
const named = (name: string) => [{ name, kind: 'string' }] as const;

const post = (run: Method['run']): Method => ({ query: null, run });
const get = (query: readonly QueryArgument[], run: Method['run']): Method => ({ query, run });

const MINUTES = { '1m': 1, '5m': 5, '15m': 15, '1h': 60, '1d': 1440 } as const;
/** The number of candles in an answer, by default and at most, as in the API. */
const CANDLES_MAX = 500;

/** The served methods of pmxt's exchanges, each with its arguments and result as in pmxt's server. */
export const METHODS: Readonly<Record<string, Method>> = {
  loadMarkets: post(async ({ api, origin }) => {
    const markets = await findMarkets(api, {}, origin);
    return Object.fromEntries(markets.map((market) => [market.marketId, market]));
  }),
  fetchMarkets: get(params, ({ api, args: [of], origin }) =>
    findMarkets(api, args.checked(args.marketParams, 'params', of), origin),
  ),
  fetchMarketsPaginated: get(params, marketsPage),
  fetchMarket: get(params, async ({ api, args: [of], origin }) => {
    const wanted = args.checked(args.marketParams, 'params', of);
    const { eventId, marketId, outcomeId, query, slug } = wanted;
    const markets = await findMarkets(api, { ...wanted, limit: 1 }, origin);
    return onlyMarket(markets, marketId ?? outcomeId ?? slug ?? eventId ?? query ?? 'unknown');
  }),
  fetchEvents: get(params, events),
  fetchEvent: get(params, async (call) => {
    const [event] = await events(call);
    if (event === undefined) throw new PmxtError('EVENT_NOT_FOUND', 'Event not found');
    return event;
  }),
  fetchOrderBook: get([...named('outcomeId'), ...named('side')], async ({ api, args: [id] }) => {
    const { marketId, outcome } = parseOutcomeId(args.checked(args.text, 'outcomeId', id));
    const { body } = await api.request('getOrderBook', { params: { marketId } });
    const sizes = (levels: readonly { readonly price: number; readonly quantity: number }[]) =>
      levels.map(({ price, quantity }) => ({ price, size: quantity }));
    return { bids: sizes(body[outcome].bids), asks: sizes(body[outcome].asks), timestamp: Date.now() };
  }),
  fetchOHLCV: get(outcomeAnd, candles),
  fetchTrades: get(outcomeAnd, trades),
  buildOrder: post(({ args: [of], origin }) => {
    const built = args.checked(args.orderParams, 'params', of);
    parseOutcomeId(built.outcomeId);
    return { exchange: origin.exchange, params: built, raw: built };
  }),
  submitOrder: post(({ api, args: [of], idempotencyKey }) =>
    createOrder(api, args.checked(args.builtOrder, 'built', of).params, idempotencyKey),
  ),
  createOrder: post(({ api, args: [of], idempotencyKey }) =>
    createOrder(api, args.checked(args.orderParams, 'params', of), idempotencyKey),
  ),
  cancelOrder: post(({ api, args: [id] }) => cancelOrder(api, args.checked(args.text, 'orderId', id))),
  fetchOrder: get(named('orderId'), ({ api, args: [id] }) => fetchOrder(api, args.checked(args.text, 'orderId', id))),
  fetchOpenOrders: get(named('marketId'), ({ api, args: [id] }) => {
    const marketId = args.checked(args.optionalText, 'marketId', id);
    return listOrders(api, ['open', 'partial'], marketId === undefined ? {} : { marketId });
  }),
  fetchClosedOrders: get(params, ({ api, args: [of] }) =>
    listOrders(api, ['filled', 'cancelled'], args.checked(args.historyParams, 'params', of)),
  ),
  fetchAllOrders: get(params, ({ api, args: [of] }) =>
    listOrders(api, ['open', 'partial', 'filled', 'cancelled'], args.checked(args.historyParams, 'params', of)),
  ),
  fetchMyTrades: get(params, ({ api, args: [of] }) =>
    listUserTrades(api, args.checked(args.historyParams, 'params', of)),
  ),
  fetchPositions: get(named('address'), async ({ api }) =>
    (await api.request('getPositions', {})).body.positions.map(toPosition),
  ),
  fetchBalance: get(named('address'), async ({ api }) => {
    const { orders, summary } = (await api.request('getPortfolio', {})).body;
    return [toBalance(summary.cash, orders)];
  }),
  getExecutionPriceDetailed: post(price),
  getExecutionPrice: post((call) => {
    const { fullyFilled, price: average } = price(call);
    return fullyFilled ? average : 0;
  }),
  close: post(() => null),
};

/** Methods of pmxt that do not exist for an exchange without sockets, wallets and other venues. */
export const UNSUPPORTED: ReadonlySet<string> = new Set([
  'callApi',
  'compareMarketPrices',
  'fetchArbitrage',
  'fetchEventMatches',
  'fetchEventsPaginated',
  'fetchHedges',
  'fetchMarketMatches',
  'fetchMatchedMarkets',
  'fetchMatchedPrices',
  'fetchMatches',
  'fetchRelatedMarkets',
  'unwatchAddress',
  'unwatchOrderBook',
  'watchAddress',
  'watchOrderBook',
  'watchOrderBooks',
  'watchTrades',
]);

async function marketsPage({ api, args: [of], origin }: PmxtCall) {
  const { cursor = '0', limit = 100 } = args.checked(args.pagedMarketParams, 'params', of);
  if (!/^\d{1,9}$/.test(cursor)) throw new PmxtError('VALIDATION_ERROR', 'params.cursor: must come from an answer');
  const markets = await findMarkets(api, {}, origin);
  const end = Number(cursor) + limit;
  const nextCursor = end < markets.length ? { nextCursor: String(end) } : {};
  return { data: markets.slice(Number(cursor), end), total: markets.length, ...nextCursor };
}

async function events({ api, args: [of], origin }: PmxtCall) {
  const { limit, offset = 0, ...wanted } = args.checked(args.marketParams, 'params', of);
  const { slug, ...rest } = wanted;
  const markets = await findMarkets(api, slug === undefined ? rest : { ...rest, eventId: slug }, origin);
  return toEvents(markets, origin).slice(offset, limit === undefined ? undefined : offset + limit);
}

async function candles({ api, args: [id, of] }: PmxtCall) {
  const { id: otherId, ...wanted } = args.checked(args.candleParams, 'params', of);
  const { end, resolution, start } = wanted;
  // A larger limit would lead to a start before all times that a Date has.
  const limit = Math.min(wanted.limit ?? CANDLES_MAX, CANDLES_MAX);
  const { marketId, outcome } = parseOutcomeId(args.checked(args.text, 'outcomeId', id ?? otherId));
  const period = MINUTES[resolution];
  // The API lists the oldest first. Without a start, pmxt's callers expect the newest.
  const from = start ?? new Date(Date.parse(end ?? new Date().toISOString()) - limit * period * 60_000).toISOString();
  const query = { period, from, limit: Math.max(1, limit), to: end };
  const answer = await api.request('getMarketCandles', { params: { id: marketId }, query });
  return answer.body.candles.map((candle) => toCandle(candle, outcome));
}

async function trades({ api, args: [id, of] }: PmxtCall) {
  const { end, id: otherId, limit = 100, start } = args.checked(args.tradeParams, 'params', of);
  const { marketId, outcome } = parseOutcomeId(args.checked(args.text, 'outcomeId', id ?? otherId));
  const query = { marketId, limit: Math.max(1, limit), from: start, to: end };
  const answer = await api.request('listRecentTrades', { query });
  return answer.body.map((trade) => toTrade(trade, outcome));
}

function price({ args: [book, side, amount] }: PmxtCall) {
  return executionPrice(
    args.checked(args.shownBook, 'orderBook', book),
    args.checked(args.side, 'side', side),
    args.checked(args.amount, 'amount', amount),
  );
}
