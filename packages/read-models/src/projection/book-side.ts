import { PriceSet } from '@paper/exchange';
import type { LevelText } from '../as-of/book-text.ts';

export interface BookLevel {
  readonly quantity: number;
  readonly orders: number;
}

const EMPTY_LEVEL: BookLevel = { quantity: 0, orders: 0 };
/** Prices are below 10,000 units. */
const PRICES = 10_000;

/** One side of a market's book in YES terms, aggregated by price level. */
export class BookSide {
  /** Prices whose level has changed since they were last written. */
  readonly changed = new Set<number>();
  #last: number | null = null;
  readonly #levels = new Map<number, BookLevel>();
  readonly #prices = new PriceSet(PRICES);

  constructor(private readonly side: 'bid' | 'ask') {}

  /** The highest bid or the lowest ask; null when there is none. */
  get best(): number | null {
    const price = this.side === 'bid' ? this.#prices.highest() : this.#prices.lowest();
    return price === -1 ? null : price;
  }

  level(price: number): BookLevel {
    return this.#levels.get(price) ?? EMPTY_LEVEL;
  }

  /** @throws RangeError when more is taken from a level than stands there. */
  change(price: number, quantity: number, orders: number): void {
    const before = this.level(price);
    const after = { quantity: before.quantity + quantity, orders: before.orders + orders };
    if (after.quantity < 0 || after.orders < 0 || (after.quantity === 0) !== (after.orders === 0)) {
      throw new RangeError(
        `the ${this.side} level at ${price} would hold ${after.quantity} shares of ${after.orders} orders`,
      );
    }
    if (after.orders === 0) {
      this.#levels.delete(price);
      this.#prices.clear(price);
    } else {
      this.#levels.set(price, after);
      this.#prices.set(price);
    }
    this.changed.add(price);
    this.#last = price;
  }

  /** The price whose level has changed last since this was asked; null: none has. */
  takeLast(): number | null {
    const price = this.#last;
    this.#last = null;
    return price;
  }

  /** Price, quantity and orders of every level, by price. */
  levels(): readonly LevelText[] {
    return [...this.#levels]
      .map(([price, { quantity, orders }]): LevelText => [price, quantity, orders])
      .sort(([a], [b]) => a - b);
  }

  /** Takes in what is written already. */
  load(price: number, level: BookLevel): void {
    this.#levels.set(price, level);
    this.#prices.set(price);
  }
}
