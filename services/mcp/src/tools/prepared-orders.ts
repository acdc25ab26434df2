import { money, timestamp } from '@paper/contracts';
import { Market } from '@paper/contracts/markets';
import { OrderDetail, OrderPreview } from '@paper/contracts/orders';
import { UNITS_PER_DOLLAR } from '@paper/contracts/units';
import { z } from 'zod';
import { PREPARED_ORDERS_MAX } from '../orders/confirmation.ts';
import { orderInput } from '../orders/order-input.ts';
import type { OrderInput } from '../orders/order-input.ts';
import type { ConfirmedOrder, PreparedOrders, PreviewedOrder } from '../orders/order-steps.ts';
import { answerOrToolError } from '../tool-error.ts';
import { defineTool, found, resultOf } from './tool.ts';
import type { ToolContext } from './tool.ts';

const HOW_TO_ORDER =
  'A limit buy needs price and quantity (or notional), a limit sell price and quantity, a market buy quantity or notional, a market sell quantity. Prices are dollars from 0.01 to 0.99, in the terms of the outcome. To bet against an outcome, buy the other one.';

const { closesAt, title } = Market.schema.shape;
const market = z.strictObject({ id: z.string(), title, closesAt });

const previewed = {
  market,
  order: orderInput.meta({ description: 'The order that a confirmation sends.' }),
  boundPrice: money.meta({ description: 'The worst price of a share: a buy pays no more, a sale gets no less.' }),
  maxCost: money
    .nullable()
    .meta({ description: 'The most dollars that a buy can pay, with what rests of it; null for a sale.' }),
  preview: OrderPreview.schema.meta({ description: 'What the order would do now.' }),
};

const confirmable = {
  confirmation: z.string().meta({ description: 'The text to confirm, to be passed unchanged.' }),
  id: z.string().meta({ description: "The orders' Idempotency-Key." }),
  expiresAt: timestamp.meta({ description: 'Until then it can be confirmed.' }),
};

const repeated = z
  .boolean()
  .meta({ description: 'True: it was confirmed before, and this is the first answer again.' });

const confirmInput = z.strictObject({
  confirmation: z.string().min(1).max(20_000).meta({ description: 'The text that prepared it, unchanged.' }),
});

/** Tools that preview orders and place them, in two steps. Only keys with the permission `trade` have them. */
export const preparedOrderTools = [
  defineTool({
    name: 'preview_order',
    title: 'Preview an order',
    description:
      'Shows what an order would do now: its fills by price, its cost, what would rest, and the cash and shares after it. Places nothing. Takes what prepare_order takes.',
    needs: 'trade',
    effect: 'reads',
    input: orderInput,
    argumentsAsOf: 'prepare_order',
    data: OrderPreview.schema,
    run: (input, { api }) => found(api.answer('previewOrder', { body: input })),
  }),
  defineTool({
    name: 'prepare_order',
    title: 'Prepare an order',
    description: `The first of two steps to place an order. Gives the exact preview, and a text that confirm_order takes within five minutes. Places nothing. The confirmed order never pays more for a share than the worst price of this preview, and never has more shares. Show the preview to the person you trade for before you confirm. ${HOW_TO_ORDER}`,
    needs: 'trade',
    effect: 'reads',
    input: orderInput,
    data: z.strictObject({ ...confirmable, ...previewed }),
    async run(input, context) {
      const { prepared, shown } = await prepare([input], context);
      const [order] = shown;
      if (order === undefined) throw new Error('an order was prepared without its preview');
      return { journalSeq: prepared.journalSeq, data: { ...confirmableOf(prepared), ...order } };
    },
  }),
  defineTool({
    name: 'prepare_orders',
    title: 'Prepare several orders',
    description: `Like prepare_order for 2 to ${PREPARED_ORDERS_MAX} orders that confirm_orders places as a whole, in this order. Each is previewed alone, on the book as it is now; together they never pay more than their previews. If one would be refused, none is prepared.`,
    needs: 'trade',
    effect: 'reads',
    input: z.strictObject({ orders: z.array(orderInput).min(2).max(PREPARED_ORDERS_MAX) }),
    argumentsAsOf: 'prepare_order',
    data: z.strictObject({
      ...confirmable,
      maxCost: money.meta({ description: 'The most dollars that all buys together can pay.' }),
      orders: z.array(z.strictObject(previewed)),
    }),
    async run({ orders }, context) {
      const { prepared, shown } = await prepare(orders, context);
      const data = { ...confirmableOf(prepared), maxCost: sum(prepared.orders), orders: shown };
      return { journalSeq: prepared.journalSeq, data };
    },
  }),
  defineTool({
    name: 'confirm_order',
    title: 'Confirm a prepared order',
    description:
      'The second step: places the order that prepare_order gave the text of. The same text again gives the first answer again, and places nothing more: repeat it where the outcome is not known.',
    needs: 'trade',
    effect: 'places',
    input: confirmInput,
    data: z.strictObject({ order: OrderDetail.schema, repeated }),
    async run({ confirmation }, context) {
      const { answer, repeated: isRepeated, results } = await context.orderSteps.confirm(confirmation, context, 1);
      const [result] = results;
      if (result?.ok !== true) throw result?.refusal ?? new Error('a confirmed order has no result');
      return resultOf(answer, { order: result.order, repeated: isRepeated });
    },
  }),
  defineTool({
    name: 'confirm_orders',
    title: 'Confirm prepared orders',
    description:
      'The second step of prepare_orders: places all of them, each decided in turn. A refused one does not keep the others from being placed. The same text again places no order twice.',
    needs: 'trade',
    effect: 'places',
    input: confirmInput,
    data: z.strictObject({
      results: z.array(
        z.union([
          z.strictObject({ ok: z.literal(true), order: OrderDetail.schema }),
          z.strictObject({ ok: z.literal(false), error: z.string(), code: z.string(), remedy: z.string() }),
        ]),
      ),
      repeated,
    }),
    async run({ confirmation }, context) {
      const { answer, repeated: isRepeated, results } = await context.orderSteps.confirm(confirmation, context);
      return resultOf(answer, { results: results.map(shownResult), repeated: isRepeated });
    },
  }),
];

async function prepare(orders: readonly OrderInput[], context: ToolContext) {
  const [prepared, markets] = await Promise.all([
    context.orderSteps.prepare(orders, context),
    Promise.all(orders.map(({ marketId }) => marketOf(marketId, context))),
  ]);
  const shown = prepared.orders.map(({ boundPrice, maxCost, order, preview }, at) => {
    const listed = markets[at];
    if (listed === undefined) throw new Error('an order was prepared without its market');
    return { market: listed, order, boundPrice, maxCost, preview };
  });
  return { prepared, shown };
}

async function marketOf(marketId: string, { api }: ToolContext): Promise<z.output<typeof market>> {
  const { body } = await answerOrToolError(api.answer('getMarket', { params: { id: marketId } }));
  return { id: body.id, title: body.title, closesAt: body.closesAt };
}

function confirmableOf({ confirmation, expiresAt, id }: PreparedOrders) {
  return { confirmation, id, expiresAt: new Date(expiresAt).toISOString() };
}

/** The dollars that all buys can cost, added without the rounding errors of binary fractions. */
function sum(orders: readonly PreviewedOrder[]): number {
  const units = orders.map(({ maxCost }) => Math.round((maxCost ?? 0) * UNITS_PER_DOLLAR));
  return units.reduce((total, one) => total + one, 0) / UNITS_PER_DOLLAR;
}

function shownResult(result: ConfirmedOrder) {
  if (result.ok) return result;
  const { code, message: error, remedy } = result.refusal;
  return { ok: false, error, code, remedy } as const;
}
