import { z } from 'zod';
import { defineEndpoint, withIds } from '../endpoint.ts';
import { outcome, side } from '../markets/market.ts';
import { text } from '../text.ts';
import { DeadManSwitch, DeadManSwitchInput } from './dead-man-switch.ts';
import { ofSubAccounts, TRADING_ERRORS } from './endpoints.ts';
import { MergedShares, MergeInput } from './merge.ts';
import {
  AmendOrderInput,
  CancelledOrders,
  OrderBatch,
  OrderBatchInput,
  OrderDetail,
  OrderItem,
  OrderPreview,
} from './order.ts';

const trading = { tag: 'Orders', auth: 'key', permission: 'trade' } as const;

/** The declarations that the calls with whole orders share. */
const ordering = {
  ...trading,
  method: 'post',
  approvedOnly: true,
  errors: [...TRADING_ERRORS, 'limit_reached', 'market_not_found', 'duplicate_client_order_id', 'mandate_exceeded'],
  errorStatuses: { market_not_found: 400 },
} as const;

/** Endpoints beyond the specification that bots expect: many orders at once, and control over resting orders. */
export const orderToolEndpoints = withIds({
  placeOrders: defineEndpoint({
    ...ordering,
    path: '/api/orders/batch',
    summary: 'Place up to 50 orders',
    description:
      'Each item is decided as an order of its own, in the order given, with no other command of the fleet between two of them. An item that is refused, also for its form, changes nothing for the others. The answer comes when all are durable.\n\nTen items count as one command of the rate limit. A fleet can send 1,000 orders a second in batches. A batch that would pass the commands that a fleet may append a UTC day is refused whole, 429 `rate_limited`.\n\nWith an Idempotency-Key the whole batch can be sent again: items that were accepted return their first answer, and those that were refused are decided anew.',
    idempotent: true,
    items: 'orders',
    body: OrderBatchInput,
    answer: OrderBatch,
  }),
  previewOrder: defineEndpoint({
    ...ordering,
    path: '/api/orders/preview',
    summary: 'Preview an order',
    description:
      'Decides the order as if it were placed now, and places nothing. Sent next, with nothing between, the order does exactly what the preview shows. A refusal is the refusal of the order. An Idempotency-Key is ignored.',
    body: OrderItem,
    answer: OrderPreview.schema,
  }),
  amendOrder: defineEndpoint({
    ...trading,
    method: 'patch',
    path: '/api/orders/{id}',
    summary: 'Change the price or the quantity of an open order',
    description:
      'A lower quantity at the same price keeps its place in the queue, also while the market is paused. Any other change takes the order out of the book and lets it enter again at the end, with the same id, under the rules of a new order; it may fill at once. A refusal leaves the order as it was. The same values change nothing.\n\n`quantity` is the new total, greater than filledQty. An amended price counts anew towards spendPerDay of a mandate.',
    idempotent: true,
    params: z.object({ id: text(1).describe('The id of the order.') }),
    body: AmendOrderInput,
    answer: OrderDetail.schema,
    errors: [...TRADING_ERRORS, 'order_not_open', 'mandate_exceeded', 'forbidden', 'kyc_required', 'not_found'],
  }),
  cancelOrders: defineEndpoint({
    ...trading,
    method: 'delete',
    path: '/api/orders',
    summary: 'Cancel many orders',
    description:
      "Cancels the account's open orders that match every given filter; without a filter all of them. With `fleet=true` it does so for the primary and all sub-accounts, which needs a primary's key with master and trade. It works while a market is paused. An unknown parameter, one given twice, or a value outside its words is 400, and nothing is cancelled.",
    query: z.strictObject({
      marketId: text(1).optional().describe('Only orders of this market.'),
      outcome: outcome.optional().meta({ examples: ['yes'], description: 'Only orders for this outcome.' }),
      side: side.optional().describe('Only buys, or only sells.'),
      fleet: ofSubAccounts,
    }),
    answer: CancelledOrders,
    errors: ['forbidden', 'primary_account_required'],
  }),
  setDeadManSwitch: defineEndpoint({
    ...trading,
    method: 'put',
    path: '/api/dead-man-switch',
    summary: 'Set the dead-man switch',
    description:
      'Arms a switch that cancels all open orders of the account after `seconds`, unless it is set again before. 0 turns it off. An account has one switch; that of a primary covers its own orders alone.',
    body: DeadManSwitchInput,
    answer: DeadManSwitch.schema,
  }),
  mergeShares: defineEndpoint({
    ...trading,
    tag: 'Portfolio',
    method: 'post',
    path: '/api/positions/merge',
    summary: 'Turn pairs of YES and NO shares into cash',
    description:
      'Each pair of a free YES and a free NO share of the account in one market becomes $1. It is no trade: volume and the last price do not change. With nothing to merge and no quantity, merged is 0.',
    idempotent: true,
    body: MergeInput,
    answer: MergedShares,
    errors: ['insufficient_shares', 'market_already_resolved', 'market_not_found'],
    errorStatuses: { market_not_found: 400 },
  }),
});
