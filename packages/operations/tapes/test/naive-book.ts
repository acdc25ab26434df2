import { MICROS_PER_SHARE } from '../src/index.ts';
import type { BookSide, TapeEvent } from '../src/index.ts';

/** A book without anything of ours: hundredths of shares by cents. */
export interface NaiveBook {
  readonly bid: Map<number, number>;
  readonly ask: Map<number, number>;
}

export const empty = (): NaiveBook => ({ bid: new Map(), ask: new Map() });
/** Both sides, the best level first. */
export const sorted = ({ ask, bid }: NaiveBook) => [
  [...bid].sort(([a], [b]) => b - a),
  [...ask].sort(([a], [b]) => a - b),
];

/** The neutral events, folded without TapeBook. */
export function foldOf(events: readonly TapeEvent[], after: (book: NaiveBook, event: TapeEvent) => void): NaiveBook {
  const book = empty();
  const set = (side: BookSide, priceUnits: number, sizeMicros: number): void => {
    const hundredths = sizeMicros / (MICROS_PER_SHARE / 100);
    if (hundredths === 0) book[side].delete(priceUnits / 100);
    else book[side].set(priceUnits / 100, hundredths);
  };
  for (const event of events) {
    if (event.kind === 'levels') {
      book.bid.clear();
      book.ask.clear();
      for (const level of event.bids) set('bid', level.priceUnits, level.sizeMicros);
      for (const level of event.asks) set('ask', level.priceUnits, level.sizeMicros);
    } else if (event.kind === 'level') {
      set(event.side, event.priceUnits, event.sizeMicros);
    } else if (event.kind === 'trade' && event.taker !== null) {
      const side = event.taker === 'yes' ? 'ask' : 'bid';
      const before = (book[side].get(event.priceUnits / 100) ?? 0) * (MICROS_PER_SHARE / 100);
      set(side, event.priceUnits, event.levelAfterMicros ?? Math.max(0, before - event.sizeMicros));
    }
    after(book, event);
  }
  return book;
}
