/** Price in YES terms in units, shares, orders. */
export type LevelText = readonly [number, number, number];

/** A whole book as `market_history` holds it, in JSON: bids and asks, each by price. */
export type BookText = readonly [bids: readonly LevelText[], asks: readonly LevelText[]];

/** The number of a market's events between two that store its whole book. */
export const BOOK_EVERY = 500;

export function bookText(...book: BookText): string {
  return JSON.stringify(book);
}

export function parseBookText(text: string): BookText {
  return JSON.parse(text) as BookText;
}
