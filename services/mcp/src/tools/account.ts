import { Me } from '@paper/contracts/accounts';
import { Fill, Order, OrderDetail, OrderHistory, orderStatus } from '@paper/contracts/orders';
import { Portfolio } from '@paper/contracts/portfolio';
import { z } from 'zod';
import { answered } from '../tool-error.ts';
import { cursor, limit, marketId, orderId } from './fields.ts';
import { defineTool, found } from './tool.ts';

const ofMarket = marketId.optional().meta({ description: 'Only items of this market. Left out: of all.' });

/** The portfolio without its lists of orders and trades, which have separate tools. */
const PortfolioData = z.strictObject({
  summary: Portfolio.shape.summary,
  fleetSummary: Portfolio.shape.fleetSummary,
  positions: Portfolio.shape.positions,
  settled: Portfolio.shape.settled.meta({ description: 'The newest settled positions, at most 50.' }),
});

const SETTLED_MAX = 50;

/** The status of what is open or partly filled. */
const LIVE = 'live';

/** An order, with more details if it is live. */
const listedOrder = OrderDetail.schema.partial(
  Object.fromEntries(
    Object.keys(OrderDetail.schema.shape)
      .filter((field) => !(field in Order.schema.shape))
      .map((field) => [field, true]),
  ) as Readonly<Record<Exclude<keyof typeof OrderDetail.schema.shape, keyof typeof Order.schema.shape>, true>>,
);

/** Tools that read the account of the key. */
export const accountTools = [
  defineTool({
    name: 'get_me',
    title: 'Get the account and the key',
    description:
      'Which account this key belongs to, what the key may do, the limits of its mandate, and what it has spent today.',
    needs: null,
    effect: 'reads',
    input: z.strictObject({}),
    data: Me.schema,
    async run(_input, { api }) {
      const answer = await answered(api.answer('getMe', {}));
      return found(answer, answer.body);
    },
  }),
  defineTool({
    name: 'get_portfolio',
    title: 'Get the portfolio',
    description:
      'Cash, the value and profit of the account, its positions with their cost and mark, and what settled last.',
    needs: null,
    effect: 'reads',
    input: z.strictObject({}),
    data: PortfolioData,
    async run(_input, { api }) {
      const answer = await answered(api.answer('getPortfolio', {}));
      const { fleetSummary, positions, settled, summary } = answer.body;
      return found(answer, { summary, fleetSummary, positions, settled: settled.slice(0, SETTLED_MAX) });
    },
  }),
  defineTool({
    name: 'list_orders',
    title: 'List orders',
    description:
      'The orders of the account: open ones first, then ended ones, newest first. Status live: all that can still trade, in order of acceptance, with all details.',
    needs: null,
    effect: 'reads',
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
    async run({ status, ...query }, { api }) {
      if (status === LIVE) {
        const answer = await answered(api.answer('listOpenOrders', { query }));
        return found(answer, { orders: answer.body.orders });
      }
      const answer = await answered(api.answer('listOrders', { query: { ...query, status } }));
      return found(answer, { orders: answer.body });
    },
  }),
  defineTool({
    name: 'list_fills',
    title: 'List fills',
    description: 'Each trade of an order of the account, as maker or taker, newest first.',
    needs: null,
    effect: 'reads',
    input: z.strictObject({ marketId: ofMarket, limit: limit(50, 500), cursor }),
    data: z.strictObject({ fills: z.array(Fill.schema) }),
    async run(input, { api }) {
      const answer = await answered(api.answer('listFills', { query: input }));
      return found(answer, { fills: answer.body });
    },
  }),
  defineTool({
    name: 'explain_order',
    title: 'Explain what happened to an order',
    description:
      'Why an order is as it is: every event of it, oldest first, with its reason, the key that asked for it, its effect and its sequence in the public journal.',
    needs: 'view',
    effect: 'reads',
    input: z.strictObject({ orderId, limit: limit(100, 500), cursor }),
    data: OrderHistory.schema,
    async run(input, { api }) {
      const query = { limit: input.limit, cursor: input.cursor };
      const answer = await answered(api.answer('getOrderHistory', { params: { id: input.orderId }, query }));
      return found(answer, answer.body);
    },
  }),
];
