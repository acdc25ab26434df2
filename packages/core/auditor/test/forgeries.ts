import type { ExchangeEvent, OrderCancelled, OrderFilled, OrderPlaced } from '@paper/exchange/events';
import type { Rule } from '../src/index.ts';

/** Changes a decision's events to those of a faulty exchange; null where the decision does not suit. */
export type Forge = (events: readonly ExchangeEvent[]) => readonly ExchangeEvent[] | null;

/** The parts of an incoming order's decision. */
interface Placement {
  readonly placed: OrderPlaced;
  readonly fills: readonly OrderFilled[];
  readonly cancel: OrderCancelled | null;
}

function placement(events: readonly ExchangeEvent[]): Placement | null {
  const [placed] = events;
  if (placed?.type !== 'OrderPlaced') return null;
  const last = events.at(-1);
  return {
    placed,
    fills: events.filter((event) => event.type === 'OrderFilled'),
    cancel: last?.type === 'OrderCancelled' ? last : null,
  };
}

/** Forges the decisions of incoming orders that suit. */
export const ofOrder =
  (forge: (order: Placement) => readonly ExchangeEvent[] | null): Forge =>
  (events) => {
    const order = placement(events);
    return order && forge(order);
  };

/** Forges the first fill of incoming orders that suit. */
const ofFill = (forge: (fill: OrderFilled, order: OrderPlaced) => OrderFilled | null): Forge =>
  ofOrder(({ placed, fills: [first, ...others] }) => {
    const forged = first && forge(first, placed);
    return forged ? [placed, forged, ...others] : null;
  });

/** Forges each event of one type. */
export const ofType =
  <Type extends ExchangeEvent['type']>(
    type: Type,
    forge: (event: Extract<ExchangeEvent, { type: Type }>) => readonly ExchangeEvent[] | null,
  ): Forge =>
  (events) => {
    const forged = events.map((event) =>
      event.type === type ? forge(event as Extract<ExchangeEvent, { type: Type }>) : null,
    );
    return forged.every((instead) => instead === null)
      ? null
      : events.flatMap((event, index) => forged[index] ?? [event]);
  };

const isBid = (order: { readonly side: string; readonly outcome: string }): boolean =>
  (order.side === 'buy') === (order.outcome === 'yes');

const ownPrice = (fill: OrderFilled): number =>
  fill.takerOutcome === 'yes' ? fill.yesPriceUnits : 10_000 - fill.yesPriceUnits;

let firstAccount = '';

/** A forgery, and the rule that must detect it. */
export type Forgery = readonly [what: string, rule: Rule, forge: Forge];

export const FORGERIES: readonly Forgery[] = [
  [
    'the later order of a price first',
    'price-time priority',
    ofOrder(({ placed, fills: [a, b] }) => (a && b && a.yesPriceUnits === b.yesPriceUnits ? [placed, b, a] : null)),
  ],
  [
    'the worse price first',
    'price-time priority',
    ofOrder(({ placed, fills: [a, b] }) => (a && b && a.yesPriceUnits !== b.yesPriceUnits ? [placed, b, a] : null)),
  ],
  [
    'a trade at the price of the taker',
    'trades at the price of the maker',
    ofFill((fill, placed) => {
      const limit = placed.outcome === 'yes' ? placed.priceUnits : 10_000 - placed.priceUnits;
      return limit === fill.yesPriceUnits ? null : { ...fill, yesPriceUnits: limit };
    }),
  ],
  [
    'a trade beyond the limit of the taker',
    "never worse than the taker's limit",
    ofOrder(({ placed, fills }) => {
      const [first] = fills;
      if (first === undefined) return null;
      const priceUnits = ownPrice(first) + (placed.side === 'buy' ? -100 : 100);
      return priceUnits < 100 || priceUnits > 9_900 ? null : [{ ...placed, priceUnits }, ...fills];
    }),
  ],
  [
    'NO marked at the price of YES',
    'costs are right',
    ofFill((fill) =>
      fill.takerSide === 'buy' && fill.takerOutcome === 'no' && fill.yesPriceUnits !== 5_000
        ? { ...fill, takerCostUnits: fill.yesPriceUnits * fill.quantity }
        : null,
    ),
  ],
  [
    'a sale that takes too much cost off',
    'costs are right',
    ofFill((fill) => (fill.makerSide === 'sell' ? { ...fill, makerCostUnits: fill.makerCostUnits + 1 } : null)),
  ],
  [
    'shares of the maker taken twice',
    'quantities add up',
    ofFill((fill) =>
      fill.makerRemaining >= fill.quantity ? { ...fill, makerRemaining: fill.makerRemaining - fill.quantity } : null,
    ),
  ],
  [
    'a taker that is left with more',
    'quantities add up',
    ofFill((fill) => ({ ...fill, takerRemaining: fill.takerRemaining + 1 })),
  ],
  [
    'a mint recorded as a transfer',
    'an event names what exists',
    ofFill((fill) => (fill.kind === 'mint' ? { ...fill, kind: 'transfer' } : null)),
  ],
  [
    'a fill too few',
    'a decision is whole',
    ofOrder(({ placed, fills }) => (fills.length > 0 ? [placed, ...fills.slice(0, -1)] : null)),
  ],
  [
    'an order that rests across the book',
    'best bid < best ask',
    ofOrder(({ placed, fills }) =>
      fills.length > 0 && placed.orderType === 'limit' && placed.timeInForce === 'GTC'
        ? [{ ...placed, fillQuantity: 0, restQuantity: placed.quantity }]
        : null,
    ),
  ],
  [
    'an order that passes liquidity over',
    'liquidity is not passed over',
    ofOrder(({ placed, fills, cancel }) =>
      fills.length > 0 && cancel?.reason === 'ioc_remainder'
        ? [
            { ...placed, fillQuantity: 0 },
            { ...cancel, quantity: placed.quantity, reason: 'no_liquidity' },
          ]
        : null,
    ),
  ],
  [
    'a fill-or-kill that fills in part',
    'a decision is whole',
    ofOrder(({ placed, fills, cancel }) =>
      fills.length > 0 && cancel !== null ? [{ ...placed, timeInForce: 'FOK' }, ...fills, cancel] : null,
    ),
  ],
  [
    'an immediate-or-cancel that rests',
    'a decision is whole',
    ofOrder(({ placed }) => (placed.restQuantity > 0 ? [{ ...placed, timeInForce: 'IOC' }] : null)),
  ],
  [
    'a buy beyond all cash',
    'nobody is below zero',
    ofOrder(({ placed }) =>
      placed.side === 'buy' && placed.restQuantity > 0 && placed.fillQuantity === 0
        ? [{ ...placed, notionalUnits: 10_000_000_000, quantity: 1_000_000, restQuantity: 1_000_000 }]
        : null,
    ),
  ],
  [
    'an order for more shares than an order may have',
    'limits hold',
    ofOrder(({ placed }) =>
      placed.side === 'buy' && placed.restQuantity > 0 && placed.fillQuantity === 0
        ? [{ ...placed, notionalUnits: null, quantity: 501, restQuantity: 501 }]
        : null,
    ),
  ],
  [
    'a sale beyond all shares',
    'nobody is below zero',
    ofOrder(({ placed }) =>
      placed.side === 'sell' && placed.restQuantity > 0 && placed.fillQuantity === 0
        ? [{ ...placed, quantity: 500, restQuantity: 500 }]
        : null,
    ),
  ],
  [
    'a price off the tick',
    'limits hold',
    ofOrder(({ placed, fills, cancel }) => [{ ...placed, priceUnits: 9_900.5 }, ...fills, ...(cancel ? [cancel] : [])]),
  ],
  [
    'a signal that is published in two days',
    'limits hold',
    ofType('SignalRecorded', (event) => [{ ...event, publishedAt: event.at + 86_400_001 }]),
  ],
  [
    'an order at the closing time',
    'a market takes orders only while active',
    ofType('MarketListed', (event) => (event.phase === 'active' ? [{ ...event, closesAt: event.at + 1 }] : null)),
  ],
  [
    'a fleet that trades with itself',
    'no self-trade',
    ofType('AccountOpened', (event) => {
      if (event.at <= 1_750_000_000_000 + 100) firstAccount ||= event.accountId;
      return event.accountId === firstAccount
        ? null
        : [{ ...event, type: 'SubAccountOpened', permissions: [], primaryAccountId: firstAccount }];
    }),
  ],
  [
    'an order in a paused market',
    'a market takes orders only while active',
    ofOrder(({ placed }) => [{ at: placed.at, marketId: placed.marketId, type: 'MarketPaused' }, placed]),
  ],
  [
    'a cancel that leaves a share behind',
    'quantities add up',
    ofType('OrderCancelled', (event) => (event.resting ? [{ ...event, quantity: event.quantity - 1 }] : null)),
  ],
  [
    'an order cancelled twice',
    'an event names what exists',
    ofType('OrderCancelled', (event) => (event.resting ? [event, event] : null)),
  ],
  [
    'a cancel on the wrong side of the book',
    'quantities add up',
    ofType('OrderCancelled', (event) =>
      event.resting && isBid(event) ? [{ ...event, outcome: event.outcome === 'yes' ? 'no' : 'yes' }] : null,
    ),
  ],
  [
    'a pool without the last pair',
    'settlement pays exactly',
    ofType('MarketResolved', (event) =>
      event.poolUnits > 0 ? [{ ...event, poolUnits: event.poolUnits - 10_000 }] : null,
    ),
  ],
  [
    'a payout of one unit more',
    'settlement pays exactly',
    ofType('PositionSettled', (event) => [{ ...event, payoutUnits: event.payoutUnits + 1 }]),
  ],
  [
    'a holder left out',
    'settlement pays exactly',
    (events) =>
      events.some((event) => event.type === 'MarketSettled') &&
      events.some((event) => event.type === 'PositionSettled' && event.payoutUnits > 0)
        ? events.filter((event) => event.type !== 'PositionSettled')
        : null,
  ],
  [
    'an end that counts a cancel too many',
    'quantities add up',
    ofType('MarketSettled', (event) => [{ ...event, cancelledOrders: event.cancelledOrders + 1 }]),
  ],
  [
    'a clock that goes back',
    'time never goes back',
    ofType('OrderPlaced', (event) => [{ ...event, at: event.at - 10_000_000 }]),
  ],
];
