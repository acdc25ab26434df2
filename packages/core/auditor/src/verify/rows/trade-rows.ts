import type { EventOf } from '../../events/judged-events.ts';
import { toYes } from '../../ledger/ledger.ts';
import { startOfMinute } from './row.ts';
import type { Emit, EventPosition, Row } from './row.ts';

export interface TradeTotals {
  trades: number;
  volume_units: number;
  last_fill_minute_ms: number | null;
}

interface LiveOrder extends Row {
  price_units: number;
  quantity: number;
  filled: number;
  filled_cost_units: number;
  status: 'open' | 'filled' | 'cancelled' | 'partial';
  reason: string | null;
  ended_seq: number | null;
  cancelled_key_id: string | null;
}

/** Rows of orders and fills, and totals of trading. Ended orders take no memory. */
export class TradeRows {
  readonly #live = new Map<string, LiveOrder>();
  #volume = 0;
  #trades = 0;
  #minute: Row | null = null;

  constructor(private readonly emit: Emit) {}

  place(event: EventOf<'OrderPlaced'>, { keyId, seq }: EventPosition): void {
    this.#live.set(event.orderId, {
      id: event.orderId,
      market_id: event.marketId,
      account_id: event.accountId,
      side: event.side,
      outcome: event.outcome,
      order_type: event.orderType,
      time_in_force: event.timeInForce,
      price_units: event.priceUnits,
      notional_units: event.notionalUnits,
      quantity: event.quantity,
      created_at_ms: event.at,
      created_seq: seq,
      filled: 0,
      filled_cost_units: 0,
      status: 'open',
      reason: null,
      ended_seq: null,
      client_order_id: event.clientOrderId,
      expires_at_ms: event.expiresAt,
      post_only: event.postOnly,
      placed_key_id: keyId,
      cancelled_key_id: null,
    });
  }

  change(event: EventOf<'OrderAmended' | 'OrderReplaced'>, { id, keyId, seq }: EventPosition): void {
    const order = this.#order(event.orderId);
    const isReplaced = event.type === 'OrderReplaced';
    this.emit('order_changes', {
      order_id: event.orderId,
      seq,
      id,
      account_id: event.accountId,
      type: event.type,
      price_units: event.priceUnits,
      quantity: event.quantity,
      former_price_units: order.price_units,
      former_quantity: order.quantity,
      filled: order.filled,
      fill_quantity: isReplaced ? event.fillQuantity : 0,
      rest_quantity: isReplaced ? event.restQuantity : event.remaining,
      at_ms: event.at,
      key_id: keyId,
    });
    order.price_units = event.priceUnits;
    order.quantity = event.quantity;
  }

  merge(event: EventOf<'SharesMerged'>, { id, seq }: EventPosition, has: Row): void {
    this.emit('merges', {
      seq,
      id,
      account_id: event.accountId,
      market_id: event.marketId,
      quantity: event.quantity,
      yes_cost_units: event.yesCostUnits,
      no_cost_units: event.noCostUnits,
      at_ms: event.at,
      ...has,
    });
  }

  /** @param halves the market's probability before and after the fill @param accountOf an account's holdings after it */
  fill(
    event: EventOf<'OrderFilled'>,
    position: EventPosition,
    halves: readonly [number, number],
    accountOf: (id: string) => { readonly traded: TradeTotals; readonly has: Row },
  ): void {
    for (const party of parties(event)) {
      const price = toYes(party.outcome, event.yesPriceUnits);
      const cost = price * event.quantity;
      const { traded, has } = accountOf(party.accountId);
      traded.trades += 1;
      traded.volume_units += cost;
      traded.last_fill_minute_ms = startOfMinute(event.at);
      this.emit('fills', Object.assign(fillRow(event, position, halves, party, price), has));
      const order = this.#order(party.orderId);
      order.filled += event.quantity;
      order.filled_cost_units += cost;
      if (party.remaining === 0) this.#end(party.orderId, 'filled', null, position.seq);
    }
    this.#volume += event.quantity;
    this.#trades += 1;
    const minute = startOfMinute(event.at);
    if (this.#minute !== null && this.#minute['minute_ms'] !== minute) this.emit('minutes', this.#minute);
    this.#minute = { minute_ms: minute, volume_shares: this.#volume, trades: this.#trades };
  }

  cancel(event: EventOf<'OrderCancelled'>, { keyId, seq }: EventPosition): void {
    this.#order(event.orderId).cancelled_key_id = keyId;
    this.#end(event.orderId, 'cancelled', event.reason, seq);
  }

  settle(event: EventOf<'PositionSettled'>, { id, seq }: EventPosition, cash: number): void {
    this.emit('settlements', {
      seq,
      id,
      account_id: event.accountId,
      market_id: event.marketId,
      outcome: event.outcome,
      shares: event.shares,
      payout_units: event.payoutUnits,
      cost_units: event.costUnits,
      at_ms: event.at,
      cash_after_units: cash,
    });
  }

  *finish(): Generator<void> {
    if (this.#minute !== null) this.emit('minutes', this.#minute);
    for (const [id, order] of this.#live) {
      this.#end(id, order.filled > 0 ? 'partial' : 'open', null, null);
      yield;
    }
  }

  #order(id: string): LiveOrder {
    const order = this.#live.get(id);
    if (order === undefined) throw new Error(`order ${id} is not live`);
    return order;
  }

  #end(id: string, status: LiveOrder['status'], reason: string | null, endedSeq: number | null): void {
    const order = this.#order(id);
    this.#live.delete(id);
    order.status = status;
    order.reason = reason;
    order.ended_seq = endedSeq;
    this.emit('orders', order);
  }
}

function parties(fill: EventOf<'OrderFilled'>) {
  return [
    {
      accountId: fill.makerAccountId,
      orderId: fill.makerOrderId,
      outcome: fill.makerOutcome,
      remaining: fill.makerRemaining,
      role: 'maker',
      side: fill.makerSide,
    },
    {
      accountId: fill.takerAccountId,
      orderId: fill.takerOrderId,
      outcome: fill.takerOutcome,
      remaining: fill.takerRemaining,
      role: 'taker',
      side: fill.takerSide,
    },
  ] as const;
}

function fillRow(
  event: EventOf<'OrderFilled'>,
  { id, seq }: EventPosition,
  [before, after]: readonly [number, number],
  party: ReturnType<typeof parties>[number],
  price: number,
): Row {
  return {
    seq,
    role: party.role,
    id,
    account_id: party.accountId,
    order_id: party.orderId,
    market_id: event.marketId,
    side: party.side,
    outcome: party.outcome,
    price_units: price,
    yes_price_units: event.yesPriceUnits,
    quantity: event.quantity,
    kind: event.kind,
    prob_before_half_units: before,
    prob_after_half_units: after,
    at_ms: event.at,
  };
}
