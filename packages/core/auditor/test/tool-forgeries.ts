import type { EventOf, ExchangeEvent, OrderPlaced } from '@paper/exchange/events';
import type { Mandate } from '@paper/exchange/vocabulary';
import { ofOrder, ofType } from './forgeries.ts';
import type { Forge, Forgery } from './forgeries.ts';

const UNLIMITED: Mandate = {
  marketIds: null,
  maxOrderCostUnits: null,
  maxReservedUnits: null,
  maxShares: null,
  reduceOnly: null,
  spendPerDayUnits: null,
};

const YEAR_MS = 366 * 86_400_000;

const mayRest = ({ orderType, timeInForce }: OrderPlaced): boolean => orderType === 'limit' && timeInForce === 'GTC';

/** Gives each key another mandate than was set: its orders, which kept the right one, pass this one. */
const withMandate = (limits: Partial<Mandate>): Forge =>
  ofType('MandateSet', (event: EventOf<'MandateSet'>) => [{ ...event, mandate: { ...UNLIMITED, ...limits } }]);

/** Expiries of the orders so far. */
const expiries = new Map<string, number>();

/** Forgeries of the order tools' events, each with the rule that must detect it. */
export const TOOL_FORGERIES: readonly Forgery[] = [
  [
    'a post-only order that takes shares',
    'a post-only order takes nothing',
    ofOrder(({ placed, fills, cancel }) =>
      fills.length > 0 && mayRest(placed)
        ? [{ ...placed, postOnly: true }, ...fills, ...(cancel === null ? [] : [cancel])]
        : null,
    ),
  ],
  [
    'an order that ends as post-only and was not',
    'a post-only order takes nothing',
    ofOrder(({ placed, fills, cancel }) =>
      cancel !== null && !placed.postOnly ? [placed, ...fills, { ...cancel, reason: 'post_only' }] : null,
    ),
  ],
  [
    'a post-only order that would have taken nothing',
    'a post-only order takes nothing',
    ofOrder(({ placed }) => {
      const { accountId, at, marketId, orderId, outcome, priceUnits, quantity, side } = placed;
      if (!placed.postOnly || placed.restQuantity === 0) return null;
      const order = { accountId, at, marketId, orderId, outcome, priceUnits, quantity, side };
      return [
        { ...placed, restQuantity: 0, spentUnits: 0 },
        { ...order, reason: 'post_only', resting: false, type: 'OrderCancelled' },
      ];
    }),
  ],
  [
    'an immediate-or-cancel that expires',
    'limits hold',
    ofOrder(({ placed, fills, cancel }) =>
      placed.timeInForce === 'IOC' && cancel !== null
        ? [{ ...placed, expiresAt: placed.at + 5_000 }, ...fills, cancel]
        : null,
    ),
  ],
  [
    'an order that expires when it is placed',
    'nothing outlives its time',
    ofOrder(({ placed }) => (mayRest(placed) ? [{ ...placed, expiresAt: placed.at }] : null)),
  ],
  [
    'an order that expires in more than a year',
    'nothing outlives its time',
    ofOrder(({ placed }) => (mayRest(placed) ? [{ ...placed, expiresAt: placed.at + YEAR_MS + 1 }] : null)),
  ],
  [
    'an order that is left past its expiry',
    'timers come first',
    ofOrder(({ placed }) => (placed.restQuantity > 0 ? [{ ...placed, expiresAt: placed.at + 1 }] : null)),
  ],
  [
    'a fill after the expiry of its maker',
    'nothing outlives its time',
    (events) => {
      for (const event of events) {
        if (event.type === 'OrderPlaced' && event.expiresAt !== null) expiries.set(event.orderId, event.expiresAt);
      }
      const fill = events.findIndex((event) => event.type === 'OrderFilled' && expiries.has(event.makerOrderId));
      return fill < 0
        ? null
        : events.map((event, index) => (index < fill ? event : { ...event, at: event.at + 2 * YEAR_MS }));
    },
  ],
  [
    'an expiry before its time',
    'nothing outlives its time',
    ofType('OrderCancelled', (event) => (event.reason === 'user' ? [{ ...event, reason: 'expired' }] : null)),
  ],
  [
    'a dead-man switch that is not due',
    'a decision is whole',
    ofType('OrderCancelled', (event) => (event.reason === 'user' ? [{ ...event, reason: 'dead_man_switch' }] : null)),
  ],
  [
    'a dead-man switch of the past',
    'nothing outlives its time',
    ofType('DeadManSwitchSet', (event: EventOf<'DeadManSwitchSet'>) =>
      event.cancelsAt === null ? null : [{ ...event, cancelsAt: event.at }],
    ),
  ],
  [
    'a dead-man switch that was due and is turned off',
    'timers come first',
    (events) => {
      const cancels = events.filter((event) => event.type === 'OrderCancelled' && event.reason === 'dead_man_switch');
      const isLast = events.at(-1)?.type === 'DeadManSwitchSet';
      return isLast && cancels.length > 0 ? events.slice(-1) : null;
    },
  ],
  [
    'a dead-man switch that leaves an order behind',
    'timers come first',
    (events) =>
      events[0]?.type === 'OrderCancelled' && events[0].reason === 'dead_man_switch' ? events.slice(1) : null,
  ],
  [
    'an end for an account that is open',
    'a decision is whole',
    ofType('OrderCancelled', (event) => (event.reason === 'user' ? [{ ...event, reason: 'account_closed' }] : null)),
  ],
  [
    'an account that is closed twice',
    'a closed account does nothing',
    ofType('AccountClosed', (event) => [event, event]),
  ],
  [
    'a name that an open account forgets',
    'a closed account does nothing',
    ofType('AccountClosed', (event) => [{ ...event, type: 'DisplayNameForgotten' }]),
  ],
  [
    'an order that an account places after its closing',
    'a closed account does nothing',
    (events) =>
      events[0]?.type === 'OrderPlaced'
        ? [{ accountId: events[0].accountId, at: events[0].at, type: 'AccountClosed' }, ...events]
        : null,
  ],
  [
    'a key that an account gets after its closing',
    'a closed account does nothing',
    ofType('ApiKeyIssued', (event) => [{ accountId: event.accountId, at: event.at, type: 'AccountClosed' }, event]),
  ],
  [
    'a total that is lowered by a share more',
    'quantities add up',
    ofType('OrderAmended', (event) => [{ ...event, removed: event.removed + 1 }]),
  ],
  [
    'a lowered total that loses its place',
    'price-time priority',
    ofType('OrderAmended', ({ remaining, removed, ...order }) => [
      {
        ...order,
        filledQuantity: order.quantity - remaining,
        fillQuantity: 0,
        formerPriceUnits: order.priceUnits,
        formerRemaining: remaining + removed,
        keyId: 'key',
        restQuantity: remaining,
        spentUnits: 0,
        type: 'OrderReplaced',
      },
    ]),
  ],
  [
    'a lowered total of an order that becomes post-only',
    'an event names what exists',
    ofType('OrderAmended', (event) => [{ ...event, postOnly: event.postOnly !== true }]),
  ],
  [
    'a replaced order with another expiry',
    'an event names what exists',
    ofType('OrderReplaced', (event) => [{ ...event, expiresAt: (event.expiresAt ?? 0) + 1 }]),
  ],
  [
    'a replaced order whose fills before cost more',
    'an event names what exists',
    ofType('OrderReplaced', (event) => [{ ...event, filledCostUnits: (event.filledCostUnits ?? 0) + 1 }]),
  ],
  [
    'a replaced order with another time of creation',
    'an event names what exists',
    ofType('OrderReplaced', (event) => [{ ...event, createdAt: event.createdAt + 1 }]),
  ],
  [
    'a replaced order that forgets its fills',
    'quantities add up',
    ofType('OrderReplaced', (event) =>
      event.filledQuantity > 0 ? [{ ...event, filledQuantity: event.filledQuantity - 1 }] : null,
    ),
  ],
  [
    'a replaced order that leaves another price',
    'quantities add up',
    ofType('OrderReplaced', (event) => [{ ...event, formerPriceUnits: event.formerPriceUnits + 1 }]),
  ],
  [
    'a replaced order that fills less than it says',
    'a decision is whole',
    (events) => (events[0]?.type === 'OrderReplaced' && events[1]?.type === 'OrderFilled' ? events.slice(0, -1) : null),
  ],
  [
    'a merge of more shares than there are',
    'quantities add up',
    ofType('SharesMerged', (event) => [{ ...event, quantity: event.quantity + 1_000_000 }]),
  ],
  [
    'a merge that takes too much cost off',
    'costs are right',
    ofType('SharesMerged', (event) => [{ ...event, noCostUnits: event.noCostUnits + 1 }]),
  ],
  [
    'a merge that leaves less cash',
    'money is conserved',
    ofType('SharesMerged', (event) => [{ ...event, cashUnits: event.cashUnits - 10_000 }]),
  ],
  [
    'an order that spends less than it says',
    'costs are right',
    ofType('OrderPlaced', (event) => [{ ...event, spentUnits: event.spentUnits + 1 }]),
  ],
  [
    'a replaced order that spends nothing',
    'costs are right',
    (events: readonly ExchangeEvent[]) => {
      const [first, ...others] = events;
      return first?.type === 'OrderReplaced' && first.spentUnits > 0 ? [{ ...first, spentUnits: 0 }, ...others] : null;
    },
  ],
  ['a buy by a key that only sells', 'a key keeps its mandate', withMandate({ reduceOnly: true })],
  ['an order in a market of no mandate', 'a key keeps its mandate', withMandate({ marketIds: [] })],
  ['an order that costs more than its mandate', 'a key keeps its mandate', withMandate({ maxOrderCostUnits: 0 })],
  ['an order that reserves more than its mandate', 'a key keeps its mandate', withMandate({ maxReservedUnits: 0 })],
  ['an order for more shares than its mandate', 'a key keeps its mandate', withMandate({ maxShares: 0 })],
  ['an order that spends more than its mandate', 'a key keeps its mandate', withMandate({ spendPerDayUnits: 0 })],
];
