import { MINUTE_MS } from '@paper/contracts/units';
import { CANDLE_PERIODS } from '@paper/contracts/markets';
import type { MarketListed, OrderFilled, OrderPlaced } from '@paper/exchange/events';
import { NULL, tuple } from './copy-text.ts';

const BOOK_EVERY = 500;
const SPREAD_UNITS_MAX = 1000;

export interface BareLevel {
  quantity: number;
  orders: number;
}

interface BarePosition {
  yesShares: number;
  noShares: number;
  yesCostUnits: number;
  noCostUnits: number;
}

/** One side of a book in YES terms; `sign` is 1 where the highest price is the best one, −1 where the lowest is. */
class BareSide {
  readonly levels = new Map<number, BareLevel>();
  bestUnits: number | null = null;
  /** The price that the last event has changed; null for none. */
  changedUnits: number | null = null;

  constructor(private readonly sign: 1 | -1) {}

  change(priceUnits: number, quantity: number, orders: number): void {
    const level = this.levels.get(priceUnits);
    this.changedUnits = priceUnits;
    if (level === undefined) {
      this.levels.set(priceUnits, { quantity, orders });
      if (this.bestUnits === null || this.#isBetter(priceUnits, this.bestUnits)) this.bestUnits = priceUnits;
      return;
    }
    level.quantity += quantity;
    level.orders += orders;
    if (level.orders > 0) return;
    this.levels.delete(priceUnits);
    if (priceUnits === this.bestUnits) this.#findBest();
  }

  /** The columns of the level that the last event has changed. */
  takeChanged(): string {
    const priceUnits = this.changedUnits;
    if (priceUnits === null) return `${NULL}\t${NULL}\t${NULL}`;
    this.changedUnits = null;
    const { quantity, orders } = this.levels.get(priceUnits) ?? { quantity: 0, orders: 0 };
    return `${priceUnits}\t${quantity}\t${orders}`;
  }

  book(): readonly (readonly number[])[] {
    return [...this.levels]
      .map(([price, { quantity, orders }]) => [price, quantity, orders])
      .sort(([a = 0], [b = 0]) => a - b);
  }

  #isBetter(a: number, b: number): boolean {
    return this.sign * a > this.sign * b;
  }

  #findBest(): void {
    this.bestUnits = null;
    for (const price of this.levels.keys()) {
      if (this.bestUnits === null || this.#isBetter(price, this.bestUnits)) this.bestUnits = price;
    }
  }
}

/** A market as the bare program holds it, and its rows as lines of COPY. */
export class BareMarket {
  readonly bids = new BareSide(1);
  readonly asks = new BareSide(-1);
  readonly positions = new Map<string, BarePosition>();
  volumeShares = 0;
  trades = 0;
  openInterestPairs = 0;
  lastTradeUnits: number | null = null;
  firstFillMinuteMs: number | null = null;
  lastFillMinuteMs: number | null = null;
  minuteMs = -1;
  seq = 0;
  #events = 0;
  #incoming: OrderPlaced | null = null;
  #fillQuantity = 0;
  readonly #open: (number | null)[] = CANDLE_PERIODS.map(() => null);
  readonly #high: (number | null)[] = CANDLE_PERIODS.map(() => null);
  readonly #low: (number | null)[] = CANDLE_PERIODS.map(() => null);

  constructor(
    readonly listed: MarketListed,
    readonly listedSeq: number,
    readonly listedId: string,
  ) {}

  position(accountId: string): BarePosition {
    let position = this.positions.get(accountId);
    if (position === undefined) {
      position = { yesShares: 0, noShares: 0, yesCostUnits: 0, noCostUnits: 0 };
      this.positions.set(accountId, position);
    }
    return position;
  }

  probabilityHalfUnits(): number {
    const [bid, ask] = [this.bids.bestUnits, this.asks.bestUnits];
    if (bid !== null && ask !== null && ask - bid <= SPREAD_UNITS_MAX) return bid + ask;
    return 2 * (this.lastTradeUnits ?? this.listed.priorUnits);
  }

  /** The row of the minute that ends with this event; '' where the event is in the same minute as the last one. */
  enterMinute(minuteMs: number): string {
    if (minuteMs === this.minuteMs) return '';
    const line = this.minuteMs === -1 ? '' : this.minuteLine();
    for (const [index, period] of CANDLE_PERIODS.entries()) {
      const periodMs = period * MINUTE_MS;
      if (Math.floor(minuteMs / periodMs) === Math.floor(this.minuteMs / periodMs)) break;
      this.#open[index] = this.#high[index] = this.#low[index] = null;
    }
    this.minuteMs = minuteMs;
    return line;
  }

  minuteLine(): string {
    const candles = CANDLE_PERIODS.map((_, index) => tuple(this.#open[index], this.#high[index], this.#low[index]));
    const quotes = tuple(this.lastTradeUnits, this.bids.bestUnits, this.asks.bestUnits);
    return (
      `${this.listed.marketId}\t${this.minuteMs}\t${this.volumeShares}\t${this.trades}\t` +
      `${this.probabilityHalfUnits()}\t${quotes}\t${candles.join('\t')}\n`
    );
  }

  /** The history's row after an event. */
  historyLine(seq: number, atMs: number, title: string | null): string {
    this.#events += 1;
    this.seq = seq;
    const book = this.#events % BOOK_EVERY === 0 ? JSON.stringify([this.bids.book(), this.asks.book()]) : NULL;
    const levels = `${this.bids.takeChanged()}\t${this.asks.takeChanged()}\t${NULL}\t${NULL}\t${NULL}`;
    return (
      `${this.listed.marketId}\t${seq}\t${this.#events}\t${atMs}\tactive\t${this.probabilityHalfUnits()}\t` +
      `${this.lastTradeUnits ?? NULL}\t${title ?? NULL}\t${levels}\t${book}\n`
    );
  }

  place(order: OrderPlaced): void {
    this.#incoming = order;
    this.#fillQuantity = order.fillQuantity;
    this.#restIncoming();
  }

  fill(
    { yesPriceUnits, quantity, kind, makerSide, makerOutcome, makerRemaining }: OrderFilled,
    minuteMs: number,
  ): void {
    this.sideOf(makerSide, makerOutcome).change(yesPriceUnits, -quantity, makerRemaining === 0 ? -1 : 0);
    this.volumeShares += quantity;
    this.trades += 1;
    this.lastTradeUnits = yesPriceUnits;
    this.lastFillMinuteMs = minuteMs;
    this.firstFillMinuteMs ??= minuteMs;
    if (kind !== 'transfer') this.openInterestPairs += kind === 'mint' ? quantity : -quantity;
    for (let index = 0; index < CANDLE_PERIODS.length; index += 1) {
      this.#open[index] ??= yesPriceUnits;
      this.#high[index] = Math.max(this.#high[index] ?? yesPriceUnits, yesPriceUnits);
      this.#low[index] = Math.min(this.#low[index] ?? yesPriceUnits, yesPriceUnits);
    }
    this.#fillQuantity -= quantity;
    this.#restIncoming();
  }

  sideOf(side: 'buy' | 'sell', outcome: 'yes' | 'no'): BareSide {
    return (side === 'buy') === (outcome === 'yes') ? this.bids : this.asks;
  }

  #restIncoming(): void {
    const order = this.#incoming;
    if (order === null || this.#fillQuantity > 0) return;
    this.#incoming = null;
    if (order.restQuantity === 0) return;
    const yesPriceUnits = order.outcome === 'yes' ? order.priceUnits : 10_000 - order.priceUnits;
    this.sideOf(order.side, order.outcome).change(yesPriceUnits, order.restQuantity, 1);
  }
}
