import { Me } from '@paper/contracts/accounts';
import { Fill, Order, OrderDetail, OrderHistory, orderStatus } from '@paper/contracts/orders';
import { Portfolio } from '@paper/contracts/portfolio';
import { z } from 'zod';
import { cursor, limit, marketId, orderId } from './fields.ts';
import { defineRead, found } from './tool.ts';

const ofMarket = marketId.optional().meta({ description: 'Only items of this market. Left out: of all.' });

/** The portfolio without its lists of orders and trades, which have separate tools. */
const PortfolioData = z.strictObject({
  summary: Portfolio.shape.summary,
  fleetSummary: Portfolio.shape.fleetSummary,
  positions: Portfolio.shape.positions,
  settled: Portfolio.shape.settled.meta({ description: 'The newest settled positions, at most 50.' }),
});

const SETTLED_MAX = 50;

const LIVE = 'live';

/** An order, with more details if it is live. */
const listedOrder = OrderDetail.schema.partial(
  Object.fromEntries(
    Object.keys(OrderDetail.schema.shape)
      .filter((field) => !(field in Order.schema.shape))
      .map((field) => [field, true]),
  ) as Readonly<Record<Exclude<keyof typeof OrderDetail.schema.shape, keyof typeof Order.schema.shape>, true>>,
);

export const accountTools = [
  defineRead({
    name: 'get_me',
    title: 'Get the account and the key',
    description:
      'Which account this key belongs to, what the key may do, the limits of its mandate, and what it has spent today.',
    input: z.strictObject({}),
    data: Me.schema,
    run: (_input, { api }) => found(api.answer('getMe', {})),
  }),
  defineRead({
    name: 'get_portfolio',
    title: 'Get the portfolio',
    description:
      'Cash, the value and profit of the account, its positions with their cost and mark, and what settled last.',
    input: z.strictObject({}),
    data: PortfolioData,
    run: (_input, { api }) =>
      found(api.answer('getPortfolio', {}), ({ fleetSummary, positions, settled, summary }) => {
        return { summary, fleetSummary, positions, settled: settled.slice(0, SETTLED_MAX) };
      }),
  }),
  defineRead({
    name: 'list_orders',
    title: 'List orders',
    description:
      'The orders of the account: open ones first, then ended ones, newest first. Status live: all that can still trade, in order of acceptance, with all details.',
    input: z.strictObject({
      marketId: ofMarket,
      status: z
        .enum([...orderStatus.options, LIVE])
        .optional()
        .meta({ description: 'Only orders of this status; live: open or partial. Left out: all.' }),
      limit: limit(50, 500),
      cursor,
    }),
    data: z.strictObject({ orders: z.array(listedOrder) }),
    run: ({ status, ...query }, { api }) =>
      status === LIVE
        ? found(api.answer('listOpenOrders', { query }), ({ orders }) => ({ orders }))
        : found(api.answer('listOrders', { query: { ...query, status } }), (orders) => ({ orders })),
  }),
  defineRead({
    name: 'list_fills',
    title: 'List fills',
    description: 'Each trade of an order of the account, as maker or taker, newest first.',
    input: z.strictObject({ marketId: ofMarket, limit: limit(50, 500), cursor }),
    data: z.strictObject({ fills: z.array(Fill.schema) }),
    run: (input, { api }) => found(api.answer('listFills', { query: input }), (body) => ({ fills: body })),
  }),
  defineRead({
    name: 'explain_order',
    title: 'Explain what happened to an order',
    description:
      'Why an order is as it is: every event of it, oldest first, with its reason, the key that asked for it, its effect and its sequence in the public journal.',
    needs: 'view',
    input: z.strictObject({ orderId, limit: limit(100, 500), cursor }),
    data: OrderHistory.schema,
    run: ({ orderId: id, ...query }, { api }) => found(api.answer('getOrderHistory', { params: { id }, query })),
  }),
];
