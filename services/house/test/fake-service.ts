import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endpoints } from '@paper/contracts';
import { Market } from '@paper/contracts/markets';
import { Fill, Order, OrderDetail, OrderItem } from '@paper/contracts/orders';
import type { OrderItemBody, OrderResultBody } from '@paper/contracts/orders';
import { Positions } from '@paper/contracts/portfolio';
import type { RecentSignalBody } from '@paper/contracts/signals';
import { parseUnits } from '@paper/contracts/units';
import { marketView } from '@paper/exchange';
import type { OrderAnswer } from '@paper/exchange';
import { ApiAnswer } from 'paper-trading-client';
import type { OperationId, Requests } from 'paper-trading-client';
import type { ResultsClient } from '../src/day-results.ts';
import type { OrderClient } from '../src/send-orders.ts';
import type { World } from './world.ts';

/**
 * What a fault does to a request: nothing, an error instead of the answer, or a lost answer after the request was
 * carried out.
 */
export type Fault = 'none' | 'busy' | 'lost';

/** Serves the endpoints that the bots use over HTTP, from a `World`. A key is `key-<account>`. */
export class FakeService {
  readonly #server: Server;
  baseUrl = '';
  /** Every request so far, as `METHOD path`. */
  readonly seen: string[] = [];
  signals: RecentSignalBody[] = [];
  /** Markets that are listed as active whatever their phase, as where one stops just after it was read. */
  extraMarkets: readonly string[] = [];
  fault: (request: string) => Fault = () => 'none';

  constructor(readonly world: World) {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.baseUrl = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const limit = Number(searchParams.get('limit') ?? 50);
    const name = `${request.method ?? ''} ${pathname}`;
    this.seen.push(name);
    const fault = this.fault(name);
    if (fault === 'busy') {
      response.writeHead(429, { 'retry-after': '0' }).end('{"error":"busy","code":"rate_limited"}');
      return;
    }
    this.world.nowMs += 1;
    const account = (request.headers.authorization ?? '').replace('Bearer key-', '');
    const [status, body] = answer(this.world, account, name, Buffer.concat(chunks).toString(), {
      limit,
      extraMarkets: this.extraMarkets,
      marketId: searchParams.get('marketId'),
      signals: this.signals,
    });
    if (fault === 'lost') response.destroy();
    else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }
}

/** The parts of any request. */
interface RequestParts {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** Answers a request without HTTP; `name` is `METHOD path`. */
export type Answering = (
  name: string,
  body: unknown,
  query: Readonly<Record<string, unknown>>,
) => readonly [number, unknown];

/** A client without HTTP. Lists have one page. */
export function localClient<Ids extends OperationId>(answering: Answering): Requests<Ids> {
  const request = async (id: OperationId, { body, params, query }: RequestParts): Promise<ApiAnswer<unknown>> => {
    const { method, path } = endpoints[id];
    const filled = path.replace(/\{(\w+)\}/g, (_, part: string) => params?.[part] ?? '');
    const name = `${method.toUpperCase()} ${filled}`;
    const [status, answered] = answering(name, body, query ?? {});
    return new ApiAnswer(name, { status, body: answered, headers: new Headers(), text: '' });
  };
  return { request: request as Requests<Ids>['request'] };
}

/** The calls of `DayResults` and `sendOrders` for an account, without HTTP. */
export function worldClient(world: World, account: string): ResultsClient & OrderClient {
  return localClient((name, body, query) => answer(world, account, name, textOf(body), optionsOf(query)));
}

/** A body as it is sent. */
export function textOf(body: unknown): string {
  return body === undefined ? '' : JSON.stringify(body);
}

/** The options of an answer that a query has. */
export function optionsOf({ limit, marketId }: Readonly<Record<string, unknown>>): AnswerOptions {
  return {
    ...(typeof limit === 'number' ? { limit } : {}),
    ...(typeof marketId === 'string' ? { marketId } : {}),
  };
}

export interface AnswerOptions {
  readonly extraMarkets?: readonly string[];
  /** The limit of a list of fills. */
  readonly limit?: number;
  /** The filter of a cancel of many. */
  readonly marketId?: string | null;
  readonly signals?: readonly RecentSignalBody[];
}

/** The answer to an account's request; `name` is `METHOD path`. */
export function answer(
  world: World,
  account: string,
  name: string,
  text: string,
  { limit = 50, extraMarkets = [], marketId: ofMarket = null, signals = [] }: AnswerOptions = {},
): readonly [number, unknown] {
  const viewsOf = (ids: Iterable<string>) => [...ids].flatMap((id) => marketView(world.state, id) ?? []);
  if (name === 'GET /api/markets') {
    return [
      200,
      viewsOf(world.state.markets.keys())
        .filter((market) => market.phase === 'active' || extraMarkets.includes(market.id))
        .map(Market.body),
    ];
  }
  if (name === 'GET /api/signals/recent') return [200, { signals, count: signals.length }];
  if (name === 'GET /api/orders') {
    const isOpen = ({ status }: { status: string }): boolean => status === 'open' || status === 'partial';
    const ended = world.newestOrders(account, 500).filter((order) => !isOpen(order));
    return [200, [...world.resting(account).reverse(), ...ended].slice(0, Math.max(limit, 100)).map(Order.body)];
  }
  if (name === 'GET /api/fills') {
    const newest = world.fills(account).slice(-limit).reverse();
    const markets = viewsOf(new Set(newest.map(({ marketId }) => marketId)));
    const bodies = newest.flatMap((fill) => {
      const market = markets.find(({ id }) => id === fill.marketId);
      return market === undefined ? [] : [Fill.body({ ...market, ...fill })];
    });
    return [200, bodies];
  }
  if (name === 'GET /api/positions') {
    const positions = viewsOf(world.state.markets.keys()).flatMap((market) => {
      const { yes, no } = world.held(account, market.id);
      const item = { ...market, marketId: market.id, costUnits: 0, yesShares: yes, noShares: no };
      return [
        ...(yes > 0 ? [{ ...item, side: 'yes' as const, shares: yes }] : []),
        ...(no > 0 ? [{ ...item, side: 'no' as const, shares: no }] : []),
      ];
    });
    return [200, Positions.body({ positions, seq: world.state.seq })];
  }
  if (name === 'POST /api/orders') {
    const order = place(world, account, endpoints.placeOrder.body.parse(JSON.parse(text)));
    return order === null ? [400, REFUSAL] : [200, Order.body(order)];
  }
  if (name === 'POST /api/orders/batch') {
    const { orders } = endpoints.placeOrders.body.parse(JSON.parse(text));
    const results = orders.map((item): OrderResultBody => {
      const order = place(world, account, OrderItem.parse(item));
      if (order === null) return { ok: false, ...REFUSAL };
      return { ok: true, order: OrderDetail.body({ ...order, seq: world.state.seq }) };
    });
    return [200, { results }];
  }
  if (name.startsWith('PATCH /api/orders/')) {
    const { price, quantity = null } = endpoints.amendOrder.body.parse(JSON.parse(text));
    const priceUnits = price === undefined ? null : parseUnits(price);
    const order = world.amend(account, name.slice('PATCH /api/orders/'.length), { priceUnits, quantity });
    return order === null ? [400, REFUSAL] : [200, Order.body(order)];
  }
  if (name === 'DELETE /api/orders') {
    const orderIds = world.cancelMany(account, ofMarket);
    return [200, { cancelled: orderIds.length, orderIds }];
  }
  if (name.startsWith('DELETE /api/orders/')) {
    world.cancel(account, name.slice('DELETE /api/orders/'.length));
    return [200, { ok: true }];
  }
  return [404, { error: 'no such route', code: 'not_found' }];
}

const REFUSAL = { error: 'refused', code: 'market_not_active' } as const;

function place(world: World, account: string, item: OrderItemBody): OrderAnswer | null {
  const { marketId, orderType, outcome, postOnly = false, price = 0, quantity = 0, side } = item;
  const priceUnits = parseUnits(price) ?? NaN;
  return world.place(account, { marketId, outcome, side, orderType, postOnly, priceUnits, quantity });
}
