import type { CancelReason, FillKind, MarketAmended, MarketListed, Outcome, Side } from '@paper/exchange';
import type { OrderStatus, ReadTables } from '../tables.ts';
import type { MarketFold } from './market-fold.ts';

type Writable<T> = { -readonly [K in keyof T]: T[K] };

export type OrderRow = Writable<ReadTables['orders']>;
export type SignalRow = Writable<ReadTables['signals']>;

/** What a batch does to an order that was placed before it: amounts add, the rest is as it now is. */
export interface OrderChange {
  readonly id: string;
  filled: number;
  filled_cost: number;
  status: OrderStatus;
  reason: CancelReason | null;
  ended_seq: number | null;
}

export interface PositionChange {
  readonly account_id: string;
  readonly market_id: string;
  yes_shares: number;
  no_shares: number;
  yes_cost: number;
  no_cost: number;
}

/** One side of a fill. */
export interface FillSide {
  readonly role: 'maker' | 'taker';
  readonly accountId: string;
  readonly orderId: string;
  readonly side: Side;
  readonly outcome: Outcome;
  /** What a buyer paid; of a seller, the cost that left the position. */
  readonly costUnits: number;
  readonly remaining: number;
}

/** What both sides of a fill share. */
export interface FillFacts {
  readonly seq: number;
  readonly id: string;
  readonly marketId: string;
  readonly yesPriceUnits: number;
  readonly quantity: number;
  readonly kind: FillKind;
  readonly at: number;
}

/** All that a batch of events will write, folded: one row for each thing that it touches. */
export class Batch {
  readonly accounts: ReadTables['accounts'][] = [];
  /** Added to cash. */
  readonly cash = new Map<string, number>();
  readonly approved = new Set<string>();
  readonly keys: ReadTables['api_keys'][] = [];
  readonly revoked = new Map<string, number>();
  readonly listed = new Map<string, { readonly event: MarketListed; readonly seq: number }>();
  readonly amended = new Map<string, MarketAmended>();
  readonly markets = new Set<MarketFold>();
  readonly placed = new Map<string, OrderRow>();
  readonly changed = new Map<string, OrderChange>();
  readonly positions = new Map<string, PositionChange>();
  readonly fills: ReadTables['fills'][] = [];
  readonly settlements: ReadTables['settlements'][] = [];
  readonly signals = new Map<number, SignalRow>();
  /** `prob_after_half` of signals that were recorded before this batch. */
  readonly probabilityAfter = new Map<number, number>();

  addCash(accountId: string, units: number): void {
    this.cash.set(accountId, (this.cash.get(accountId) ?? 0) + units);
  }

  addPosition(accountId: string, marketId: string, outcome: Outcome, shares: number, costUnits: number): void {
    const key = `${accountId} ${marketId}`;
    let change = this.positions.get(key);
    if (change === undefined) {
      change = { account_id: accountId, market_id: marketId, yes_shares: 0, no_shares: 0, yes_cost: 0, no_cost: 0 };
      this.positions.set(key, change);
    }
    if (outcome === 'yes') {
      change.yes_shares += shares;
      change.yes_cost += costUnits;
    } else {
      change.no_shares += shares;
      change.no_cost += costUnits;
    }
  }

  addFill(facts: FillFacts, own: FillSide): void {
    const { quantity } = facts;
    const price = own.outcome === 'yes' ? facts.yesPriceUnits : 10_000 - facts.yesPriceUnits;
    const buys = own.side === 'buy';
    this.addCash(own.accountId, buys ? -price * quantity : price * quantity);
    this.addPosition(
      own.accountId,
      facts.marketId,
      own.outcome,
      buys ? quantity : -quantity,
      buys ? own.costUnits : -own.costUnits,
    );
    const order = this.order(own.orderId);
    order.filled += quantity;
    order.filled_cost += price * quantity;
    order.status = own.remaining === 0 ? 'filled' : 'partial';
    order.ended_seq = own.remaining === 0 ? facts.seq : null;
    this.fills.push({
      seq: facts.seq,
      role: own.role,
      id: facts.id,
      account_id: own.accountId,
      order_id: own.orderId,
      market_id: facts.marketId,
      side: own.side,
      outcome: own.outcome,
      price,
      yes_price: facts.yesPriceUnits,
      quantity,
      kind: facts.kind,
      at: facts.at,
    });
  }

  endOrder(orderId: string, reason: CancelReason, seq: number): void {
    const order = this.order(orderId);
    order.status = 'cancelled';
    order.reason = reason;
    order.ended_seq = seq;
  }

  setProbabilityAfter(signalSeq: number, probabilityHalf: number): void {
    const own = this.signals.get(signalSeq);
    if (own === undefined) this.probabilityAfter.set(signalSeq, probabilityHalf);
    else own.prob_after_half = probabilityHalf;
  }

  /** The order's row where this batch placed it, else what changes of it. */
  private order(id: string): OrderRow | OrderChange {
    const known = this.placed.get(id) ?? this.changed.get(id);
    if (known !== undefined) return known;
    const change: OrderChange = { id, filled: 0, filled_cost: 0, status: 'open', reason: null, ended_seq: null };
    this.changed.set(id, change);
    return change;
  }
}
