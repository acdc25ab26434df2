import { inOwnTerms } from '@paper/exchange/vocabulary';
import type { Outcome } from '@paper/exchange/vocabulary';
import { sharesMoved, sideTakenBy, TapeBook, wholeShares } from '@paper/tapes';
import type { BookSide, LevelEvent, LevelsEvent, TradeEvent } from '@paper/tapes';
import type { PlayedExchange } from '../playing.ts';
import type { House } from './house.ts';

interface Resting {
  readonly id: string;
  /** The remaining shares when the mirror last checked, before later trades of `flow`. */
  remaining: number;
}

interface MirroredLevel {
  readonly side: BookSide;
  readonly priceUnits: number;
  /** The shares of the tape's level that participants took. */
  consumed: number;
  orders: Resting[];
}

/**
 * Shows one market of a tape in the exchange: the account `mirror` rests the book, and the account `flow` trades. At
 * each price the mirror rests the tape's shares, minus those that participants took. If it rests less, it adds an order
 * at the end of the queue. If it rests more, it lowers or cancels its newest orders first, so that participants never
 * gain a place from the withdrawals of others: the most pessimistic model of a queue.
 */
export class MirroredMarket {
  readonly #book = new TapeBook();
  readonly #levels = new Map<string, MirroredLevel>();

  constructor(
    private readonly id: string,
    private readonly exchange: PlayedExchange,
    private readonly mirror: House,
    private readonly flow: House,
  ) {}

  skip(event: LevelEvent | LevelsEvent | TradeEvent): void {
    this.#book.apply(event);
  }

  async show(): Promise<void> {
    for (const side of ['bid', 'ask'] as const) {
      for (const { priceUnits } of this.#book.levels(side)) await this.#set(side, priceUnits);
    }
  }

  async play(event: LevelEvent | LevelsEvent | TradeEvent): Promise<void> {
    const touched = event.kind === 'trade' ? await this.#trade(event) : [];
    const changes = this.#book.apply(event);
    for (const { priceUnits, side } of changes) await this.#set(side, priceUnits);
    for (const { priceUnits, side } of touched) await this.#set(side, priceUnits);
  }

  get #trades(): boolean {
    return this.exchange.state().markets.get(this.id)?.phase === 'active';
  }

  /** Plays a trade's order of the account `flow`. Returns the mirror's levels from which the trade took shares. */
  async #trade(event: TradeEvent): Promise<readonly MirroredLevel[]> {
    const { priceUnits, taker } = event;
    if (taker === null || !this.#trades) return [];
    const moved = sharesMoved(event, this.#book.sizeAt(sideTakenBy(taker), priceUnits));
    if (moved === 0) return [];
    const placed = await this.flow.buy(this.id, taker, inOwnTerms(taker, priceUnits), moved, 'IOC');
    const touched = new Set<MirroredLevel>();
    for (const fill of placed?.fills ?? []) {
      if (fill.makerAccountId !== this.mirror.accountId) continue;
      const level = this.#levels.get(keyOf(sideTakenBy(taker), fill.yesPriceUnits));
      const order = level?.orders.find(({ id }) => id === fill.makerOrderId);
      if (level === undefined || order === undefined) throw new Error(`the mirror has no order ${fill.makerOrderId}`);
      order.remaining -= fill.quantity;
      touched.add(level);
    }
    return [...touched];
  }

  async #set(side: BookSide, priceUnits: number): Promise<void> {
    if (!this.#trades) return;
    const key = keyOf(side, priceUnits);
    const level = this.#levels.get(key) ?? { consumed: 0, orders: [], priceUnits, side };
    this.#countTaken(level);
    const size = wholeShares(this.#book.sizeAt(side, priceUnits));
    level.consumed = Math.min(level.consumed, size);
    const rests = level.orders.reduce((sum, { remaining }) => sum + remaining, 0);
    const missing = size - level.consumed - rests;
    if (missing < 0) await this.#withdraw(level, -missing);
    if (missing > 0) await this.#add(level, missing);
    if (size === 0) this.#levels.delete(key);
    else this.#levels.set(key, level);
  }

  /** Between the mirror's own commands and those of `flow`, only participants take from the mirror's orders. */
  #countTaken(level: MirroredLevel): void {
    const { orders } = this.exchange.state();
    for (const order of level.orders) {
      const remaining = orders.get(order.id)?.remaining ?? 0;
      level.consumed += order.remaining - remaining;
      order.remaining = remaining;
    }
    level.orders = level.orders.filter(({ remaining }) => remaining > 0);
  }

  async #withdraw(level: MirroredLevel, shares: number): Promise<void> {
    for (let left = shares; left > 0;) {
      const newest = level.orders.at(-1);
      if (newest === undefined) throw new Error(`the mirror rests less than ${shares} shares`);
      if (newest.remaining <= left) {
        await this.mirror.cancel(newest.id);
        level.orders.pop();
        left -= newest.remaining;
      } else {
        const total = this.exchange.state().orders.get(newest.id)?.quantity ?? 0;
        await this.mirror.lower(newest.id, total - left);
        newest.remaining -= left;
        left = 0;
      }
    }
  }

  /** Adds an order at the end of the queue. Shares that it takes at once are participants', and stay taken. */
  async #add(level: MirroredLevel, shares: number): Promise<void> {
    const outcome: Outcome = level.side === 'bid' ? 'yes' : 'no';
    const placed = await this.mirror.buy(this.id, outcome, inOwnTerms(outcome, level.priceUnits), shares, 'GTC');
    if (placed === null) return;
    level.consumed += placed.fills.reduce((sum, { quantity }) => sum + quantity, 0);
    if (placed.rested > 0) level.orders.push({ id: placed.orderId, remaining: placed.rested });
  }
}

const keyOf = (side: BookSide, priceUnits: number): string => `${side} ${priceUnits}`;
