import { PRICE_UNITS_MAX, PRICE_UNITS_MIN } from '@paper/exchange';
import type { Outcome } from '@paper/exchange/vocabulary';
import type { ChangeMessage, LevelsMessage, TradeMessage } from './format.ts';
import type { Entry } from './join-trades.ts';
import { MICROS_PER_SHARE } from './sizes.ts';
import type { SkipReason } from './skips.ts';
import { bestFirst, TapeBook } from './tape-book.ts';
import { sideTakenBy } from './tape-event.ts';
import type { BookSide, Level, SidedLevel, TapeEvent } from './tape-event.ts';

/** Trades, by how their sides and levels were found. */
export interface TradeCounts {
  /** Trades with their message about the decrease of a level. */
  joined: number;
  /** Trades without such a message, which decrease the level themselves. */
  alone: number;
  /** Trades without a taker's side whose price is the best of one side, from which the taker's side follows. */
  inferred: number;
  /** Trades without a taker's side, at neither best price. */
  noSide: number;
}

/** The ladder for tapes without books: ticks on each side, and the size of each. */
const LADDER_TICKS = 5;
const LADDER_MICROS = 100 * MICROS_PER_SHARE;

/** Converts one market's messages to events. A level that would cross the other side is kept back until it does not. */
export class MarketBook {
  /** The book as the tape says, with the levels that are kept back. */
  #said = new TapeBook();
  readonly #shown = new TapeBook();
  /** The levels that are kept back, the oldest first. */
  readonly #kept = new Map<string, { readonly side: BookSide; readonly priceUnits: number }>();
  #lastUnits: number | null = null;

  constructor(
    private readonly counts: TradeCounts,
    private readonly onSkip: (reason: SkipReason, entry: Entry) => void,
  ) {}

  /** Twice the midpoint; null if a side is empty. */
  midpointHalfUnits(): number | null {
    const [bid, ask] = [this.#shown.best('bid'), this.#shown.best('ask')];
    return bid === null || ask === null ? null : bid + ask;
  }

  *levels(entry: Entry<LevelsMessage>): Generator<TapeEvent> {
    const { asks, bids } = entry.message;
    const said: readonly SidedLevel[] = [
      ...bestFirst('bid', bids).map((level) => ({ ...level, side: 'bid' as const })),
      ...bestFirst('ask', asks).map((level) => ({ ...level, side: 'ask' as const })),
    ];
    this.#said = new TapeBook();
    this.#kept.clear();
    const shown = new TapeBook();
    for (const { priceUnits, side, sizeMicros } of said) {
      this.#said.set(side, priceUnits, sizeMicros);
      if (shown.crosses(side, priceUnits)) this.#keepBack(side, priceUnits, entry);
      else shown.set(side, priceUnits, sizeMicros);
    }
    yield* this.#show({ kind: 'levels', ...at(entry), bids: shown.levels('bid'), asks: shown.levels('ask') });
  }

  *change(entry: Entry<ChangeMessage>): Generator<TapeEvent> {
    const { deltaMicros, priceUnits, side } = entry.message;
    const after = this.#said.sizeAt(side, priceUnits) + deltaMicros;
    if (after < 0) this.onSkip('below_zero', entry);
    else yield* this.#set(entry, side, priceUnits, after);
  }

  *trade(entry: Entry<TradeMessage>): Generator<TapeEvent> {
    const { priceUnits, sizeMicros } = entry.message;
    const taker = this.#takerOf(entry, this.#touched(priceUnits, entry.joined));
    const side = entry.joined ?? (taker === null ? null : sideTakenBy(taker));
    const before = side === null ? 0 : this.#said.sizeAt(side, priceUnits);
    const isJoined = entry.joined !== null && before >= sizeMicros;
    if (entry.joined !== null && !isJoined) this.onSkip('below_zero', entry);
    this.counts[isJoined ? 'joined' : 'alone'] += 1;
    const after = Math.max(0, before - sizeMicros);
    if (taker === null && side !== null) {
      yield* this.#set(entry, side, priceUnits, after);
      return;
    }
    const isShown = side !== null && this.#shown.sizeAt(side, priceUnits) > 0;
    const levelAfterMicros = isJoined && isShown ? after : null;
    yield* this.#show({ kind: 'trade', ...at(entry), priceUnits, sizeMicros, taker, levelAfterMicros });
    if (side === null) return;
    this.#said.set(side, priceUnits, after);
    if (after === 0) yield* this.#release(entry, side, priceUnits);
  }

  /** Plays a trade of a tape without levels, and sets the ladder around its price for the next one. */
  *tradeOnLadder(entry: Entry<TradeMessage>, tickUnits: number): Generator<TapeEvent> {
    const { priceUnits, sizeMicros } = entry.message;
    const last = this.#lastUnits ?? priceUnits;
    const touched = priceUnits === last ? null : priceUnits > last ? 'ask' : 'bid';
    const taker = this.#takerOf(entry, touched);
    this.counts.alone += 1;
    this.#lastUnits = priceUnits;
    yield* this.#show({ kind: 'trade', ...at(entry), priceUnits, sizeMicros, taker, levelAfterMicros: null });
    const rungs = (towards: 1 | -1): readonly Level[] =>
      Array.from({ length: LADDER_TICKS }, (_, rung) => priceUnits + towards * (rung + 1) * tickUnits)
        .filter((price) => price >= PRICE_UNITS_MIN && price <= PRICE_UNITS_MAX)
        .map((price) => ({ priceUnits: price, sizeMicros: LADDER_MICROS }));
    yield* this.#show({ kind: 'levels', ...at(entry), bids: rungs(-1), asks: rungs(1) });
  }

  /** The side whose best price a trade has. A trade with the decrease of a level can only have that level's side. */
  #touched(priceUnits: number, joined: BookSide | null): BookSide | null {
    const [bid, ask] = [this.#shown.best('bid'), this.#shown.best('ask')];
    if (joined !== null) return this.#shown.best(joined) === priceUnits ? joined : null;
    if (ask !== null && priceUnits >= ask) return 'ask';
    return bid !== null && priceUnits <= bid ? 'bid' : null;
  }

  #takerOf({ message }: Entry<TradeMessage>, touched: BookSide | null): Outcome | null {
    if (message.taker !== null) return message.taker;
    this.counts[touched === null ? 'noSide' : 'inferred'] += 1;
    return touched === null ? null : touched === 'ask' ? 'yes' : 'no';
  }

  *#set(entry: Entry, side: BookSide, priceUnits: number, sizeMicros: number): Generator<TapeEvent> {
    const before = this.#said.sizeAt(side, priceUnits);
    this.#said.set(side, priceUnits, sizeMicros);
    if (sizeMicros === 0) {
      if (this.#kept.delete(keyOf(side, priceUnits))) return;
      if (before === 0) return;
      yield* this.#show({ kind: 'level', ...at(entry), side, priceUnits, sizeMicros });
      yield* this.#release(entry, side, priceUnits);
    } else if (this.#shown.sizeAt(side, priceUnits) > 0 || !this.#shown.crosses(side, priceUnits)) {
      if (sizeMicros !== before) yield* this.#show({ kind: 'level', ...at(entry), side, priceUnits, sizeMicros });
    } else {
      this.#keepBack(side, priceUnits, entry);
    }
  }

  #keepBack(side: BookSide, priceUnits: number, entry: Entry): void {
    const key = keyOf(side, priceUnits);
    if (!this.#kept.has(key)) this.onSkip('crossed', entry);
    this.#kept.set(key, { side, priceUnits });
  }

  /** Shows the other side's levels that the removed one had kept back. */
  *#release(entry: Entry, side: BookSide, priceUnits: number): Generator<TapeEvent> {
    this.#kept.delete(keyOf(side, priceUnits));
    for (const [key, kept] of this.#kept) {
      if (kept.side === side || this.#shown.crosses(kept.side, kept.priceUnits)) continue;
      this.#kept.delete(key);
      const sizeMicros = this.#said.sizeAt(kept.side, kept.priceUnits);
      yield* this.#show({ kind: 'level', ...at(entry), ...kept, sizeMicros });
    }
  }

  *#show(event: TapeEvent): Generator<TapeEvent> {
    this.#shown.apply(event);
    yield event;
  }
}

const at = ({ atMs, market }: Entry) => ({ atMs, market });
const keyOf = (side: BookSide, priceUnits: number): string => `${side} ${priceUnits}`;
