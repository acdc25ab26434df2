import { z } from 'zod';
import { count, money } from './numbers.ts';
import { timestamp } from './text.ts';
import { dollars, iso } from './units.ts';

/** A change of one level of a book, which is in YES terms. */
export const BookDelta = z
  .strictObject({
    seq: count.meta({ description: 'The journal sequence of the last event of the decision that changed it.' }),
    ts: timestamp,
    side: z.enum(['bid', 'ask']).meta({ description: 'The side of the book in YES terms.' }),
    price: money.meta({ description: 'The price of the level in YES terms.' }),
    quantity: count.meta({ description: 'The shares that rest at this price now; 0: the level is gone.' }),
  })
  .meta({ id: 'BookDelta' });

export type BookDeltaBody = z.output<typeof BookDelta>;

/** In units and milliseconds. */
export interface BookDeltaView {
  readonly seq: number;
  readonly at: number;
  readonly side: 'bid' | 'ask';
  readonly priceUnits: number;
  readonly quantity: number;
}

export function bookDeltaBody({ at, priceUnits, quantity, seq, side }: BookDeltaView): BookDeltaBody {
  return { seq, ts: iso(at), side, price: dollars(priceUnits), quantity };
}
