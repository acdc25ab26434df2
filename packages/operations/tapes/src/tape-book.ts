import { PriceSet } from '@paper/exchange';
import { SHARE_UNITS } from '@paper/exchange/vocabulary';
import { sideTakenBy } from './tape-event.ts';
import type { BookSide, Level, SidedLevel, TapeEvent } from './tape-event.ts';

const SIDES = ['bid', 'ask'] as const;

/** The book of one market after the events that were applied to it. */
export class TapeBook {
  readonly #sizes: Readonly<Record<BookSide, Map<number, number>>> = { bid: new Map(), ask: new Map() };
  readonly #prices = { bid: new PriceSet(SHARE_UNITS), ask: new PriceSet(SHARE_UNITS) };

  /** Applies an event. Returns the changed levels: removed, smaller, larger; bids before asks, the best first. */
  apply(event: TapeEvent): readonly SidedLevel[] {
    const changes = this.#changesOf(event);
    for (const { priceUnits, side, sizeMicros } of changes) this.set(side, priceUnits, sizeMicros);
    return changes;
  }

  set(side: BookSide, priceUnits: number, sizeMicros: number): void {
    if (sizeMicros === 0) {
      this.#sizes[side].delete(priceUnits);
      this.#prices[side].clear(priceUnits);
    } else {
      this.#sizes[side].set(priceUnits, sizeMicros);
      this.#prices[side].set(priceUnits);
    }
  }

  sizeAt(side: BookSide, priceUnits: number): number {
    return this.#sizes[side].get(priceUnits) ?? 0;
  }

  best(side: BookSide): number | null {
    const best = side === 'bid' ? this.#prices.bid.highest() : this.#prices.ask.lowest();
    return best === -1 ? null : best;
  }

  crosses(side: BookSide, priceUnits: number): boolean {
    const other = this.best(side === 'bid' ? 'ask' : 'bid');
    return other !== null && (side === 'bid' ? priceUnits >= other : priceUnits <= other);
  }

  levels(side: BookSide): readonly Level[] {
    return bestFirst(
      side,
      [...this.#sizes[side]].map(([priceUnits, sizeMicros]) => ({ priceUnits, sizeMicros })),
    );
  }

  #changesOf(event: TapeEvent): readonly SidedLevel[] {
    if (event.kind === 'level') return [event];
    if (event.kind === 'levels') return this.#changesTo({ ask: event.asks, bid: event.bids });
    if (event.kind !== 'trade' || event.taker === null) return [];
    const { levelAfterMicros, priceUnits, sizeMicros } = event;
    const side = sideTakenBy(event.taker);
    const after = levelAfterMicros ?? Math.max(0, this.sizeAt(side, priceUnits) - sizeMicros);
    return [{ priceUnits, side, sizeMicros: after }];
  }

  #changesTo(target: Readonly<Record<BookSide, readonly Level[]>>): readonly SidedLevel[] {
    const [vanished, less, more]: readonly [SidedLevel[], SidedLevel[], SidedLevel[]] = [[], [], []];
    for (const side of SIDES) {
      const kept = new Set(target[side].map(({ priceUnits }) => priceUnits));
      for (const { priceUnits } of this.levels(side)) {
        if (!kept.has(priceUnits)) vanished.push({ priceUnits, side, sizeMicros: 0 });
      }
      for (const level of target[side]) {
        const before = this.sizeAt(side, level.priceUnits);
        if (level.sizeMicros !== before) (level.sizeMicros < before ? less : more).push({ ...level, side });
      }
    }
    return [...vanished, ...less, ...more];
  }
}

export const bestFirst = (side: BookSide, levels: readonly Level[]): Level[] =>
  levels.toSorted((a, b) => (side === 'bid' ? b.priceUnits - a.priceUnits : a.priceUnits - b.priceUnits));
