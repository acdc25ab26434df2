import { z } from 'zod';
import { answer, object, same, time, units } from '../answer.ts';
import type { BodyOf, ViewOf } from '../answer.ts';
import { outcome, side, MarketName } from '../markets/market.ts';
import { fillKind, notional, yesPrice } from '../markets/recent-trade.ts';
import { count } from '../numbers.ts';

/** A trade from the point of view of one of its two orders: `outcome`, `side` and `price` are that order's. */
export const Fill = answer('Fill', {
  id: same(z.string(), 'The id of the trade, the same for both of its sides, and of its event in the journal.'),
  marketId: same(z.string()),
  seq: same(count, 'The journal sequence of the trade.'),
  outcome: same(outcome),
  side: same(side),
  price: units('priceUnits', "Dollars a share, in the terms of the order's outcome."),
  yesPrice,
  quantity: same(count),
  notional: notional('price × quantity: the dollars that a buyer paid or a seller received.'),
  kind: same(fillKind),
  createdAt: time('createdAt'),
  market: object(MarketName),
  orderId: same(z.string(), "The id of the account's own order."),
  role: same(
    z.enum(['maker', 'taker']),
    '`maker`: the order rested in the book. `taker`: the order met a resting one.',
  ),
});

export type FillView = ViewOf<typeof Fill>;
export type FillBody = BodyOf<typeof Fill>;
