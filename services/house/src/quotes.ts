import { inOwnTerms } from '@paper/contracts/units';
import type { Anchor } from './anchors.ts';
import type { HouseSettings } from './settings.ts';

/**
 * The target quotes of the maker in the book, and the orders and cancels that lead there.
 *
 * Why no strategy profits from the quotes: value every share at the anchor, which no trade moves. The centre of the
 * quotes is at most `maxSkewUnits` from the anchor. The best quote is `halfSpreadUnits` from the centre, rounded away
 * from it. So every share that the maker buys costs at least (halfSpread − maxSkew) less than the anchor, and every
 * share that it sells brings at least that much more. Quotes are post-only, so they trade at their own price. So each
 * fill adds to the maker's wealth at the anchor, whatever others do and in whatever order, and its counterparties can
 * only lose against the anchor.
 *
 * The remaining risk is information: a trader with a better value than the anchor, or who reads a signal before the
 * maker, gains what the standing quotes can lose. `LossRoom` bounds that in each market and day.
 */

/** A resting order in the API's form: the price is in terms of its own outcome. */
export interface Quote {
  readonly outcome: 'yes' | 'no';
  readonly side: 'buy' | 'sell';
  readonly priceUnits: number;
  readonly quantity: number;
}

/** Shares held in a market. */
export interface Holding {
  readonly yes: number;
  readonly no: number;
}

/** The amount that the house may still lose in one market today: the cost of new YES longs, or of new YES shorts. */
export interface LossRoom {
  /** Limit of Σ price × shares of YES bids, in units: the day's bound then holds even if YES ends at 0. */
  readonly bidUnits: number;
  /** Limit of Σ (1 − price) × shares of YES asks, in units: the day's bound then holds even if YES ends at 1. */
  readonly askUnits: number;
}

export const NOTHING_HELD: Holding = { yes: 0, no: 0 };

/** The lowest and highest price of an order. */
export const MIN_PRICE_UNITS = 100;
export const MAX_PRICE_UNITS = 9900;
/** The most shares of an order, including filled ones. */
const MAX_QUANTITY = 500;

type Rules = Pick<HouseSettings, 'halfSpreadUnits' | 'maxSkewUnits' | 'levelStepUnits' | 'levelSizes' | 'maxInventory'>;

/** The target quotes of the maker in a market, given its holdings and its loss room; the best of each side first. */
export function wantedQuotes({ anchorUnits, tickUnits }: Anchor, held: Holding, loss: LossRoom, rules: Rules): Quote[] {
  const net = held.yes - held.no;
  const centre = anchorUnits - skewUnits(net, tickUnits, rules);
  const quotes: Quote[] = [];
  let [bidRoom, askRoom] = [rules.maxInventory - net, rules.maxInventory + net];
  const [bidScale, askScale] = scales(centre, loss, rules);
  let { yes: yesLeft, no: noLeft } = held;

  for (const [level, size] of rules.levelSizes.entries()) {
    const away = rules.halfSpreadUnits + level * rules.levelStepUnits;
    const bid = Math.floor((centre - away) / tickUnits) * tickUnits;
    const ask = Math.ceil((centre + away) / tickUnits) * tickUnits;

    // A YES bid buys YES, or sells NO shares where the maker holds any, which frees their money.
    const bidSize = Math.min(Math.floor(size * bidScale), bidRoom);
    if (bidSize > 0 && bid >= MIN_PRICE_UNITS) {
      bidRoom -= bidSize;
      if (noLeft >= bidSize) {
        noLeft -= bidSize;
        quotes.push({ outcome: 'no', side: 'sell', priceUnits: inOwnTerms('no', bid), quantity: bidSize });
      } else {
        quotes.push({ outcome: 'yes', side: 'buy', priceUnits: bid, quantity: bidSize });
      }
    }
    const askSize = Math.min(Math.floor(size * askScale), askRoom);
    if (askSize > 0 && ask <= MAX_PRICE_UNITS) {
      askRoom -= askSize;
      if (yesLeft >= askSize) {
        yesLeft -= askSize;
        quotes.push({ outcome: 'yes', side: 'sell', priceUnits: ask, quantity: askSize });
      } else {
        quotes.push({ outcome: 'no', side: 'buy', priceUnits: inOwnTerms('no', ask), quantity: askSize });
      }
    }
  }
  return quotes;
}

/** Sizes shrink in steps of this fraction; otherwise every fill would change every quote. */
const SCALE_STEP = 1 / 8;

/**
 * The fractions to which bids and asks shrink, so that their whole cost fits the loss room: a bid costs its price, an
 * ask 1 − price.
 */
function scales(centre: number, { bidUnits, askUnits }: LossRoom, { levelSizes }: Rules): [number, number] {
  const shares = levelSizes.reduce((sum, size) => sum + size, 0);
  const scale = (roomUnits: number, lossUnits: number): number =>
    Math.min(1, Math.floor(roomUnits / (shares * lossUnits) / SCALE_STEP) * SCALE_STEP);
  return [scale(bidUnits, centre), scale(askUnits, inOwnTerms('no', centre))];
}

/** The shift of the centre, rounded to a few whole steps; otherwise every filled share would move every quote. */
function skewUnits(net: number, tickUnits: number, { maxSkewUnits, maxInventory }: Rules): number {
  const step = Math.max(tickUnits, Math.ceil(maxSkewUnits / 4));
  const lean = Math.max(-1, Math.min(1, net / maxInventory));
  return Math.max(-maxSkewUnits, Math.min(maxSkewUnits, Math.round((lean * maxSkewUnits) / step) * step));
}

/** An open order of the maker. `quantity` is its resting part. */
export interface RestingQuote extends Quote {
  readonly id: string;
  /** The shares that are already filled. */
  readonly filledQty: number;
}

/** An open order that becomes another quote for the same outcome and side. */
export interface Move {
  readonly order: RestingQuote;
  readonly quote: Quote;
}

export interface Changes {
  readonly cancel: readonly string[];
  readonly move: readonly Move[];
  readonly place: readonly Quote[];
}

/**
 * The changes that lead from the open orders to the wanted quotes. An open order that matches a wanted quote stays,
 * even when up to half of it is filled. If two orders match the same quote (after a lost answer), one is removed. A
 * removed order is moved to a missing quote if possible, and otherwise cancelled.
 */
export function changes(standing: readonly RestingQuote[], wanted: readonly Quote[]): Changes {
  const name = ({ outcome, side, priceUnits }: Quote): string => `${outcome} ${side} ${priceUnits}`;
  const missing = new Map(wanted.map((quote) => [name(quote), quote]));
  const gone: RestingQuote[] = [];
  const move: Move[] = [];
  for (const order of standing) {
    const quote = missing.get(name(order));
    if (quote !== undefined && order.quantity <= quote.quantity && order.quantity * 2 >= quote.quantity) {
      missing.delete(name(order));
    } else if (quote !== undefined && canAmendTo(order, quote)) {
      missing.delete(name(order));
      move.push({ order, quote });
    } else {
      gone.push(order);
    }
  }
  const cancel: string[] = [];
  for (const order of gone) {
    const quote = [...missing.values()].find((each) => canAmendTo(order, each));
    if (quote === undefined) {
      cancel.push(order.id);
    } else {
      missing.delete(name(quote));
      move.push({ order, quote });
    }
  }
  return { cancel, move, place: [...missing.values()] };
}

/** Whether an amendment can turn the order into this quote: it cannot change outcome or side. */
export function canAmendTo(order: RestingQuote, { outcome, quantity, side }: Quote): boolean {
  return order.outcome === outcome && order.side === side && order.filledQty + quantity <= MAX_QUANTITY;
}

/** Whether the order is a bid for YES: to buy YES, or to sell NO. */
export function isBid({ outcome, side }: Pick<Quote, 'outcome' | 'side'>): boolean {
  return (outcome === 'yes') === (side === 'buy');
}

/** The price of YES that corresponds to the order's own price. */
export function yesPrice({ outcome, priceUnits }: Pick<Quote, 'outcome' | 'priceUnits'>): number {
  return inOwnTerms(outcome, priceUnits);
}

/** The gain against the anchor of buying (or selling) a share at this price; below 0 for a loss. */
export function edgeUnits({ outcome, side, priceUnits }: Omit<Quote, 'quantity'>, anchorUnits: number): number {
  const worth = inOwnTerms(outcome, anchorUnits);
  return side === 'buy' ? worth - priceUnits : priceUnits - worth;
}
