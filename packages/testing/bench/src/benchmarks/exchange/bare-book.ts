import type { Command, CommandOf, OptionalFields } from '@paper/exchange/commands';
import type { ExchangeEvent, OrderPlaced } from '@paper/exchange/events';

interface BareOrder {
  readonly id: string;
  readonly isBid: boolean;
  readonly price: number;
  remaining: number;
  prev: BareOrder | null;
  next: BareOrder | null;
}

interface BareLevel {
  head: BareOrder | null;
  tail: BareOrder | null;
}

/** A book that only matches: price levels, linked orders, a Map by id, and the exchange's event objects. */
export class BareBook {
  readonly #levels: BareLevel[] = Array.from({ length: 10_001 }, () => ({ head: null, tail: null }));
  readonly #orders = new Map<string, BareOrder>();
  #bestBid = 0;
  #bestAsk = 10_000;

  execute(command: Command): ExchangeEvent[] {
    switch (command.type) {
      case 'PlaceOrder':
        return this.#place(command);
      case 'CancelOrder':
        return this.#cancel(command);
      default:
        return [];
    }
  }

  #place(command: CommandOf<'PlaceOrder'>): ExchangeEvent[] {
    const { at, orderId, outcome, orderType, timeInForce } = command;
    const quantity = command.quantity ?? 0;
    const isBid = (command.side === 'buy') === (outcome === 'yes');
    const bound = command.priceUnits ?? (command.side === 'buy' ? 9_900 : 100);
    const yesPriceUnits = outcome === 'yes' ? bound : 10_000 - bound;
    // The fields that an order may leave out are missing: this book has no order tools.
    const placed: Omit<OrderPlaced, keyof OptionalFields> = {
      accountId: '',
      at,
      fillQuantity: 0,
      keyId: null,
      marketId: 'bench',
      notionalUnits: null,
      orderId,
      orderType,
      outcome: 'yes',
      priceUnits: yesPriceUnits,
      quantity,
      restQuantity: 0,
      side: isBid ? 'buy' : 'sell',
      spentUnits: 0,
      timeInForce,
      type: 'OrderPlaced',
    };
    const events: ExchangeEvent[] = [placed as OrderPlaced];
    let remaining = quantity;
    while (remaining > 0) {
      const price = isBid ? this.#bestAsk : this.#bestBid;
      if (price < 1 || price > 9_999 || (isBid ? price > yesPriceUnits : price < yesPriceUnits)) break;
      const maker = this.#levels[price]?.head ?? null;
      if (maker === null) break;
      const filled = Math.min(remaining, maker.remaining);
      remaining -= filled;
      maker.remaining -= filled;
      events.push({
        at,
        kind: 'transfer',
        makerAccountId: '',
        makerCostUnits: filled * price,
        makerOrderId: maker.id,
        makerOutcome: 'yes',
        makerRemaining: maker.remaining,
        makerSide: isBid ? 'sell' : 'buy',
        marketId: 'bench',
        quantity: filled,
        takerAccountId: '',
        takerCostUnits: filled * price,
        takerOrderId: orderId,
        takerOutcome: 'yes',
        takerRemaining: remaining,
        takerSide: isBid ? 'buy' : 'sell',
        type: 'OrderFilled',
        yesPriceUnits: price,
      });
      if (maker.remaining === 0) this.#remove(maker);
    }
    if (remaining > 0) {
      if (orderType === 'limit' && timeInForce === 'GTC') this.#rest(orderId, isBid, yesPriceUnits, remaining);
      else events.push(cancelled(at, orderId, isBid, yesPriceUnits, remaining, false));
    }
    return events;
  }

  #cancel(command: CommandOf<'CancelOrder'>): ExchangeEvent[] {
    const order = this.#orders.get(command.orderId);
    if (order === undefined) return [];
    this.#remove(order);
    return [cancelled(command.at, order.id, order.isBid, order.price, order.remaining, true)];
  }

  #rest(id: string, isBid: boolean, price: number, remaining: number): void {
    const level = this.#levels[price];
    if (level === undefined) throw new Error('no such price');
    const order: BareOrder = { id, isBid, price, remaining, prev: level.tail, next: null };
    if (level.tail === null) level.head = order;
    else level.tail.next = order;
    level.tail = order;
    this.#orders.set(order.id, order);
    if (isBid) {
      if (price > this.#bestBid) this.#bestBid = price;
    } else if (price < this.#bestAsk) {
      this.#bestAsk = price;
    }
  }

  #remove(order: BareOrder): void {
    const level = this.#levels[order.price];
    if (level === undefined) return;
    if (order.prev === null) level.head = order.next;
    else order.prev.next = order.next;
    if (order.next === null) level.tail = order.prev;
    else order.next.prev = order.prev;
    this.#orders.delete(order.id);
    if (order.isBid) {
      while (this.#bestBid > 0 && this.#levels[this.#bestBid]?.head === null) this.#bestBid -= 1;
    } else {
      while (this.#bestAsk < 10_000 && this.#levels[this.#bestAsk]?.head === null) this.#bestAsk += 1;
    }
  }
}

function cancelled(
  at: number,
  orderId: string,
  isBid: boolean,
  priceUnits: number,
  quantity: number,
  resting: boolean,
): ExchangeEvent {
  return {
    accountId: '',
    at,
    marketId: 'bench',
    orderId,
    outcome: 'yes',
    priceUnits,
    quantity,
    reason: resting ? 'user' : 'ioc_remainder',
    resting,
    side: isBid ? 'buy' : 'sell',
    type: 'OrderCancelled',
  };
}
