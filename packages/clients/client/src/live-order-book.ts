import type { BookDelta, OrderBook, RecentTrade } from './generated/api.ts';

/** An event of a market's order book. A snapshot has every level, and replaces the book. */
export type OrderBookEvent<D = number> = (
  | (OrderBook<D> & { readonly type: 'snapshot' })
  | (BookDelta<D> & { readonly type: 'delta' })
  | (RecentTrade<D> & { readonly type: 'trade' })
) & {
  /** Whether this is the first event after a connection was lost. Nothing is missing before it. */
  readonly resumed: boolean;
};

/** A level of a book. */
export interface BookLevel<D = number> {
  readonly price: D;
  readonly quantity: number;
}

/** A market's book in YES terms, built from the events of `watchOrderBook`. */
export class LiveOrderBook<D = number> {
  readonly #bids = new Map<D, number>();
  readonly #asks = new Map<D, number>();
  #seq = 0;

  /** The journal sequence of the last decision that changed the book. */
  get seq(): number {
    return this.#seq;
  }

  get bids(): readonly BookLevel<D>[] {
    return levelsOf(this.#bids, -1);
  }

  get asks(): readonly BookLevel<D>[] {
    return levelsOf(this.#asks, 1);
  }

  apply(event: OrderBookEvent<D>): void {
    // A delta has the sequence of its decision's last event. A trade has the sequence of its own event, which is lower.
    if (event.type !== 'trade') this.#seq = event.seq;
    if (event.type === 'snapshot') {
      reset(this.#bids, event.yes.bids);
      reset(this.#asks, event.yes.asks);
    } else if (event.type === 'delta') {
      const levels = event.side === 'bid' ? this.#bids : this.#asks;
      if (event.quantity === 0) levels.delete(event.price);
      else levels.set(event.price, event.quantity);
    }
  }
}

function levelsOf<D>(levels: ReadonlyMap<D, number>, sign: number): BookLevel<D>[] {
  return Array.from(levels, ([price, quantity]) => ({ price, quantity })).sort(
    (a, b) => sign * (Number(a.price) - Number(b.price)),
  );
}

function reset<D>(levels: Map<D, number>, to: readonly BookLevel<D>[]): void {
  levels.clear();
  for (const { price, quantity } of to) levels.set(price, quantity);
}
