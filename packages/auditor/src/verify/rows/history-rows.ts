import { levelsOf } from '../../history/views.ts';
import type { JudgedEvent } from '../../judged-events.ts';
import { bidsYes, toYes } from '../../ledger.ts';
import type { BookMarket, RestingOrder } from '../../ledger.ts';
import type { Row } from './row.ts';

/** Events between two rows that contain the whole book. */
const BOOK_EVERY = 500;

/** The figures in a market's row after an event. */
interface MarketFigures {
  readonly phase: string;
  readonly probability_half_units: number;
  readonly last_trade_units: number | null;
}

/** The rows of a market's history: its state after each of its events. */
export class HistoryRows {
  #events = 0;

  constructor(private readonly book: BookMarket) {}

  /** Call after the ledger has applied the event. `figures`: those of the market's own row after it. */
  row(event: JudgedEvent, seq: number, figures: MarketFigures): Row {
    this.#events += 1;
    const { book } = this;
    const bid = changedPrice(event, book, true);
    const ask = changedPrice(event, book, false);
    const bids = bid === null ? null : ordersAt(book, true, bid);
    const asks = ask === null ? null : ordersAt(book, false, ask);
    return {
      market_id: book.marketId,
      seq,
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
      book: this.#events % BOOK_EVERY === 0 ? JSON.stringify([this.#side('bid').reverse(), this.#side('ask')]) : null,
    };
  }

  #side(side: 'bid' | 'ask'): [number, number, number][] {
    return levelsOf(this.book, side).map(({ priceUnits, quantity, orders }) => [priceUnits, quantity, orders]);
  }
}

const quantityOf = (orders: readonly RestingOrder[]): number =>
  orders.reduce((sum, { remaining }) => sum + remaining, 0);

/** The YES price of the level that the event changed on one side of the book; null: none. */
function changedPrice(event: JudgedEvent, { asks, bids }: BookMarket, bid: boolean): number | null {
  switch (event.type) {
    case 'OrderPlaced':
    case 'OrderCancelled': {
      const stands =
        event.type === 'OrderCancelled' ? event.resting : event.fillQuantity === 0 && event.restQuantity > 0;
      return stands && bidsYes(event.side, event.outcome) === bid ? toYes(event.outcome, event.priceUnits) : null;
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

/** The orders at a price. Sides are sorted, best first. */
function ordersAt({ asks, bids }: BookMarket, bid: boolean, price: number): readonly RestingOrder[] {
  const orders = bid ? bids : asks;
  const isBefore = (yesPrice: number): boolean => (bid ? yesPrice > price : yesPrice < price);
  let low = 0;
  let high = orders.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(orders[middle]?.yesPrice ?? price)) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (orders[end]?.yesPrice === price) end += 1;
  return orders.slice(low, end);
}
