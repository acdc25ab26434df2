import { inOwnTerms } from '@paper/contracts/units';
import type { Anchor } from './anchors.ts';
import type { HouseSettings } from './settings.ts';

/**
 * The target quotes of the maker in the book, and the orders and cancels that lead there.
 *
 * Why no strategy profits from the quotes: value every share at the anchor, which no trade moves. The centre of the
 * quotes is at most `maxSkewUnits` from the anchor, and the best quote `halfSpreadUnits` from the centre, rounded away
 * from it. So every share that the maker buys costs at least (halfSpread − maxSkew) less than the anchor, and every
 * share that it sells brings as much more. Quotes are post-only, so they trade at their own price.
 *
 * The remaining risk is information: a trader with a better value than the anchor gains what the standing quotes can
 * lose. `LossLimits` bounds that in each market and day.
 */

/** A resting order in the API's form: the price is in terms of its own outcome. */
export interface Quote {
  readonly outcome: 'yes' | 'no';
  readonly side: 'buy' | 'sell';
  readonly priceUnits: number;
  readonly quantity: number;
}

export interface Holding {
  readonly yes: number;
  readonly no: number;
}

/** The amounts that the bots may still lose today in one market: the cost of new YES longs, and of new YES shorts. */
export interface LossLimits {
  /** Limit of Σ price × shares of YES bids, in units: the loss if YES ends at 0. */
  readonly bidUnits: number;
  /** Limit of Σ (1 − price) × shares of YES asks, in units: the loss if YES ends at 1. */
  readonly askUnits: number;
}

export const NOTHING_HELD: Holding = { yes: 0, no: 0 };

export const MIN_PRICE_UNITS = 100;
export const MAX_PRICE_UNITS = 9900;
/** The most shares of an order, including filled ones. */
const MAX_QUANTITY = 500;

type Rules = Pick<HouseSettings, 'halfSpreadUnits' | 'maxSkewUnits' | 'levelStepUnits' | 'levelSizes' | 'maxInventory'>;

export function wantedQuotes(
  { anchorUnits, tickUnits }: Anchor,
  held: Holding,
  loss: LossLimits,
  rules: Rules,
): Quote[] {
  const net = held.yes - held.no;
  const centre = anchorUnits - skewUnits(net, tickUnits, rules);
  const room = { bid: rules.maxInventory - net, ask: rules.maxInventory + net };
  const scale = scales(centre, loss, rules);
  const left = { ...held };
  const quotes: Quote[] = [];
  for (const [level, size] of rules.levelSizes.entries()) {
    const away = rules.halfSpreadUnits + level * rules.levelStepUnits;
    for (const side of ['bid', 'ask'] as const) {
      const ticks = (side === 'bid' ? centre - away : centre + away) / tickUnits;
      const yesUnits = (side === 'bid' ? Math.floor(ticks) : Math.ceil(ticks)) * tickUnits;
      const quantity = Math.min(Math.floor(size * scale[side]), room[side]);
      if (quantity <= 0 || yesUnits < MIN_PRICE_UNITS || yesUnits > MAX_PRICE_UNITS) continue;
      room[side] -= quantity;
      const quote = orderFor(side === 'bid', yesUnits, quantity, left);
      if (quote.side === 'sell') left[quote.outcome] -= quantity;
      quotes.push(quote);
    }
  }
  return quotes;
}

/** Sizes shrink in steps of this fraction; otherwise every fill would change every quote. */
const SCALE_STEP = 1 / 8;

/** The fractions to which bids and asks shrink, so that their cost (price, 1 − price) stays within the limits. */
function scales(centre: number, { bidUnits, askUnits }: LossLimits, { levelSizes }: Rules) {
  const shares = levelSizes.reduce((sum, size) => sum + size, 0);
  const scale = (limitUnits: number, lossUnits: number): number =>
    Math.min(1, Math.floor(limitUnits / (shares * lossUnits) / SCALE_STEP) * SCALE_STEP);
  return { bid: scale(bidUnits, centre), ask: scale(askUnits, inOwnTerms('no', centre)) };
}

/** The shift of the centre, rounded to a few whole steps; otherwise every filled share would move every quote. */
function skewUnits(net: number, tickUnits: number, { maxSkewUnits, maxInventory }: Rules): number {
  const step = Math.max(tickUnits, Math.ceil(maxSkewUnits / 4));
  const lean = Math.max(-1, Math.min(1, net / maxInventory));
  return Math.max(-maxSkewUnits, Math.min(maxSkewUnits, Math.round((lean * maxSkewUnits) / step) * step));
}

export interface RestingQuote extends Quote {
  readonly id: string;
  readonly filledQty: number;
}

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
 * The changes from the open orders to the wanted quotes. An order that matches a quote stays, also if it is up to half
 * filled. Each other order is moved to a missing quote if possible, else cancelled.
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

export function yesPrice({ outcome, priceUnits }: Pick<Quote, 'outcome' | 'priceUnits'>): number {
  return inOwnTerms(outcome, priceUnits);
}

/** The gain against the anchor of buying (or selling) a share at this price; below 0 for a loss. */
export function edgeUnits({ outcome, side, priceUnits }: Omit<Quote, 'quantity'>, anchorUnits: number): number {
  const worth = inOwnTerms(outcome, anchorUnits);
  return side === 'buy' ? worth - priceUnits : priceUnits - worth;
}

/** An order on this side of the book: it sells shares that are held before it buys the other outcome. */
export function orderFor(bids: boolean, yesUnits: number, quantity: number, held: Holding): Quote {
  if (bids) {
    return held.no >= quantity
      ? { outcome: 'no', side: 'sell', priceUnits: inOwnTerms('no', yesUnits), quantity }
      : { outcome: 'yes', side: 'buy', priceUnits: yesUnits, quantity };
  }
  return held.yes >= quantity
    ? { outcome: 'yes', side: 'sell', priceUnits: yesUnits, quantity }
    : { outcome: 'no', side: 'buy', priceUnits: inOwnTerms('no', yesUnits), quantity };
}
