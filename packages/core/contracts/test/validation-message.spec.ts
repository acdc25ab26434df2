import { expect } from 'chai';
import type { z } from 'zod';
import { endpoints } from '../src/endpoints.ts';
import { BatchCommand } from '../src/operator/batch.ts';
import { validationMessage } from '../src/validation-message.ts';

function refusal(schema: z.ZodType, value: unknown): string {
  const { error } = schema.safeParse(value);
  if (error === undefined) throw new Error('was accepted');
  return validationMessage(error);
}

describe('a refusal of a form names the field, what is wrong, and what would be right', () => {
  const order = { marketId: 'm', outcome: 'yes' };
  const rows: readonly (readonly [string, z.ZodType, unknown, string])[] = [
    ['no object', endpoints.placeOrder.body, [], 'body: must be a JSON object'],
    ['a missing field', endpoints.placeOrder.body, { outcome: 'yes' }, 'marketId: is required: text'],
    ['a missing choice', endpoints.placeOrder.body, { marketId: 'm' }, 'outcome: must be yes or no'],
    ['a wrong type', endpoints.placeOrder.body, { ...order, price: '0.5' }, 'price: must be a number'],
    [
      'a fraction of a share',
      endpoints.placeOrder.body,
      { ...order, quantity: 1.5 },
      'quantity: must be a whole number',
    ],
    ['too small', endpoints.placeOrder.body, { ...order, price: 0.001 }, 'price: must be at least 0.01'],
    ['too big', endpoints.placeOrder.body, { ...order, quantity: 501 }, 'quantity: must be at most 500'],
    ['a wrong choice', endpoints.placeOrder.body, { ...order, side: 'hold' }, 'side: must be buy or sell'],
    [
      'an unknown field',
      endpoints.placeOrder.body,
      { ...order, leverage: 9 },
      'leverage: is not a field here; remove it',
    ],
    [
      'an unknown field with NUL',
      endpoints.placeOrder.body,
      { ...order, 'a\u0000': 9 },
      '"a\\u0000": is not a field here; remove it',
    ],
    ['empty text', endpoints.placeOrder.body, { ...order, marketId: '' }, 'marketId: must not be empty'],
    [
      'short text',
      endpoints.createSubAccount.body,
      { displayName: 'x' },
      'displayName: must be 2 to 24 characters long',
    ],
    [
      'an empty list',
      endpoints.createSubAccountKey.body,
      { name: 'k', permissions: [] },
      'permissions: must have at least 1 items',
    ],
    [
      'a list item',
      endpoints.createSubAccountKey.body,
      { name: 'k', permissions: ['fly'] },
      'permissions.0: must be view or trade or master or reconcile',
    ],
    [
      'a limit',
      endpoints.listMarkets.query,
      { limit: '0' },
      'limit: must be a whole number from 1; more than 500 is taken as 500',
    ],
    ['an unknown value', endpoints.listMarkets.query, { fields: 'trends' }, 'fields: must be trend'],
    ['a limit given twice', endpoints.listMarkets.query, { limit: ['1', '2'] }, 'limit: must be text, given once'],
    [
      'an unknown operation',
      BatchCommand,
      { op: 'fly' },
      'op: must be list-market or amend-market or activate-market or pause-market or close-market or resolve-market or void-market or record-signal or open-account or issue-key or approve-account',
    ],
    [
      'a field of an operation',
      BatchCommand,
      { op: 'resolve-market', id: 'm', outcome: 'maybe' },
      'outcome: must be yes or no',
    ],
    [
      'an item that is no object',
      endpoints.runOperatorBatch.body,
      { commands: [{ op: 'fly' }, 'land'] },
      'commands.1: must be a JSON object',
    ],
    ...(['clientOrderId', 'postOnly', 'expiresAt', 'accountId'] as const).map(
      (field) =>
        [
          `${field} of a single order`,
          endpoints.placeOrder.body,
          { ...order, [field]: 'x' },
          `${field}: is not a field of a single order: use POST /api/orders/batch`,
        ] as const,
    ),
    [
      'another field of a single order',
      endpoints.placeOrder.body,
      { ...order, colour: 'x' },
      'colour: is not a field here; remove it',
    ],
    ['a change of nothing', endpoints.amendOrder.body, {}, 'body: must have price, quantity or both'],
    [
      'seconds that are too few',
      endpoints.setDeadManSwitch.body,
      { seconds: 4 },
      'seconds: must be 0 to turn it off, or a whole number, 5 to 3600',
    ],
    ['no orders', endpoints.placeOrders.body, { orders: [] }, 'orders: must have at least 1 items'],
    [
      'a time with an offset',
      endpoints.previewOrder.body,
      { ...order, expiresAt: '2027-12-31T23:59:00+01:00' },
      'expiresAt: must be an ISO 8601 time in UTC, such as 2027-12-31T23:59:00Z',
    ],
    [
      'an unknown query parameter that would be a filter',
      endpoints.cancelOrders.query,
      { market: 'm' },
      'market: is not a field here; remove it',
    ],
    ['a tick', endpoints.createMarket.body.shape.tickSize, 0.5, 'body: is none of the documented forms'],
  ];
  for (const [name, schema, value, message] of rows) {
    it(name, () => expect(refusal(schema, value)).to.equal(`validation failure: ${message}`));
  }

  it('never repeats a long name in full', () => {
    expect(refusal(endpoints.placeOrder.body, { ...order, ['x'.repeat(5000)]: 1 })).to.have.length.lessThan(150);
  });
});
