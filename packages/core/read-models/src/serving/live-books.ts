import { inOwnTerms } from '@paper/exchange/vocabulary';
import type { LevelView, MarketNameView, OrderBookView, RecentTradeView } from '@paper/contracts/markets';
import type { ExchangeEvent, OrderFilled } from '@paper/exchange/events';
import type { PublicCommandlessEvent } from '@paper/journal';
import { createBookFold } from '../models/index.ts';
import type { BookFold } from '../models/index.ts';
import type { BookSide } from '../models/markets/book-side.ts';
import type { MarketFold } from '../models/markets/market-fold.ts';

/** The changes of one decision to one market's book. */
export interface BookChange {
  readonly marketId: string;
  /** The sequence of the decision's last event about the market. */
  readonly seq: number;
  readonly at: number;
  /** The changed levels, in YES terms; quantity 0 for a removed level. */
  readonly levels: readonly ChangedLevel[];
  readonly trades: readonly RecentTradeView[];
}

export interface ChangedLevel {
  readonly side: 'bid' | 'ask';
  readonly priceUnits: number;
  readonly quantity: number;
}

class LiveBook {
  #view: OrderBookView | null = null;
  readonly #trades: { readonly event: OrderFilled; readonly id: string; readonly seq: number }[] = [];

  constructor(readonly market: MarketFold) {}

  addTrade(event: OrderFilled, id: string, seq: number): void {
    this.#trades.push({ event, id, seq });
  }

  /** The changes since the previous call. */
  takeChange(at: number): BookChange {
    const { market } = this;
    this.#view = null;
    const levels = [...changedLevels('bid', market.bids), ...changedLevels('ask', market.asks)];
    const trades = this.#trades.splice(0).map(({ event, id, seq }) => this.#tradeView(event, id, seq));
    return { at, levels, marketId: market.id, seq: market.seq, trades };
  }

  view(): OrderBookView {
    const { market } = this;
    return (this.#view ??= {
      asks: levelsOf(market.asks),
      bids: levelsOf(market.bids).reverse(),
      lastTradeUnits: market.lastTradeUnits,
      marketId: market.id,
      seq: market.seq,
    });
  }

  get name(): MarketNameView {
    const { name, resolvedOutcome } = this.market;
    return { ...name, resolvedOutcome };
  }

  #tradeView(event: OrderFilled, id: string, seq: number): RecentTradeView {
    const { takerOutcome, takerSide, yesPriceUnits } = event;
    return {
      createdAt: event.at,
      id,
      kind: event.kind,
      ...this.name,
      marketId: this.market.id,
      outcome: takerOutcome,
      priceUnits: inOwnTerms(takerOutcome, yesPriceUnits),
      quantity: event.quantity,
      seq,
      side: takerSide,
    };
  }
}

/** The books of markets, in a fold of the journal. A decision is applied with its last event, so no book shows half. */
export class LiveBooks {
  readonly #fold: BookFold;
  readonly #books = new Map<string, LiveBook>();
  /** The markets that have ended since the fold began; their books are empty. */
  readonly #ended = new Map<string, LiveBook>();
  #seq: number;
  /** The events of a decision that is still incomplete, and the number of missing events. */
  #decision: PublicCommandlessEvent[] = [];
  #missing = 0;

  /** @param seq where the fold begins, the end of a decision; 0 for an empty journal */
  constructor(seq: number, fold = createBookFold()) {
    this.#seq = seq;
    this.#fold = fold;
    for (const market of fold.rows.markets.live.values()) this.#books.set(market.id, new LiveBook(market));
  }

  /** The last sequence of the last decision that was applied. */
  get seq(): number {
    return this.#seq;
  }

  /** Whether a market is listed and has not ended. */
  isLive(marketId: string): boolean {
    return this.#books.has(marketId);
  }

  /** A market as its last event left it; null if it is not listed, or ended before the fold began. */
  market(marketId: string): MarketFold | null {
    return this.#find(marketId)?.market ?? null;
  }

  /** The markets that have not ended, each with the sequence of its last event. */
  sequences(): ReadonlyMap<string, number> {
    return new Map([...this.#books].map(([id, { market }]) => [id, market.seq]));
  }

  /** A whole book, the same object until the next event; null if the market is unknown, or ended before the fold. */
  view(marketId: string): OrderBookView | null {
    return this.#find(marketId)?.view() ?? null;
  }

  /** A market's names. @throws RangeError when it is not listed, or ended before the fold began. */
  nameOf(marketId: string): MarketNameView {
    const book = this.#find(marketId);
    if (book === undefined) throw new RangeError(`no market ${marketId} since the books began`);
    return book.name;
  }

  /**
   * Applies the next event. With the last one of a decision, returns the changes of each market's book and trades.
   * @throws RangeError for an event that does not follow on these books.
   */
  apply(stored: PublicCommandlessEvent): readonly BookChange[] {
    const { decisionEvents, seq } = stored;
    const last = this.#seq + this.#decision.length;
    if (seq !== last + 1) throw new RangeError(`event ${seq} follows ${last}`);
    if (this.#decision.length === 0) {
      if (decisionEvents === null) throw new RangeError(`event ${seq} begins no decision`);
      this.#missing = decisionEvents;
    }
    this.#decision.push(stored);
    this.#missing -= 1;
    return this.#missing === 0 ? this.#applyDecision() : [];
  }

  #applyDecision(): readonly BookChange[] {
    const decision = this.#decision;
    this.#decision = [];
    this.#seq += decision.length;
    const { markets } = this.#fold.rows;
    let at = 0;
    for (const { event: stored, id, seq } of decision) {
      // The private part of an event does not affect a book.
      const event = stored as ExchangeEvent;
      at = event.at;
      this.#fold.apply({ event, id, seq });
      if (event.type === 'OrderFilled') this.#bookOf(markets.market).addTrade(event, id, seq);
    }
    return markets.takeChanged().flatMap((market) => this.#takeChange(market, at));
  }

  #takeChange(market: MarketFold, at: number): readonly BookChange[] {
    const book = this.#bookOf(market);
    const change = book.takeChange(at);
    if (market.ended) {
      this.#books.delete(market.id);
      this.#ended.set(market.id, book);
    }
    return change.levels.length > 0 || change.trades.length > 0 ? [change] : [];
  }

  #find(marketId: string): LiveBook | undefined {
    return this.#books.get(marketId) ?? this.#ended.get(marketId);
  }

  #bookOf(market: MarketFold): LiveBook {
    const book = this.#books.get(market.id) ?? new LiveBook(market);
    this.#books.set(market.id, book);
    return book;
  }
}

function changedLevels(side: 'bid' | 'ask', of: BookSide): ChangedLevel[] {
  return of.takeChanged().map(({ priceUnits, quantity }) => ({ priceUnits, quantity, side }));
}

/** All levels of a side, by price. */
function levelsOf(side: BookSide): LevelView[] {
  return side.levels().map(([priceUnits, quantity, orders]) => ({ orders, priceUnits, quantity }));
}
