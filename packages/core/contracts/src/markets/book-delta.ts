import { z } from 'zod';
import { answer, same, time, units } from '../answer.ts';
import type { BodyOf } from '../answer.ts';
import { count } from '../numbers.ts';

/** A change of one price level of a book, in YES terms. */
export const BookDelta = answer('BookDelta', {
  seq: same(count, 'The journal sequence of the last event of the decision that changed it.'),
  ts: time('at'),
  side: same(z.enum(['bid', 'ask']), 'The side of the book in YES terms.'),
  price: units('priceUnits', 'The price of the level in YES terms.'),
  quantity: same(count, 'The shares that rest at this price now; 0: the level is gone.'),
});

export type BookDeltaBody = BodyOf<typeof BookDelta>;
