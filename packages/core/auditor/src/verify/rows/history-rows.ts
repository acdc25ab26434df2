import type { JudgedEvent, OrderAnnounced } from '../../events/judged-events.ts';
import { bidsYes, levelsOf, toYes } from '../../ledger/ledger.ts';
import type { BookMarket, RestingOrder } from '../../ledger/ledger.ts';
import type { Row } from './row.ts';

/** Every 500th event of a market has a row with the whole book. */
const BOOK_EVERY = 500;

interface MarketFigures {
  readonly phase: string;
  readonly probability_half_units: number;
  readonly last_trade_units: number | null;
}

/** The rows of a market's history: its state after each of its events. */
export class HistoryRows {
  #events = 0;

  constructor(private readonly book: BookMarket) {}

  /** Call this after the ledger has applied the event. */
  row(event: JudgedEvent, seq: number, figures: MarketFigures): Row {
    this.#events += 1;
    const { book } = this;
    const bid = changedPrice(event, book, true);
    const ask = changedPrice(event, book, false);
    const bids = bid === null ? null : ordersAt(book, true, bid);
    const asks = ask === null ? null : ordersAt(book, false, ask);
    const left = leftPrice(event);
    const leftOrders = left === null ? null : ordersAt(book, bid !== null, left);
    return {
      market_id: book.marketId,
      seq,
      event_number: this.#events,
      at_ms: event.at,
      phase: figures.phase,
      probability_half_units: figures.probability_half_units,
      last_trade_units: figures.last_trade_units,
      title: event.type === 'MarketListed' || event.type === 'MarketAmended' ? event.title : null,
      bid_price_units: bid,
      bid_quantity: bids && quantityOf(bids),
      bid_orders: bids?.length ?? null,
      ask_price_units: ask,
      ask_quantity: asks && quantityOf(asks),
      ask_orders: asks?.length ?? null,
      left_price_units: left,
      left_quantity: leftOrders && quantityOf(leftOrders),
      left_orders: leftOrders?.length ?? null,
      book: this.#events % BOOK_EVERY === 0 ? JSON.stringify([this.#side('bid').reverse(), this.#side('ask')]) : null,
    };
  }

  #side(side: 'bid' | 'ask'): [number, number, number][] {
    return levelsOf(this.book, side).map(({ priceUnits, quantity, orders }) => [priceUnits, quantity, orders]);
  }
}

const quantityOf = (orders: readonly RestingOrder[]): number =>
  orders.reduce((sum, { remaining }) => sum + remaining, 0);

/** The YES price of the level that the event changed last on this side; null if it changed none. */
function changedPrice(event: JudgedEvent, { asks, bids }: BookMarket, bid: boolean): number | null {
  switch (event.type) {
    case 'OrderPlaced':
    case 'OrderCancelled': {
      const stands = event.type === 'OrderCancelled' ? event.resting : standsAtOnce(event);
      return stands && bidsYes(event.side, event.outcome) === bid ? toYes(event.outcome, event.priceUnits) : null;
    }
    case 'OrderAmended':
      return bidsYes(event.side, event.outcome) === bid ? toYes(event.outcome, event.priceUnits) : null;
    case 'OrderReplaced': {
      const priceUnits = standsAtOnce(event) ? event.priceUnits : event.formerPriceUnits;
      return bidsYes(event.side, event.outcome) === bid ? toYes(event.outcome, priceUnits) : null;
    }
    case 'OrderFilled': {
      if (bidsYes(event.makerSide, event.makerOutcome) === bid) return event.yesPriceUnits;
      // The rest of an order that has just filled others becomes the best order of its side.
      const best = (bid ? bids : asks)[0];
      return best?.orderId === event.takerOrderId ? best.yesPrice : null;
    }
    default:
      return null;
  }
}

const standsAtOnce = ({ fillQuantity, restQuantity }: OrderAnnounced): boolean =>
  fillQuantity === 0 && restQuantity > 0;

/** The YES price that an order left for another one; null if it did not. */
function leftPrice(event: JudgedEvent): number | null {
  if (event.type !== 'OrderReplaced' || !standsAtOnce(event)) return null;
  const { formerPriceUnits, outcome, priceUnits } = event;
  return formerPriceUnits === priceUnits ? null : toYes(outcome, formerPriceUnits);
}

function ordersAt({ asks, bids }: BookMarket, bid: boolean, price: number): readonly RestingOrder[] {
  const orders = bid ? bids : asks;
  let low = 0;
  let high = orders.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const there = orders[middle]?.yesPrice ?? price;
    if (bid ? there > price : there < price) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (orders[end]?.yesPrice === price) end += 1;
  return orders.slice(low, end);
}
