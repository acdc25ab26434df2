import { count, endpoints } from '@paper/contracts';
import { outcome, side } from '@paper/contracts/markets';
import * as orders from '@paper/contracts/orders';
import { z } from 'zod';
import { marketId, orderId } from './fields.ts';
import { defineTool, found } from './tool.ts';

/** Tools that change open orders or holdings. Only keys with the permission `trade` have them. */
export const openOrderTools = [
  defineTool({
    name: 'amend_order',
    title: 'Amend an open order',
    description:
      'Changes the price or the total quantity of an open limit order, at once. A lower quantity keeps its place in the queue. Any other change can fill at once, at the new price or better. Show the change to the person you trade for before.',
    needs: 'trade',
    effect: 'places',
    input: z.strictObject({ orderId, ...orders.AmendOrderInput.shape }),
    data: z.strictObject({ order: endpoints.amendOrder.answer }),
    run: ({ orderId: id, ...change }, { api }) =>
      found(api.answer('amendOrder', { params: { id }, body: change }), (body) => ({ order: body })),
  }),
  defineTool({
    name: 'cancel_order',
    title: 'Cancel an order',
    description: 'Cancels an open order. `ok` is false where the order is filled already, or unknown.',
    needs: 'trade',
    effect: 'cancels',
    input: z.strictObject({ orderId }),
    data: orders.Done,
    run: (input, { api }) => found(api.answer('cancelOrder', { params: { id: input.orderId } })),
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
    data: z.strictObject({ cancelled: count, orderIds: orders.CancelledOrders.shape.orderIds }),
    run: (input, { api }) => found(api.answer('cancelOrders', { query: input })),
  }),
  defineTool({
    name: 'dead_man_switch',
    title: 'Set or read the dead-man switch',
    description:
      'Cancels all open orders of the account in so many seconds, unless it is set again before. 0 turns it off. Without seconds it only says when it would cancel; null: it is off.',
    needs: 'trade',
    effect: 'cancels',
    input: z.strictObject({ seconds: orders.DeadManSwitchInput.shape.seconds.optional() }),
    data: orders.DeadManSwitch.schema,
    run: ({ seconds }, { api }) =>
      found(
        seconds === undefined
          ? api.answer('getDeadManSwitch', {})
          : api.answer('setDeadManSwitch', { body: { seconds } }),
      ),
  }),
  defineTool({
    name: 'merge_shares',
    title: 'Merge YES and NO shares',
    description:
      'Turns pairs of one free YES and one free NO share of a market into $1 each. Without quantity all pairs.',
    needs: 'trade',
    effect: 'merges',
    input: z.strictObject({ marketId, quantity: orders.MergeInput.shape.quantity }),
    data: orders.MergedShares,
    run: (input, { api }) => found(api.answer('mergeShares', { body: input })),
  }),
];
