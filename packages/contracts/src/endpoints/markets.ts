import { z } from 'zod';
import { listCost } from '../cost.ts';
import { defineEndpoint } from '../endpoint.ts';
import { Market, marketStatus, OrderBook } from '../market.ts';
import { Health, OpenApiDocument } from '../service.ts';
import { asOfText, cursorText, limitText, text } from '../text.ts';
import { exampleHealth, exampleOrderBook } from '../example-answers.ts';
import { EXAMPLE_MARKET_ID, EXAMPLE_SECTOR, exampleMarketBody } from '../example-data.ts';

/** What needs no key: the service's own description, and the markets. */
export const marketEndpoints = {
  getHealth: defineEndpoint({
    id: 'getHealth',
    method: 'get',
    path: '/api/health',
    tag: 'Service',
    summary: 'Is the service well?',
    description:
      'Always 200; `degraded` when the database is down, a projection has stopped or is behind, or nobody takes commands.',
    auth: 'public',
    kind: 'read',
    answer: Health,
    errors: [],
    example: { answer: exampleHealth },
  }),
  getOpenApi: defineEndpoint({
    id: 'getOpenApi',
    method: 'get',
    path: '/api/openapi',
    tag: 'Service',
    summary: 'This document',
    description: 'OpenAPI 3.1, made from the very schemas that check requests.',
    auth: 'public',
    kind: 'read',
    conditional: true,
    answer: OpenApiDocument,
    errors: [],
    example: { answer: { openapi: '3.1.0', info: { title: 'Paper Trading Service', version: '0.1.0' }, paths: {} } },
  }),
  listMarkets: defineEndpoint({
    id: 'listMarkets',
    method: 'get',
    path: '/api/markets',
    tag: 'Markets',
    summary: 'Markets, newest listing first',
    description: 'An unknown sector gives an empty list. Further pages by the `Link: rel="next"` header.',
    auth: 'public',
    kind: 'read',
    cost: listCost(1, 50, 50),
    conditional: true,
    query: z.object({
      status: marketStatus.default('active'),
      sector: text().optional(),
      limit: limitText(50),
      cursor: cursorText,
    }),
    answer: z.array(Market),
    errors: ['validation_failed'],
    example: { query: { status: 'active', sector: EXAMPLE_SECTOR, limit: '50' }, answer: [exampleMarketBody] },
  }),
  getMarket: defineEndpoint({
    id: 'getMarket',
    method: 'get',
    path: '/api/markets/{id}',
    tag: 'Markets',
    summary: 'One market',
    description: 'Its state as of the journal sequence in X-Journal-Seq.',
    auth: 'public',
    kind: 'read',
    conditional: true,
    params: z.object({ id: text(1) }),
    answer: Market,
    errors: ['validation_failed', 'market_not_found'],
    example: { params: { id: EXAMPLE_MARKET_ID }, answer: exampleMarketBody },
  }),
  getOrderBook: defineEndpoint({
    id: 'getOrderBook',
    method: 'get',
    path: '/api/orderbook/{marketId}',
    tag: 'Markets',
    summary: "A market's order book, in YES and in NO terms",
    description:
      'One book a market: buy yes at p is a YES bid at p, sell yes an ask at p, buy no at q a YES ask at 1 − q, sell no a bid at 1 − q. Price goes first, then the order of acceptance; a trade happens at the resting order’s price. Best first, 200 levels a side. No key is needed, but for a book of the past (`asOfSeq`); of a market that was not listed by then it is 404 `market_not_found`.',
    auth: 'public',
    keyedBy: 'asOfSeq',
    kind: 'read',
    cost: { base: 1, asOfSeq: 10 },
    conditional: true,
    params: z.object({ marketId: text(1) }),
    query: z.object({ asOfSeq: asOfText }),
    answer: OrderBook,
    errors: ['validation_failed', 'market_not_found'],
    example: { params: { marketId: EXAMPLE_MARKET_ID }, answer: exampleOrderBook },
  }),
};
