import type { MarketStatus } from '@paper/contracts';
import type { OrderFilled, OrderPlaced, Outcome, Phase, Side } from '@paper/exchange';
import type { ReadTables } from '../schema/tables.ts';
import { wholeMinute } from '../schema/minute.ts';
import { BOOK_EVERY, bookText } from '../queries/as-of/book-text.ts';
import { BookSide } from './book-side.ts';

/** With a spread above $0.10, the midpoint says nothing about the probability. */
const MIDPOINT_SPREAD_UNITS_MAX = 1000;

/** The columns of a market's row that events after its listing change. */
export interface MarketFigures {
  readonly phase: Phase;
  readonly status: MarketStatus;
  readonly probability_half_units: number;
  readonly volume_shares: number;
  readonly open_interest_pairs: number;
  readonly best_bid_units: number | null;
  readonly best_ask_units: number | null;
  readonly last_trade_units: number | null;
  readonly last_fill_minute_ms: number | null;
  readonly resolved_outcome: Outcome | null;
  readonly settle_price_units: number | null;
  readonly resolved_at_ms: number | null;
  readonly cancelled_orders: number | null;
  readonly settled_accounts: number | null;
  readonly paid_units: number | null;
  readonly seq: number;
}

/** The fields that determine the level of a resting order. */
export interface OrderTerms {
  readonly side: Side;
  readonly outcome: Outcome;
  /** The price in the terms of the order's outcome. */
  readonly priceUnits: number;
}

/** A signal whose `prob_after_half_units` may still move. */
export interface RecentSignal {
  readonly seq: number;
  readonly at: number;
}

/** A market that has not ended, as the projector keeps it in memory. */
export class MarketFold {
  readonly bids = new BookSide('bid');
  readonly asks = new BookSide('ask');
  phase: Phase = 'scheduled';
  volumeShares = 0;
  openInterestPairs = 0;
  lastTradeUnits: number | null = null;
  lastFillMinuteMs: number | null = null;
  resolvedOutcome: Outcome | null = null;
  settlePriceUnits: number | null = null;
  resolvedAtMs: number | null = null;
  settlement: {
    readonly cancelledOrders: number;
    readonly settledAccounts: number;
    readonly paidUnits: number;
  } | null = null;
  seq = 0;
  /** Events since one with which the whole book was taken down. */
  sinceBook = 0;
  /** Oldest first. */
  recentSignals: RecentSignal[] = [];
  /** The order whose fills are under way, and how many shares of it are still to fill before the rest enters the book. */
  #incoming: { readonly order: OrderPlaced; fillQuantity: number } | null = null;

  constructor(
    readonly id: string,
    readonly priorUnits: number,
  ) {}

  get ended(): boolean {
    return this.phase === 'resolved' || this.phase === 'void';
  }

  /** Whether the probability comes from a trade, a quote or an outcome, and not from the prior alone. */
  get hasPrice(): boolean {
    return this.settlePriceUnits !== null || this.lastTradeUnits !== null || this.#midpointHalfUnits() !== null;
  }

  /** Puts the rest of the order into the book after its last fill; at once if there is none. */
  place(order: OrderPlaced): void {
    if (order.fillQuantity > 0) this.#incoming = { order, fillQuantity: order.fillQuantity };
    else this.#rest(order);
  }

  /** @throws RangeError for a fill that the book, or the incoming order, does not have. */
  fill(event: OrderFilled): void {
    const { yesPriceUnits, quantity, kind } = event;
    const makers = this.#sideOf(event.makerSide, event.makerOutcome);
    makers.change(yesPriceUnits, -quantity, event.makerRemaining === 0 ? -1 : 0);
    this.volumeShares += quantity;
    this.lastTradeUnits = yesPriceUnits;
    this.lastFillMinuteMs = wholeMinute(event.at);
    if (kind !== 'transfer') this.openInterestPairs += kind === 'mint' ? quantity : -quantity;
    const incoming = this.#incoming;
    if (incoming === null || incoming.order.orderId !== event.takerOrderId || incoming.fillQuantity < quantity) {
      throw new RangeError(`a fill of order ${event.takerOrderId}, which is not the incoming one`);
    }
    incoming.fillQuantity -= quantity;
    if (incoming.fillQuantity > 0) return;
    this.#incoming = null;
    this.#rest(incoming.order);
  }

  /** @throws RangeError when the change would take more from a level than it has. */
  changeLevel({ side, outcome, priceUnits }: OrderTerms, quantity: number, orders: number): void {
    this.#sideOf(side, outcome).change(outcome === 'yes' ? priceUnits : 10_000 - priceUnits, quantity, orders);
  }

  /**
   * In half units, so that a midpoint is exact: the midpoint when both sides are quoted within $0.10, else the last
   * trade, else the prior; once it is decided, what a YES share pays.
   */
  probabilityHalfUnits(): number {
    if (this.settlePriceUnits !== null) return 2 * this.settlePriceUnits;
    return this.#midpointHalfUnits() ?? 2 * (this.lastTradeUnits ?? this.priorUnits);
  }

  figures(): MarketFigures {
    return {
      phase: this.phase,
      status: this.phase === 'active' || this.phase === 'resolved' ? this.phase : 'pending',
      probability_half_units: this.probabilityHalfUnits(),
      volume_shares: this.volumeShares,
      open_interest_pairs: this.openInterestPairs,
      best_bid_units: this.bids.bestUnits,
      best_ask_units: this.asks.bestUnits,
      last_trade_units: this.lastTradeUnits,
      last_fill_minute_ms: this.lastFillMinuteMs,
      resolved_outcome: this.resolvedOutcome,
      settle_price_units: this.settlePriceUnits,
      resolved_at_ms: this.resolvedAtMs,
      cancelled_orders: this.settlement?.cancelledOrders ?? null,
      settled_accounts: this.settlement?.settledAccounts ?? null,
      paid_units: this.settlement?.paidUnits ?? null,
      seq: this.seq,
    };
  }

  /** The market's history row just after its last event; called once for each. `title`: set by that event. */
  moment(title: string | null): ReadTables['market_history'] {
    this.sinceBook = (this.sinceBook + 1) % BOOK_EVERY;
    const bid = this.bids.takeLast();
    const ask = this.asks.takeLast();
    return {
      market_id: this.id,
      seq: this.seq,
      phase: this.phase,
      probability_half_units: this.probabilityHalfUnits(),
      last_trade_units: this.lastTradeUnits,
      title,
      bid_price_units: bid?.priceUnits ?? null,
      bid_quantity: bid?.quantity ?? null,
      bid_orders: bid?.orders ?? null,
      ask_price_units: ask?.priceUnits ?? null,
      ask_quantity: ask?.quantity ?? null,
      ask_orders: ask?.orders ?? null,
      book: this.sinceBook === 0 ? bookText(this.bids.levels(), this.asks.levels()) : null,
    };
  }

  #midpointHalfUnits(): number | null {
    const bid = this.bids.bestUnits;
    const ask = this.asks.bestUnits;
    return bid !== null && ask !== null && ask - bid <= MIDPOINT_SPREAD_UNITS_MAX ? bid + ask : null;
  }

  #rest(order: OrderPlaced): void {
    if (order.restQuantity > 0) this.changeLevel(order, order.restQuantity, 1);
  }

  /** The side of the book, which is in YES terms: buying NO is an offer of YES, selling NO a bid for YES. */
  #sideOf(side: Side, outcome: Outcome): BookSide {
    return (side === 'buy') === (outcome === 'yes') ? this.bids : this.asks;
  }
}
