import type { BookDeltaBody, OrderBookBody, RecentTradeBody } from '@paper/contracts/markets';

/** A price level: dollars, and shares. */
export type LiveLevel = Readonly<Record<'price' | 'quantity', number>>;

/** The book of a market, in terms of YES: a bid for NO at p is an ask of YES at 1 − p. */
export interface LiveBookView {
  readonly marketId: string;
  readonly seq: number;
  /** Highest first. */
  readonly bids: readonly LiveLevel[];
  /** Lowest first. */
  readonly asks: readonly LiveLevel[];
}

export type BookStreamEvent =
  | { readonly type: 'snapshot'; readonly data: SnapshotBody }
  | { readonly type: 'delta'; readonly data: BookDeltaBody }
  | { readonly type: 'trade'; readonly data: RecentTradeBody };

type SnapshotBody = Pick<OrderBookBody, 'marketId' | 'seq'> & Readonly<{ yes: Pick<LiveBookView, 'bids' | 'asks'> }>;

export class LiveBook {
  readonly #levels = { bid: new Map<number, number>(), ask: new Map<number, number>() };
  #marketId = '';
  #seq = 0;
  #view: LiveBookView | null = null;
  #hasSnapshot = false;

  /** Null before the first snapshot; the same object while nothing changes. */
  get view(): LiveBookView | null {
    if (!this.#hasSnapshot) return null;
    this.#view ??= {
      marketId: this.#marketId,
      seq: this.#seq,
      bids: sorted(this.#levels.bid, -1),
      asks: sorted(this.#levels.ask, 1),
    };
    return this.#view;
  }

  /** Applies an event. A delta before the first snapshot, or one that was applied already, changes nothing. */
  apply(event: BookStreamEvent): void {
    if (event.type === 'snapshot') this.#replace(event.data);
    else if (event.type === 'delta' && this.#hasSnapshot) this.#change(event.data);
  }

  #replace({ marketId, seq, yes }: SnapshotBody): void {
    this.#marketId = marketId;
    this.#seq = seq;
    this.#hasSnapshot = true;
    this.#view = null;
    for (const [side, levels] of [['bid', yes.bids] as const, ['ask', yes.asks] as const]) {
      this.#levels[side].clear();
      for (const { price, quantity } of levels) this.#levels[side].set(price, quantity);
    }
  }

  #change({ seq, side, price, quantity }: BookDeltaBody): void {
    // Several deltas of one decision have the same sequence.
    if (seq < this.#seq) return;
    this.#seq = seq;
    this.#view = null;
    if (quantity === 0) this.#levels[side].delete(price);
    else this.#levels[side].set(price, quantity);
  }
}

function sorted(levels: ReadonlyMap<number, number>, sign: 1 | -1): readonly LiveLevel[] {
  return [...levels].sort(([a], [b]) => sign * (a - b)).map(([price, quantity]) => ({ price, quantity }));
}
