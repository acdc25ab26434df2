import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { endpoints } from '@paper/contracts';
import type { Endpoint } from '@paper/contracts';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Call } from '../src/call.ts';
import { directRoutes } from '../src/app.ts';
import { patternRoutes } from '../src/pattern-routes.ts';
import type { Serve } from '../src/pattern-routes.ts';

const all: readonly Endpoint[] = Object.values(endpoints);

/** The result of routing a request: the endpoint that serves it and its parameters, or the code of its refusal. */
type Found = { readonly id: string; readonly params: Readonly<Record<string, string>> } | { readonly code: string };

const call = (method: string, url: string): Call => {
  const request = Object.assign(new IncomingMessage(new Socket()), { method, url });
  return {
    request,
    startedMs: 0,
    response: new ServerResponse(request),
    requestId: 'id',
    address: undefined,
    pattern: 'none',
    errorStatuses: {},
    isPrivate: false,
    variesByKey: false,
    isFresh: false,
    isStream: false,
    verdict: null,
    securityHeaders: [],
  };
};

/** Finds the route by the patterns of Express alone. */
function byPattern(method: string, url: string): Promise<Found> {
  return new Promise((resolve) => {
    const serveAs =
      (id: string): Serve =>
      async (_call, params) =>
        resolve({ id, params: { ...params } });
    const serve = patternRoutes(
      all.map((endpoint) => ({ endpoint, serve: serveAs(endpoint.id) })),
      [],
      () => undefined,
      (error) => resolve({ code: String((error as { code?: unknown }).code) }),
    );
    serve(call(method, url));
  });
}

const findDirectly = directRoutes(all.map((endpoint) => ({ endpoint, serve: endpoint.id })));

function directly(method: string, url: string): Found | null {
  const found = findDirectly({ method, url });
  return found === null ? null : { id: found.serve, params: { ...found.params } };
}

const words = [...new Set(all.flatMap(({ path }) => path.split('/').filter((part) => /^\w+$/.test(part))))];
const segment = fc.oneof(
  fc.constantFrom(...words),
  fc.constantFrom(
    '',
    '.',
    '..',
    '{id}',
    ':id',
    '%2e',
    'a%2Fb',
    '%',
    '%ff',
    'm%20',
    'MARKETS',
    'é',
    'a+b',
    'a;b',
    '__proto__',
  ),
  fc.stringMatching(/^[A-Za-z0-9._:-]{1,12}$/),
);
const ofAnEndpoint = fc
  .constantFrom(...all)
  .chain(({ path }) => fc.tuple(...path.split('/').map((part) => (part.startsWith('{') ? segment : fc.constant(part)))))
  .map((parts) => parts.join('/'));
const path = fc.oneof(
  ofAnEndpoint,
  fc.array(segment, { maxLength: 5 }).map((parts) => `/api/${parts.join('/')}`),
);
const url = fc
  .tuple(
    fc.constantFrom('', '', '', '', 'http://127.0.0.1:4000', 'HTTP://user@host'),
    path,
    fc.constantFrom(
      '',
      '',
      '/',
      '//',
      '#part',
      '#part?limit=1',
      '?',
      '?limit=5',
      '?limit=5#part',
      '?a=/api/markets',
      '?a?b',
    ),
  )
  .map((parts) => parts.join(''));
const method = fc.constantFrom(
  'GET',
  'GET',
  'GET',
  'GET',
  'HEAD',
  'POST',
  'POST',
  'PATCH',
  'DELETE',
  'PUT',
  'OPTIONS',
  'get',
);

describe('routes that are found directly', () => {
  it('are those that the patterns would find, with the same parameters, for any method and URL', async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(method, url, async (verb, asked) => {
        const direct = directly(verb, asked);
        if (direct === null) return;
        found += 1;
        expect(direct, `${verb} ${asked}`).to.deep.equal(await byPattern(verb, asked));
      }),
      { seed: 17, numRuns: 3_000 },
    );
    expect(found).to.be.greaterThan(150);
  });

  it('are orders and their cancellations', () => {
    expect(directly('POST', '/api/orders')).to.deep.equal({ id: 'placeOrder', params: {} });
    expect(directly('POST', '/api/orders?x=1')).to.deep.equal({ id: 'placeOrder', params: {} });
    expect(directly('DELETE', '/api/orders/o-1')).to.deep.equal({ id: 'cancelOrder', params: { id: 'o-1' } });
  });

  it('are every GET that is read most', () => {
    for (const [asked, id, params] of [
      ['/api/markets', 'listMarkets', {}],
      ['/api/markets?limit=5&status=active', 'listMarkets', {}],
      ['/api/markets/signals', 'listMarketSignals', {}],
      ['/api/markets/m-1', 'getMarket', { id: 'm-1' }],
      ['/api/orderbook/m-1?x=1', 'getOrderBook', { marketId: 'm-1' }],
      ['/api/leaderboard', 'getLeaderboard', {}],
      ['/api/portfolio', 'getPortfolio', {}],
    ] as const) {
      expect(directly('GET', asked)).to.deep.equal({ id, params });
    }
  });

  it('are left to the patterns where a segment is not plain, a path takes other methods, or there is no route', async () => {
    for (const [verb, asked] of [
      ['GET', '/api/markets/m%2D1'],
      ['GET', '/api/markets/'],
      ['GET', '/api/markets/m/events'],
      ['HEAD', '/api/markets'],
      ['POST', '/api/markets'],
      ['DELETE', '/api/markets/m-1'],
      ['GET', '/nowhere'],
    ] as const) {
      expect(directly(verb, asked), asked).to.equal(null);
    }
    expect(await byPattern('GET', '/api/markets/m%2D1')).to.deep.equal({ id: 'getMarket', params: { id: 'm-1' } });
    expect(await byPattern('POST', '/api/markets')).to.deep.equal({ code: 'method_not_allowed' });
    expect(await byPattern('GET', '/nowhere')).to.deep.equal({ code: 'not_found' });
  });

  it('do not take a literal path for a parameter, whatever methods it has', () => {
    const route = (method: Endpoint['method'], path: string) => ({ endpoint: { method, path }, serve: path });
    const find = directRoutes([route('get', '/a/{id}'), route('post', '/a/new')]);
    expect(find({ method: 'GET', url: '/a/new' })).to.equal(null);
    expect(find({ method: 'GET', url: '/a/newer' })).to.deep.equal({ serve: '/a/{id}', params: { id: 'newer' } });
  });
});
