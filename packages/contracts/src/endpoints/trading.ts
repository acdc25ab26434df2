import { z } from 'zod';
import { listCost } from '../cost.ts';
import { defineEndpoint } from '../endpoint.ts';
import { FillList } from '../fill.ts';
import { CreateOrderInput, Done, Order } from '../order.ts';
import { OrderHistory } from '../order-history.ts';
import { Portfolio, Positions } from '../portfolio.ts';
import { RecentSignals } from '../signal.ts';
import { asOfText, cursorText, limitText, text } from '../text.ts';
import { exampleOrderHistory, examplePortfolio, examplePositions, exampleRecentSignals } from '../example-answers.ts';
import { EXAMPLE_MARKET_ID, EXAMPLE_ORDER_ID, exampleFillBody, exampleOrderBody } from '../example-data.ts';

const PLACE_ORDER = `Which fields an order needs:

| orderType, side | needs | bounds that also apply | ignored |
|---|---|---|---|
| limit buy | price and (quantity or notional) | both: shares = min(quantity, ⌊notional / price⌋) | maxPrice, slippage |
| limit sell | price, quantity | | notional, maxPrice, slippage |
| market buy | quantity or notional; both are caps | price, maxPrice, slippage: the tightest wins | |
| market sell | quantity | price is a floor, slippage is a floor | notional, maxPrice |

Every field present is range-checked, even where it is ignored. A price off the market's tick is \`invalid_tick\`; notional, slippage or maxPrice finer than $0.0001 is \`validation_failed\`, and a bound between two ticks moves to the tick that is stricter for the client.

The answer is the order as this decision left it, always 200: a GTC limit order is open, partial or filled; an IOC or market order is filled, or cancelled with what it could fill in filledQty; FOK is filled, or cancelled with nothing done. Market orders never rest. Slippage is absolute, from the best opposing order, and does not apply when there is none.

A trade happens at the resting order's price. A resting buy reserves limit × remaining shares. Selling needs free shares: to go short, buy the other outcome at 1 − price. An order that reaches one of its own fleet's ends there, as does one that filled 500 resting orders. At most 1,000 open orders an account.

An unknown market is 400 \`market_not_found\` here. With an Idempotency-Key, an order that was accepted once is answered again, not placed again.`;

/** What a key is needed for: orders and what they lead to. */
export const tradingEndpoints = {
  listOrders: defineEndpoint({
    id: 'listOrders',
    method: 'get',
    path: '/api/orders',
    tag: 'Orders',
    summary: "The account's orders",
    description:
      'All open and partial ones first, then the newest that ended. An unknown marketId gives an empty list.',
    auth: 'key',
    kind: 'read',
    cost: listCost(2, 30, 500),
    query: z.object({ marketId: text().optional(), limit: limitText(500), cursor: cursorText }),
    answer: z.array(Order),
    errors: ['validation_failed'],
    example: { query: { marketId: EXAMPLE_MARKET_ID, limit: '500' }, answer: [exampleOrderBody] },
  }),
  placeOrder: defineEndpoint({
    id: 'placeOrder',
    method: 'post',
    path: '/api/orders',
    tag: 'Orders',
    summary: 'Place an order',
    description: PLACE_ORDER,
    auth: 'key',
    permission: 'trade',
    approvedOnly: true,
    kind: 'command',
    idempotent: true,
    body: CreateOrderInput,
    answer: Order,
    errors: [
      'validation_failed',
      'invalid_tick',
      'insufficient_balance',
      'insufficient_shares',
      'market_not_active',
      'idempotency_conflict',
      'limit_reached',
      'market_not_found',
      'forbidden',
      'kyc_required',
    ],
    example: {
      bodies: {
        'Buy 10 YES shares at 0.87 at most; what does not fill rests': {
          marketId: EXAMPLE_MARKET_ID,
          outcome: 'yes',
          side: 'buy',
          orderType: 'limit',
          timeInForce: 'GTC',
          price: 0.87,
          quantity: 10,
        },
        'Buy YES shares for 25 dollars now, at 0.05 above the best ask at most': {
          marketId: EXAMPLE_MARKET_ID,
          outcome: 'yes',
          side: 'buy',
          orderType: 'market',
          timeInForce: 'IOC',
          notional: 25,
          slippage: 0.05,
        },
        'Sell 4 YES shares at 0.9 at least': {
          marketId: EXAMPLE_MARKET_ID,
          outcome: 'yes',
          side: 'sell',
          orderType: 'limit',
          timeInForce: 'GTC',
          price: 0.9,
          quantity: 4,
        },
      },
      answer: exampleOrderBody,
    },
  }),
  cancelOrder: defineEndpoint({
    id: 'cancelOrder',
    method: 'delete',
    path: '/api/orders/{id}',
    tag: 'Orders',
    summary: 'Cancel an order',
    description:
      "`{ok: true}` when it is cancelled, now or before; `{ok: false}` when it is filled or unknown; another fleet's is 403. A key with master and trade cancels its sub-accounts' orders too. Works while a market is paused.",
    auth: 'key',
    permission: 'trade',
    kind: 'command',
    idempotent: true,
    params: z.object({ id: text(1) }),
    answer: Done,
    errors: ['validation_failed', 'idempotency_conflict', 'forbidden'],
    example: { params: { id: EXAMPLE_ORDER_ID }, answer: { ok: true } },
  }),
  getOrderHistory: defineEndpoint({
    id: 'getOrderHistory',
    method: 'get',
    path: '/api/orders/{id}/history',
    tag: 'Orders',
    summary: 'What happened to an order, event by event',
    description:
      'The chain of the order\'s events, oldest first, each with its reason, its place in the journal, and what it did: placed, each fill, and the cancel where one ended it. An order is shown to the account that placed it and to that one\'s primary account; any other id is 404. Further pages by the `Link: rel="next"` header.',
    auth: 'key',
    permission: 'view',
    kind: 'read',
    cost: listCost(5, 50, 500),
    params: z.object({ id: text(1) }),
    query: z.object({ limit: limitText(500), cursor: cursorText }),
    answer: OrderHistory,
    errors: ['validation_failed', 'forbidden', 'not_found'],
    example: { params: { id: EXAMPLE_ORDER_ID }, query: { limit: '500' }, answer: exampleOrderHistory },
  }),
  listFills: defineEndpoint({
    id: 'listFills',
    method: 'get',
    path: '/api/fills',
    tag: 'Orders',
    summary: "The account's fills",
    description:
      'Newest first, one item for each trade of an order of the account, as maker or as taker. An unknown marketId gives an empty list. Further pages by the `Link: rel="next"` header.',
    auth: 'key',
    kind: 'read',
    cost: listCost(2, 30, 50),
    query: z.object({ marketId: text().optional(), limit: limitText(50), cursor: cursorText }),
    answer: FillList,
    errors: ['validation_failed'],
    example: { query: { marketId: EXAMPLE_MARKET_ID, limit: '50' }, answer: [exampleFillBody] },
  }),
  getPortfolio: defineEndpoint({
    id: 'getPortfolio',
    method: 'get',
    path: '/api/portfolio',
    tag: 'Portfolio',
    summary: 'Cash, positions, orders, trades, settled positions',
    description:
      "portfolioValue = cash + Σ shares × mark; a mark is the market's probability, 1 less it for NO. Cash includes what open orders reserve. pnl = portfolioValue − startingBalance. Average cost falls pro rata on sells. A primary with sub-accounts gets a fleetSummary. With `asOfSeq`, all of it is as of then, marks and markets too; before the account was opened it is 404 `account_not_found`.",
    auth: 'key',
    kind: 'read',
    cost: { base: 2, asOfSeq: 20 },
    conditional: true,
    query: z.object({ asOfSeq: asOfText }),
    answer: Portfolio,
    errors: ['validation_failed', 'account_not_found'],
    example: { answer: examplePortfolio },
  }),
  getPositions: defineEndpoint({
    id: 'getPositions',
    method: 'get',
    path: '/api/positions',
    tag: 'Portfolio',
    summary: 'Positions snapshot',
    description: 'One item for each held side; YES and NO of a market may both be held.',
    auth: 'key',
    kind: 'read',
    conditional: true,
    answer: Positions,
    errors: [],
    example: { answer: examplePositions },
  }),
  listRecentSignals: defineEndpoint({
    id: 'listRecentSignals',
    method: 'get',
    path: '/api/signals/recent',
    tag: 'Signals',
    summary: 'The newest cited signals across markets',
    description: 'Newest first, platform-wide ones too.',
    auth: 'key',
    kind: 'read',
    cost: listCost(1, 50, 50),
    query: z.object({ limit: limitText(50), cursor: cursorText }),
    answer: RecentSignals,
    errors: ['validation_failed'],
    example: { query: { limit: '50' }, answer: exampleRecentSignals },
  }),
};
