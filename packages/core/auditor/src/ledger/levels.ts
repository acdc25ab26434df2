import type { BookMarket } from './ledger.ts';

export interface Level {
  readonly side: 'bid' | 'ask';
  readonly priceUnits: number;
  readonly quantity: number;
  readonly orders: number;
}

/** One side of a book by price, best first. */
export function levelsOf(market: BookMarket, side: 'bid' | 'ask'): Level[] {
  const levels = new Map<number, Level>();
  for (const { remaining, yesPrice: priceUnits } of side === 'bid' ? market.bids : market.asks) {
    const { quantity, orders } = levels.get(priceUnits) ?? { quantity: 0, orders: 0 };
    levels.set(priceUnits, { side, priceUnits, quantity: quantity + remaining, orders: orders + 1 });
  }
  return [...levels.values()];
}
