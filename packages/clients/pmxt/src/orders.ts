import type { OrderBody } from '@paper/contracts/orders';
import { readPages } from 'paper-trading-client';
import type { z } from 'zod';
import type { historyParams, orderParams } from './arguments.ts';
import { PmxtError } from './errors.ts';
import type { Api } from './markets.ts';
import { parseOutcomeId, toOrder, toUserTrade } from './shapes.ts';

const HISTORY_MAX = 5_000;
const HISTORY = 500;
const PAGE = 500;

/**
 * Places an order and returns its state afterwards. A market order is filled as far as possible at once. The rest of a
 * limit order stays in the book. Without the caller's Idempotency-Key a repeated call places another order.
 */
export async function createOrder(api: Api, params: z.output<typeof orderParams>, idempotencyKey: string | undefined) {
  const { amount, price, side, type } = params;
  const { marketId, outcome } = parseOutcomeId(params.outcomeId);
  if (params.marketId !== undefined && params.marketId !== marketId) {
    throw new PmxtError('INVALID_ORDER', `outcomeId: ${params.outcomeId} is no outcome of market ${params.marketId}`);
  }
  const terms =
    type === 'limit'
      ? ({ orderType: 'limit', timeInForce: 'GTC', price } as const)
      : ({ orderType: 'market', timeInForce: 'IOC', maxPrice: side === 'sell' ? undefined : price } as const);
  const body = { marketId, outcome, side, quantity: amount, ...terms };
  const answer = await api.request('placeOrder', { body }, { idempotencyKey });
  return toOrder(answer.body);
}

/** Cancels an order and returns its state afterwards. @throws ApiRefusal as the API */
export async function cancelOrder(api: Api, id: string) {
  const order = await fetchOrder(api, id);
  (await api.request('cancelOrder', { params: { id } })).assertOk();
  return order.status === 'open' ? fetchOrder(api, id) : order;
}

export async function fetchOrder(api: Api, id: string) {
  const answer = await api.request('getOrder', { params: { id } });
  if (answer.status === 404) throw new PmxtError('ORDER_NOT_FOUND', `Order not found: ${id}`);
  return toOrder(answer.body);
}

/** The account's orders with these statuses, newest first. */
export async function listOrders(
  api: Api,
  statuses: readonly OrderBody['status'][],
  { limit = HISTORY, marketId, outcomeId, since, until }: z.output<typeof historyParams>,
) {
  const most = Math.min(limit, HISTORY_MAX);
  const isWanted = spanOf(since, until);
  const all: ReturnType<typeof toOrder>[] = [];
  for (const status of statuses) {
    let count = 0;
    const orders = await readPages(
      (cursor) => api.request('listOrders', { query: { status, limit: PAGE, marketId, cursor } }),
      (page) => (count += page.length) < most,
    );
    all.push(...orders.map(toOrder));
  }
  return all
    .filter(({ timestamp }) => isWanted(timestamp))
    .filter((order) => outcomeId === undefined || order.outcomeId === outcomeId)
    .sort((a, b) => b.timestamp - a.timestamp)
    .slice(0, most);
}

/** The account's fills, newest first. */
export async function listUserTrades(
  api: Api,
  { limit = HISTORY, marketId, outcomeId, since, until }: z.output<typeof historyParams>,
) {
  const most = Math.min(limit, HISTORY_MAX);
  const isWanted = spanOf(since, until);
  const market = marketId ?? (outcomeId === undefined ? undefined : parseOutcomeId(outcomeId).marketId);
  let count = 0;
  const fills = await readPages(
    (cursor) => api.request('listFills', { query: { limit: PAGE, marketId: market, cursor } }),
    (page) => (count += page.length) < most,
  );
  return fills
    .map(toUserTrade)
    .filter(({ timestamp }) => isWanted(timestamp))
    .filter((trade) => outcomeId === undefined || trade.outcomeId === outcomeId)
    .slice(0, most);
}

function spanOf(since: string | undefined, until: string | undefined): (timestamp: number) => boolean {
  const from = since === undefined ? -Infinity : Date.parse(since);
  const to = until === undefined ? Infinity : Date.parse(until);
  return (timestamp) => timestamp >= from && timestamp <= to;
}
