import type { MarketNameView } from '@paper/contracts/markets';
import { midpointHalfUnits, pairsMoved } from '@paper/exchange';
import type { Settlement } from '@paper/exchange';
import type { OrderAmended, OrderFilled, OrderReplaced } from '@paper/exchange/events';
import { inOwnTerms } from '@paper/exchange/vocabulary';
import type { Outcome, Phase, Side } from '@paper/exchange/vocabulary';
import { wholeMinute } from '../minute.ts';
import { BookSide } from './book-side.ts';
import type { MarketRow } from './table.ts';

/** The fields that determine the level of a resting order. */
export interface OrderTerms {
  readonly side: Side;
  readonly outcome: Outcome;
  /** The price in terms of the order's outcome. */
  readonly priceUnits: number;
}

/** An order that enters the book: the shares that its decision fills, and the shares that rest after that. */
export interface IncomingOrder extends OrderTerms {
  readonly orderId: string;
  readonly fillQuantity: number;
  readonly restQuantity: number;
}

/** A market's names, which only its listing and its amendments set. */
export type MarketNames = Pick<MarketNameView, 'companySlug' | 'ticker' | 'title'>;

/** A market that has not ended, as the projector keeps it in memory. */
export class MarketFold {
  readonly bids = new BookSide('bid');
  readonly asks = new BookSide('ask');
  phase: Phase = 'scheduled';
  volumeShares = 0;
  openInterestPairs = 0;
  lastTradeUnits: number | null = null;
  firstFillMinuteMs: number | null = null;
  lastFillMinuteMs: number | null = null;
  resolvedOutcome: Outcome | null = null;
  settlePriceUnits: number | null = null;
  resolvedAtMs: number | null = null;
  settlement: Settlement | null = null;
  seq = 0;
  /** The probability just before the last event that traded or decided the market. */
  beforeHalfUnits = 0;
  /** The order being filled, and its shares that are still to be filled before the rest enters the book. */
  #incoming: { readonly order: IncomingOrder; fillQuantity: number } | null = null;

  constructor(
    readonly id: string,
    readonly priorUnits: number,
    public name: MarketNames,
  ) {}

  /** The market from a stored row, with an empty book. */
  static of(row: MarketRow): MarketFold {
    const market = new MarketFold(row.id, row.prior_units, {
      companySlug: row.company_slug,
      ticker: row.ticker,
      title: row.title,
    });
    market.phase = row.phase;
    market.volumeShares = row.volume_shares;
    market.openInterestPairs = row.open_interest_pairs;
    market.lastTradeUnits = row.last_trade_units;
    market.firstFillMinuteMs = row.first_fill_minute_ms;
    market.lastFillMinuteMs = row.last_fill_minute_ms;
    market.resolvedOutcome = row.resolved_outcome;
    market.settlePriceUnits = row.settle_price_units;
    market.resolvedAtMs = row.resolved_at_ms;
    market.seq = row.seq;
    return market;
  }

  get ended(): boolean {
    return this.phase === 'resolved' || this.phase === 'void';
  }

  /** Whether the probability comes from a trade, a quote or an outcome, and not just from the prior. */
  get hasPrice(): boolean {
    return this.settlePriceUnits !== null || this.lastTradeUnits !== null || this.#midpointHalfUnits() !== null;
  }

  /** Puts the unfilled part of the order into the book after its last fill; at once if there is none. */
  place(order: IncomingOrder): void {
    if (order.fillQuantity > 0) this.#incoming = { order, fillQuantity: order.fillQuantity };
    else this.#rest(order);
  }

  /** Takes the order out of the book and lets it enter again. @throws RangeError when the book does not have it. */
  replace(order: OrderReplaced): void {
    const { side, outcome, formerPriceUnits: priceUnits } = order;
    this.changeLevel({ side, outcome, priceUnits }, -order.formerRemaining, -1);
    this.place(order);
  }

  /** Lowers the resting quantity of an order. @throws RangeError when the book does not have the order. */
  amend(order: OrderAmended): void {
    this.changeLevel(order, -order.removed, 0);
  }

  /** @throws RangeError for a fill that the book, or the incoming order, does not have. */
  fill(event: OrderFilled): void {
    const { yesPriceUnits, quantity } = event;
    this.beforeHalfUnits = this.probabilityHalfUnits();
    const makers = this.#sideOf(event.makerSide, event.makerOutcome);
    makers.change(yesPriceUnits, -quantity, event.makerRemaining === 0 ? -1 : 0);
    this.volumeShares += quantity;
    this.lastTradeUnits = yesPriceUnits;
    this.lastFillMinuteMs = wholeMinute(event.at);
    this.firstFillMinuteMs ??= this.lastFillMinuteMs;
    this.openInterestPairs += pairsMoved(event);
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
    this.#sideOf(side, outcome).change(inOwnTerms(outcome, priceUnits), quantity, orders);
  }

  /** In half units, so that a midpoint is exact: payout of YES, else midpoint within $0.10, last trade, prior. */
  probabilityHalfUnits(): number {
    if (this.settlePriceUnits !== null) return 2 * this.settlePriceUnits;
    return this.#midpointHalfUnits() ?? 2 * (this.lastTradeUnits ?? this.priorUnits);
  }

  /** The columns of the market's row that events after its listing change. */
  figures() {
    return {
      phase: this.phase,
      status: this.phase === 'active' || this.phase === 'resolved' ? this.phase : 'pending',
      probability_half_units: this.probabilityHalfUnits(),
      volume_shares: this.volumeShares,
      open_interest_pairs: this.openInterestPairs,
      best_bid_units: this.bids.bestUnits,
      best_ask_units: this.asks.bestUnits,
      last_trade_units: this.lastTradeUnits,
      first_fill_minute_ms: this.firstFillMinuteMs,
      last_fill_minute_ms: this.lastFillMinuteMs,
      resolved_outcome: this.resolvedOutcome,
      settle_price_units: this.settlePriceUnits,
      resolved_at_ms: this.resolvedAtMs,
      cancelled_orders: this.settlement?.cancelledOrders ?? null,
      settled_accounts: this.settlement?.settledAccounts ?? null,
      paid_units: this.settlement?.paidUnits ?? null,
      seq: this.seq,
    } satisfies Partial<MarketRow>;
  }

  #midpointHalfUnits(): number | null {
    return midpointHalfUnits(this.bids.bestUnits, this.asks.bestUnits);
  }

  #rest(order: IncomingOrder): void {
    if (order.restQuantity > 0) this.changeLevel(order, order.restQuantity, 1);
  }

  /** The side of the book, which is in YES terms: buying NO is an offer of YES, selling NO a bid for YES. */
  #sideOf(side: Side, outcome: Outcome): BookSide {
    return (side === 'buy') === (outcome === 'yes') ? this.bids : this.asks;
  }
}
