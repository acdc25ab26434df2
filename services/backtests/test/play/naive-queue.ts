import { MICROS_PER_SHARE, wholeShares } from '@paper/tapes';
import type { BookSide, TapeEvent } from '@paper/tapes';
import { NaiveTape } from './played-tape.ts';

interface Waiting {
  readonly owner: string;
  shares: number;
}

interface Taken {
  readonly owner: string;
  readonly priceUnits: number;
  readonly shares: number;
}

const other = (side: BookSide): BookSide => (side === 'bid' ? 'ask' : 'bid');
const sideTaken = (taker: 'yes' | 'no'): BookSide => (taker === 'yes' ? 'ask' : 'bid');

/** One market's queues as lists: the rules of a backtest in the fewest words. `mirror` owns what the tape rests. */
export class NaiveQueue {
  readonly tape = new NaiveTape();
  readonly #queues = { ask: new Map<number, Waiting[]>(), bid: new Map<number, Waiting[]>() };
  readonly #consumed = { ask: new Map<number, number>(), bid: new Map<number, number>() };

  play(event: TapeEvent): void {
    if (event.kind === 'news' || event.kind === 'outcome') return;
    const { market } = event;
    const before = { ask: new Map(this.tape.side(market, 'ask')), bid: new Map(this.tape.side(market, 'bid')) };
    this.tape.apply(event);
    const sizeOf = (side: BookSide, price: number): number => this.tape.side(market, side).get(price) ?? 0;
    const set = (side: BookSide, price: number): void => this.#set(side, price, wholeShares(sizeOf(side, price)));
    if (event.kind === 'level') {
      set(event.side, event.priceUnits);
    } else if (event.kind === 'trade' && event.taker !== null) {
      const side = sideTaken(event.taker);
      const { levelAfterMicros, priceUnits, sizeMicros } = event;
      const had = wholeShares(before[side].get(priceUnits) ?? 0);
      const shares = levelAfterMicros === null ? wholeShares(sizeMicros) : had - wholeShares(levelAfterMicros);
      const taken = this.#take('flow', side, priceUnits, shares);
      set(side, priceUnits);
      for (const { owner, priceUnits: price } of taken) if (owner === 'mirror') set(side, price);
    } else if (event.kind === 'levels') {
      const changes = (['bid', 'ask'] as const).flatMap((side) =>
        [...new Set([...before[side].keys(), ...this.tape.side(market, side).keys()])]
          .sort((a, b) => (side === 'bid' ? b - a : a - b))
          .map((price) => ({ from: before[side].get(price) ?? 0, price, side, to: sizeOf(side, price) })),
      );
      const rank = ({ from, to }: { from: number; to: number }): number => (to === 0 ? 0 : to < from ? 1 : 2);
      for (const wanted of [0, 1, 2]) {
        for (const change of changes) if (rank(change) === wanted) set(change.side, change.price);
      }
    }
  }

  /** A participant's order, by its price for YES. */
  order(owner: string, side: BookSide, priceUnits: number, shares: number, rests: boolean): void {
    const taken = this.#take(owner, other(side), priceUnits, shares);
    for (const fill of taken) {
      if (fill.owner === 'mirror') this.#addConsumed(other(side), fill.priceUnits, fill.shares);
    }
    const left = shares - taken.reduce((sum, fill) => sum + fill.shares, 0);
    const meetsOwn = this.#best(other(side), priceUnits)?.[1][0]?.owner === owner;
    if (left > 0 && rests && !meetsOwn) this.#queue(side, priceUnits).push({ owner, shares: left });
  }

  /** Takes a participant's orders at a price out of the queue. */
  cancel(owner: string, side: BookSide, priceUnits: number): void {
    const queue = this.#queue(side, priceUnits);
    this.#queues[side].set(
      priceUnits,
      queue.filter((waiting) => waiting.owner !== owner),
    );
  }

  /** Each price with who waits there, the first first; what the mirror has in a row is one. */
  lines(): readonly string[] {
    return (['bid', 'ask'] as const).flatMap((side) =>
      [...this.#queues[side]]
        .filter(([, queue]) => queue.length > 0)
        .sort(([a], [b]) => a - b)
        .map(([price, queue]) => queueLine(side, price, queue)),
    );
  }

  #set(side: BookSide, price: number, size: number): void {
    const consumed = Math.min(this.#consumed[side].get(price) ?? 0, size);
    this.#consumed[side].set(price, consumed);
    const queue = this.#queue(side, price);
    const rests = queue.reduce((sum, { owner, shares }) => sum + (owner === 'mirror' ? shares : 0), 0);
    let excess = rests - (size - consumed);
    for (const waiting of queue.toReversed()) {
      if (waiting.owner !== 'mirror' || excess <= 0) continue;
      const gone = Math.min(excess, waiting.shares);
      waiting.shares -= gone;
      excess -= gone;
    }
    this.#queues[side].set(
      price,
      queue.filter(({ shares }) => shares > 0),
    );
    if (excess >= 0) return;
    const taken = this.#take('mirror', other(side), price, -excess).reduce((sum, { shares }) => sum + shares, 0);
    this.#addConsumed(side, price, taken);
    if (-excess > taken) this.#queue(side, price).push({ owner: 'mirror', shares: -excess - taken });
  }

  /** Takes from the best of a side on, the first first, until the price or an own order. */
  #take(owner: string, side: BookSide, limit: number, shares: number): readonly Taken[] {
    const taken: Taken[] = [];
    let left = shares;
    for (let best = this.#best(side, limit); best !== null && left > 0; best = this.#best(side, limit)) {
      const [priceUnits, queue] = best;
      const first = queue[0];
      if (first === undefined || first.owner === owner) break;
      const filled = Math.min(left, first.shares);
      taken.push({ owner: first.owner, priceUnits, shares: filled });
      first.shares -= filled;
      left -= filled;
      if (first.shares === 0) queue.shift();
    }
    return taken;
  }

  #best(side: BookSide, limit: number): readonly [number, Waiting[]] | null {
    const reached = [...this.#queues[side]].filter(
      ([price, queue]) => queue.length > 0 && (side === 'ask' ? price <= limit : price >= limit),
    );
    return reached.sort(([a], [b]) => (side === 'ask' ? a - b : b - a))[0] ?? null;
  }

  #queue(side: BookSide, price: number): Waiting[] {
    const queue = this.#queues[side].get(price) ?? [];
    this.#queues[side].set(price, queue);
    return queue;
  }

  #addConsumed(side: BookSide, price: number, shares: number): void {
    this.#consumed[side].set(price, (this.#consumed[side].get(price) ?? 0) + shares);
  }
}

export function queueLine(side: BookSide, price: number, queue: readonly Waiting[]): string {
  const merged: Waiting[] = [];
  for (const { owner, shares } of queue) {
    const last = merged.at(-1);
    if (last?.owner === owner && owner === 'mirror') last.shares += shares;
    else merged.push({ owner, shares });
  }
  return `${side} ${price}: ${merged.map(({ owner, shares }) => `${owner} ${shares}`).join(', ')}`;
}

/** Shares that may have a part. */
export const micros = (shares: number): number => Math.round(shares * MICROS_PER_SHARE);
