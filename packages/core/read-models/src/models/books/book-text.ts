/** A level: price in YES terms in units, shares, orders. */
export type LevelText = readonly [number, number, number];

/** A whole book as JSON, as `market_history` holds it: bids and asks, each sorted by price. */
export type BookText = readonly [bids: readonly LevelText[], asks: readonly LevelText[]];

/** A market's whole book is stored with every 500th of its events. */
export const BOOK_EVERY = 500;

export function bookText(...book: BookText): string {
  return JSON.stringify(book);
}

export function parseBookText(text: string): BookText {
  return JSON.parse(text) as BookText;
}
