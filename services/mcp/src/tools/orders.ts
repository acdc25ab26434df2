import { count, money, timestamp } from '@paper/contracts';
import { Market, outcome, side } from '@paper/contracts/markets';
import { CancelledOrders, CreateOrderInput, Done, Order, OrderPreview } from '@paper/contracts/orders';
import { z } from 'zod';
import { answered } from '../tool-error.ts';
import { marketId, orderId } from './fields.ts';
import { defineTool, found } from './tool.ts';

const orderInput = z.strictObject(CreateOrderInput.shape);

const HOW_TO_ORDER =
  'A limit buy needs price and quantity (or notional), a limit sell price and quantity, a market buy quantity or notional, a market sell quantity. Prices are dollars from 0.01 to 0.99, in the terms of the outcome. To bet against an outcome, buy the other one.';

const PreparedOrder = z.strictObject({
  confirmation: z.string().meta({ description: 'Pass this text, unchanged, to confirm_order.' }),
  id: z.string().meta({ description: "The order's Idempotency-Key." }),
  expiresAt: timestamp.meta({ description: 'Until then the order can be confirmed.' }),
  market: z.strictObject({ id: z.string(), title: Market.schema.shape.title, closesAt: Market.schema.shape.closesAt }),
  order: CreateOrderInput.meta({ description: 'The order that a confirmation sends.' }),
  boundPrice: money.meta({ description: 'The worst price of a share: a buy pays no more, a sale gets no less.' }),
  maxCost: money
    .nullable()
    .meta({ description: 'The most dollars that a buy can pay, with what rests of it; null for a sale.' }),
  preview: OrderPreview.schema.meta({ description: 'What the order would do now.' }),
});

/** Tools that trade. Only keys with the permission `trade` have them. */
export const orderTools = [
  defineTool({
    name: 'preview_order',
    title: 'Preview an order',
    description: `Shows what an order would do now: its fills by price, its cost, what would rest, and the cash and shares after it. Places nothing. ${HOW_TO_ORDER}`,
    needs: 'trade',
    effect: 'reads',
    input: orderInput,
    data: OrderPreview.schema,
    async run(input, { api }) {
      const answer = await answered(api.answer('previewOrder', { body: input }));
      return found(answer, answer.body);
    },
  }),
  defineTool({
    name: 'prepare_order',
    title: 'Prepare an order',
    description: `The first of two steps to place an order. Gives the exact preview, and a text that confirm_order takes within five minutes. Places nothing. The confirmed order never pays more for a share than the worst price of this preview, and never has more shares. Show the preview to the person you trade for before you confirm. ${HOW_TO_ORDER}`,
    needs: 'trade',
    effect: 'reads',
    input: orderInput,
    data: PreparedOrder,
    async run(input, context) {
      const [prepared, market] = await Promise.all([
        context.orderSteps.prepare(input, context),
        answered(context.api.answer('getMarket', { params: { id: input.marketId } })),
      ]);
      const { boundPrice, confirmation, expiresAt, id, maxCost, order, preview, journalSeq } = prepared;
      const { closesAt, id: listedId, title } = market.body;
      return {
        journalSeq,
        data: {
          confirmation,
          id,
          expiresAt: new Date(expiresAt).toISOString(),
          market: { id: listedId, title, closesAt },
          order,
          boundPrice,
          maxCost,
          preview,
        },
      };
    },
  }),
  defineTool({
    name: 'confirm_order',
    title: 'Confirm a prepared order',
    description:
      'The second step: places the order that prepare_order gave the text of. Calling it again with the same text gives the first answer again, and places nothing more: so repeat it where the outcome is not known.',
    needs: 'trade',
    effect: 'places',
    input: z.strictObject({
      confirmation: z.string().min(1).max(4_000).meta({ description: 'The text of prepare_order, unchanged.' }),
    }),
    data: z.strictObject({
      order: Order.schema,
      repeated: z.boolean().meta({ description: 'True: it was confirmed before, and this is the first answer again.' }),
    }),
    async run(input, context) {
      const { answer, repeated } = await context.orderSteps.confirm(input.confirmation, context);
      return found(answer, { order: answer.body, repeated });
    },
  }),
  defineTool({
    name: 'cancel_order',
    title: 'Cancel an order',
    description: 'Cancels an open order. `ok` is false where the order is filled already, or unknown.',
    needs: 'trade',
    effect: 'cancels',
    input: z.strictObject({ orderId }),
    data: Done,
    async run(input, { api }) {
      const answer = await answered(api.answer('cancelOrder', { params: { id: input.orderId } }));
      return found(answer, answer.body);
    },
  }),
  defineTool({
    name: 'cancel_all_orders',
    title: 'Cancel many orders',
    description: 'Cancels the open orders of the account that match every given filter; without a filter all of them.',
    needs: 'trade',
    effect: 'cancels',
    input: z.strictObject({
      marketId: marketId.optional().meta({ description: 'Only orders of this market.' }),
      outcome: outcome.optional().meta({ description: 'Only orders for this outcome.' }),
      side: side.optional().meta({ description: 'Only buys, or only sells.' }),
    }),
    data: z.strictObject({ cancelled: count, orderIds: CancelledOrders.shape.orderIds }),
    async run(input, { api }) {
      const answer = await answered(api.answer('cancelOrders', { query: input }));
      return found(answer, answer.body);
    },
  }),
];
