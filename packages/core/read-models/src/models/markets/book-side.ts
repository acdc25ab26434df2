import type { LevelView } from '@paper/contracts/markets';
import { PriceSet } from '@paper/exchange';
import type { LevelText } from '../books/book-text.ts';

/** The number of prices: all are below 10,000 units. */
const PRICES = 10_000;

type Level = { -readonly [K in keyof LevelView]: LevelView[K] } & { isTaken: boolean };

/** The bids or the asks of a market's book in YES terms, aggregated by price level. */
export class BookSide {
  /** Levels by price. An emptied level stays until its change is taken. */
  readonly #levels = new Map<number, Level>();
  #changed: Level[] = [];
  #last: Level | null = null;
  #left: Level | null = null;
  readonly #prices = new PriceSet(PRICES);

  constructor(private readonly side: 'bid' | 'ask') {}

  /** The highest bid or the lowest ask; null when there is none. */
  get bestUnits(): number | null {
    const priceUnits = this.side === 'bid' ? this.#prices.highest() : this.#prices.lowest();
    return priceUnits === -1 ? null : priceUnits;
  }

  /** The level at a price. The returned object changes with the book. */
  level(priceUnits: number): LevelView {
    return this.#levels.get(priceUnits) ?? { priceUnits, quantity: 0, orders: 0 };
  }

  /** @throws RangeError when the change would take more from a level than it has. */
  change(priceUnits: number, quantity: number, orders: number): void {
    const level = this.#levels.get(priceUnits) ?? { priceUnits, quantity: 0, orders: 0, isTaken: true };
    const after = { quantity: level.quantity + quantity, orders: level.orders + orders };
    if (after.quantity < 0 || after.orders < 0 || (after.quantity === 0) !== (after.orders === 0)) {
      throw new RangeError(
        `the ${this.side} level at ${priceUnits} would hold ${after.quantity} shares of ${after.orders} orders`,
      );
    }
    if (level.orders === 0) this.#add(level);
    level.quantity = after.quantity;
    level.orders = after.orders;
    if (after.orders === 0) this.#prices.clear(priceUnits);
    if (level.isTaken) {
      level.isTaken = false;
      this.#changed.push(level);
    }
    if (this.#last !== null && this.#last !== level) this.#left = this.#last;
    this.#last = level;
  }

  /** The level that changed last since the previous call; null if none has. */
  takeLast(): LevelView | null {
    const level = this.#last;
    this.#last = null;
    return level;
  }

  /** The level that changed before the last one since the previous call; null if at most one has changed. */
  takeLeft(): LevelView | null {
    const level = this.#left;
    this.#left = null;
    return level;
  }

  /** The levels that have changed since the previous call. */
  takeChanged(): readonly LevelView[] {
    const changed = this.#changed;
    this.#changed = [];
    for (const level of changed) {
      level.isTaken = true;
      if (level.orders === 0) this.#levels.delete(level.priceUnits);
    }
    return changed;
  }

  /** Price, quantity and orders of every level, by price. */
  levels(): readonly LevelText[] {
    return [...this.#levels.values()]
      .filter(({ orders }) => orders > 0)
      .map(({ priceUnits, quantity, orders }): LevelText => [priceUnits, quantity, orders])
      .sort(([a], [b]) => a - b);
  }

  /** Loads the levels that are already written. */
  load(level: LevelView): void {
    this.#add({ ...level, isTaken: true });
  }

  #add(level: Level): void {
    this.#levels.set(level.priceUnits, level);
    this.#prices.set(level.priceUnits);
  }
}
