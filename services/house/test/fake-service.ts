import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiAnswer, endpoints, fillBody, marketBody, orderBody, parseUnits, positionsBody } from '@paper/contracts';
import type { RecentSignalBody } from '@paper/contracts';
import { marketView } from '@paper/exchange';
import type { ResultsClient } from '../src/day-results.ts';
import type { World } from './world.ts';

/**
 * What a fault does to a request: nothing, an error in place of the answer, or a lost answer after the request was
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
      signals: this.signals,
    });
    if (fault === 'lost') response.destroy();
    else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }
}

/** The calls that `DayResults` makes for an account, without HTTP. Lists have one page. */
export function worldClient(world: World, account: string): ResultsClient {
  const ask = <T>(name: string, limit?: string): Promise<ApiAnswer<T>> => {
    const [status, body] = answer(world, account, name, '', { limit: Number(limit ?? 50) });
    return Promise.resolve(new ApiAnswer<T>(name, { status, body, headers: new Headers(), text: '' }));
  };
  return {
    getPositions: () => ask('GET /api/positions'),
    listFills: (request) => ask('GET /api/fills', request?.query?.limit),
    pages: async (first) => [...(await first).body],
  };
}

/** The answer to an account's request; `name` is `METHOD path`, `limit` is that of fills. */
export function answer(
  world: World,
  account: string,
  name: string,
  text: string,
  { limit = 50, signals = [] }: { readonly limit?: number; readonly signals?: readonly RecentSignalBody[] } = {},
): readonly [number, unknown] {
  const markets = [...world.state.markets.keys()].flatMap((id) => marketView(world.state, id) ?? []);
  if (name === 'GET /api/markets') return [200, markets.filter((m) => m.phase === 'active').map(marketBody)];
  if (name === 'GET /api/signals/recent') return [200, { signals, count: signals.length }];
  if (name === 'GET /api/orders') {
    const orders = world.orders(account).reverse();
    const isOpen = ({ status }: { status: string }): boolean => status === 'open' || status === 'partial';
    return [200, [...orders.filter(isOpen), ...orders.filter((order) => !isOpen(order))].slice(0, 500).map(orderBody)];
  }
  if (name === 'GET /api/fills') {
    const newest = world.fills(account).slice(-limit).reverse();
    const bodies = newest.flatMap((fill) => {
      const market = markets.find(({ id }) => id === fill.marketId);
      return market === undefined ? [] : [fillBody({ ...fill, market })];
    });
    return [200, bodies];
  }
  if (name === 'GET /api/positions') {
    const positions = markets.flatMap((market) => {
      const { yes, no } = world.held(account, market.id);
      const item = { marketId: market.id, costUnits: 0, yesShares: yes, noShares: no, market };
      return [
        ...(yes > 0 ? [{ ...item, side: 'yes' as const, shares: yes }] : []),
        ...(no > 0 ? [{ ...item, side: 'no' as const, shares: no }] : []),
      ];
    });
    return [200, positionsBody(positions, world.state.seq)];
  }
  if (name === 'POST /api/orders') {
    const input = endpoints.placeOrder.body.parse(JSON.parse(text));
    const { marketId, outcome, side, orderType, price = 0, quantity = 0 } = input;
    const priceUnits = parseUnits(price) ?? NaN;
    const order = world.place(account, { marketId, outcome, side, orderType, priceUnits, quantity });
    return order === null ? [400, { error: 'refused', code: 'market_not_active' }] : [200, orderBody(order)];
  }
  if (name.startsWith('DELETE /api/orders/')) {
    world.cancel(account, name.slice('DELETE /api/orders/'.length));
    return [200, { ok: true }];
  }
  return [404, { error: 'no such route', code: 'not_found' }];
}
