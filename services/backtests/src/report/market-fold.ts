import { dollars } from '@paper/contracts/units';
import { midpointHalfUnits } from '@paper/exchange';
import type { PublicEvent } from '@paper/exchange/events';
import { inOwnTerms, SHARE_UNITS } from '@paper/exchange/vocabulary';
import type { Outcome, Side } from '@paper/exchange/vocabulary';
import { TapeBook } from '@paper/tapes';
import type { BookSide } from '@paper/tapes';

type EventOf<T extends PublicEvent['type']> = Extract<PublicEvent, { type: T }>;

interface RestingOrder {
  readonly market: MarketFold;
  readonly side: BookSide;
  readonly priceUnits: number;
  remaining: number;
  /** The time since which the order has had its place in the queue. */
  readonly sinceMs: number;
}

const LEVELS = 10;

/** A fold of one market: its book in shares, and the value of its shares. */
export class MarketFold {
  readonly book = new TapeBook();
  lastTradeUnits: number | null = null;
  payoutUnits: number | null = null;

  constructor(private readonly priorUnits: number) {}

  /** The value of a YES share, as in portfolios. */
  get markHalfUnits(): number {
    if (this.payoutUnits !== null) return 2 * this.payoutUnits;
    const midpoint = midpointHalfUnits(this.book.best('bid'), this.book.best('ask'));
    return midpoint ?? 2 * (this.lastTradeUnits ?? this.priorUnits);
  }

  /** The middle of the book, whatever its spread; null if a side is empty. */
  get midHalfUnits(): number | null {
    const [bid, ask] = [this.book.best('bid'), this.book.best('ask')];
    return bid === null || ask === null ? null : bid + ask;
  }

  /** The price of a share of the outcome for a taker. */
  askHalfUnits(outcome: Outcome): number {
    const best = this.book.best(outcome === 'yes' ? 'ask' : 'bid');
    const yes = best === null ? this.markHalfUnits : 2 * best;
    return outcome === 'yes' ? yes : 2 * SHARE_UNITS - yes;
  }

  bestLevels() {
    const side = (of: BookSide) =>
      this.book
        .levels(of)
        .slice(0, LEVELS)
        .map(({ priceUnits, sizeMicros }) => ({ price: dollars(priceUnits), quantity: sizeMicros }));
    return { bids: side('bid'), asks: side('ask') };
  }

  change(side: BookSide, priceUnits: number, shares: number): void {
    this.book.set(side, priceUnits, this.book.sizeAt(side, priceUnits) + shares);
  }
}

export class MarketsFold {
  readonly all = new Map<string, MarketFold>();
  readonly #orders = new Map<string, RestingOrder>();

  market(id: string): MarketFold {
    const market = this.all.get(id);
    if (market === undefined) throw new Error(`the journal has no market ${id} before it is used`);
    return market;
  }

  /** The time since which a resting order has had its place; null if it does not rest. */
  restsSince(orderId: string): number | null {
    return this.#orders.get(orderId)?.sinceMs ?? null;
  }

  apply(event: PublicEvent): void {
    switch (event.type) {
      case 'MarketListed':
        this.all.set(event.marketId, new MarketFold(event.priorUnits));
        return;
      case 'OrderPlaced':
        this.#rest(event);
        return;
      case 'OrderReplaced':
        this.#reduce(event.orderId, event.formerRemaining);
        this.#rest(event);
        return;
      case 'OrderAmended':
        this.#reduce(event.orderId, event.removed);
        return;
      case 'OrderCancelled':
        if (event.resting) this.#reduce(event.orderId, event.quantity);
        return;
      case 'OrderFilled':
        this.#reduce(event.makerOrderId, event.quantity);
        this.market(event.marketId).lastTradeUnits = event.yesPriceUnits;
        return;
      case 'MarketResolved':
        this.market(event.marketId).payoutUnits = event.outcome === 'yes' ? SHARE_UNITS : 0;
        return;
      case 'MarketVoided':
        this.market(event.marketId).payoutUnits = event.priceUnits;
        return;
      default:
    }
  }

  #rest(event: EventOf<'OrderPlaced' | 'OrderReplaced'>): void {
    const { at, marketId, orderId, outcome, priceUnits, restQuantity } = event;
    if (restQuantity === 0) return;
    const market = this.market(marketId);
    const side = sideOf(outcome, event.side);
    const yesUnits = inOwnTerms(outcome, priceUnits);
    market.change(side, yesUnits, restQuantity);
    this.#orders.set(orderId, { market, priceUnits: yesUnits, remaining: restQuantity, side, sinceMs: at });
  }

  #reduce(orderId: string, shares: number): void {
    const order = this.#orders.get(orderId);
    if (order === undefined) return;
    order.market.change(order.side, order.priceUnits, -shares);
    order.remaining -= shares;
    if (order.remaining === 0) this.#orders.delete(orderId);
  }
}

const sideOf = (outcome: Outcome, side: Side): BookSide => ((side === 'buy') === (outcome === 'yes') ? 'bid' : 'ask');
