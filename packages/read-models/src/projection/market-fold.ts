import type { Outcome } from '@paper/exchange';
import type { MarketStatus, Phase } from '../tables.ts';
import { BookSide } from './book-side.ts';

/** A spread above $0.10 says nothing about the middle. */
const MIDPOINT_SPREAD_UNITS_MAX = 1000;

/** What events change of a market's row, beyond what its listing says. */
export interface MarketFigures {
  readonly phase: Phase;
  readonly status: MarketStatus;
  readonly probability_half: number;
  readonly volume: number;
  readonly open_interest: number;
  readonly best_bid: number | null;
  readonly best_ask: number | null;
  readonly last_trade: number | null;
  readonly resolved_outcome: Outcome | null;
  readonly settle_price: number | null;
  readonly resolved_at: number | null;
  readonly cancelled_orders: number | null;
  readonly settled_accounts: number | null;
  readonly paid: number | null;
  readonly seq: number;
}

/** A signal whose `prob_after_half` may still move. */
export interface RecentSignal {
  readonly seq: number;
  readonly at: number;
}

/** A market that has not ended, as the projector keeps it in memory. */
export class MarketFold {
  readonly bids = new BookSide('bid');
  readonly asks = new BookSide('ask');
  phase: Phase = 'scheduled';
  volume = 0;
  openInterest = 0;
  lastTrade: number | null = null;
  resolvedOutcome: Outcome | null = null;
  settlePrice: number | null = null;
  resolvedAt: number | null = null;
  settlement: { readonly cancelledOrders: number; readonly settledAccounts: number; readonly paid: number } | null =
    null;
  seq = 0;
  /** Oldest first. */
  recentSignals: RecentSignal[] = [];

  constructor(
    readonly id: string,
    readonly prior: number,
  ) {}

  get ended(): boolean {
    return this.phase === 'resolved' || this.phase === 'void';
  }

  /**
   * In half units, so that a midpoint is exact: the midpoint when both sides are quoted within $0.10, else the last
   * trade, else the prior; once it is decided, what a YES share pays.
   */
  probabilityHalf(): number {
    if (this.settlePrice !== null) return 2 * this.settlePrice;
    const bid = this.bids.best;
    const ask = this.asks.best;
    if (bid !== null && ask !== null && ask - bid <= MIDPOINT_SPREAD_UNITS_MAX) return bid + ask;
    return 2 * (this.lastTrade ?? this.prior);
  }

  figures(): MarketFigures {
    return {
      phase: this.phase,
      status: this.phase === 'active' || this.phase === 'resolved' ? this.phase : 'pending',
      probability_half: this.probabilityHalf(),
      volume: this.volume,
      open_interest: this.openInterest,
      best_bid: this.bids.best,
      best_ask: this.asks.best,
      last_trade: this.lastTrade,
      resolved_outcome: this.resolvedOutcome,
      settle_price: this.settlePrice,
      resolved_at: this.resolvedAt,
      cancelled_orders: this.settlement?.cancelledOrders ?? null,
      settled_accounts: this.settlement?.settledAccounts ?? null,
      paid: this.settlement?.paid ?? null,
      seq: this.seq,
    };
  }
}
