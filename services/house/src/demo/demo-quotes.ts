import { MINUTE_MS } from '@paper/contracts/units';
import { canAmendTo, isBid, MAX_PRICE_UNITS, MIN_PRICE_UNITS, orderFor, yesPrice } from '../quotes.ts';
import type { Changes, Holding, Quote, RestingQuote } from '../quotes.ts';
import type { HiddenValue } from './hidden-values.ts';

/**
 * The quotes of the demo's makers, one bid and one ask for each maker and market, and the changes that lead to them.
 * Quotes surround the makers' view, which no trade moves, so pushing a price gains nothing. The view follows the hidden
 * value late, so a trader who reads the news can buy below that value, but at most `giveUnits`. The demo makes
 * `giveUnits` negative when the hour's budget is spent. Quotes are post-only: one that would take is placed just
 * outside.
 */

/** A market as its makers see it. Prices are YES prices in units; they need not be on the tick. */
export interface MakerView {
  readonly marketId: string;
  readonly tickUnits: number;
  readonly viewUnits: number;
  readonly valueUnits: number;
  readonly halfSpreadUnits: number;
  /** The furthest that a quote may be on the losing side of the value; below 0: the least on the winning side. */
  readonly giveUnits: number;
  /** The time for which the market's price has not changed. */
  readonly stillMs: number;
  /** The best price at which only others rest; null if there is none. */
  readonly othersBidUnits: number | null;
  readonly othersAskUnits: number | null;
}

export interface MakerRules {
  readonly awayUnits: number;
  readonly size: number;
  /** How much nearer than it should be (or further, plus a tick) an open quote may be before it is changed. */
  readonly toleranceUnits: number;
  /** The time without a change of price in which the tolerance shrinks most of its way to 0. */
  readonly patienceMs: number;
  /** The largest net position (YES minus NO, either sign) that the quotes may lead to in one market. */
  readonly maxInventory: number;
  readonly maxSkewUnits: number;
}

/** Added to the half spread just after news; it fades within minutes. */
const NEWS_WIDENING_UNITS = 150;

/** The half spread, wider after news, so that latecomers pay for the news. */
export function halfSpreadUnits(calmUnits: number, { newsAgeMs }: HiddenValue): number {
  return calmUnits + NEWS_WIDENING_UNITS * Math.exp(-newsAgeMs / MINUTE_MS);
}

interface Target {
  readonly isBid: boolean;
  readonly priceUnits: number;
  readonly quantity: number;
}

function targets(view: MakerView, held: Holding, rules: MakerRules): readonly Target[] {
  const net = held.yes - held.no;
  const lean = Math.max(-1, Math.min(1, net / rules.maxInventory));
  const centre = view.viewUnits - lean * rules.maxSkewUnits;
  const away = view.halfSpreadUnits + rules.awayUnits;
  const below = (view.othersAskUnits ?? Infinity) - view.tickUnits;
  const above = (view.othersBidUnits ?? -Infinity) + view.tickUnits;
  const bid = Math.min(centre - away, view.valueUnits + view.giveUnits, below);
  const ask = Math.max(centre + away, view.valueUnits - view.giveUnits, above);
  return [
    { isBid: true, priceUnits: bid, quantity: Math.min(rules.size, rules.maxInventory - net) },
    { isBid: false, priceUnits: ask, quantity: Math.min(rules.size, rules.maxInventory + net) },
  ];
}

/** The change of one quote, so of at most one order. The more urgent goes first; one with `Infinity` must not wait. */
export interface QuoteChange extends Changes {
  readonly marketId: string;
  readonly urgency: number;
}

/** The urgency of a missing quote, which goes before one that is slightly off. */
const MISSING = 1_000;

export function quoteChanges(view: MakerView, standing: readonly RestingQuote[], held: Holding, rules: MakerRules) {
  const { giveUnits, marketId, stillMs, tickUnits, valueUnits } = view;
  const toleranceUnits = rules.toleranceUnits * Math.exp(-stillMs / rules.patienceMs);
  return targets(view, held, rules).flatMap((target): QuoteChange[] => {
    const open = standing.filter((order) => isBid(order) === target.isBid);
    const isUnsafe = (order: RestingQuote): boolean => givenUnits(order, valueUnits) > giveUnits + tickUnits / 2;
    const misses = (order: RestingQuote): number => missUnits(order, target, tickUnits);
    const kept = open.find(
      (order) => !isUnsafe(order) && misses(order) <= toleranceUnits && hasSize(order, target.quantity),
    );
    const quote = kept === undefined ? quoteAt(target, tickUnits, held) : null;
    const moved = quote === null ? undefined : open.find((order) => canAmendTo(order, quote));
    const cancel = open.filter((order) => order !== kept && order !== moved).map(({ id }) => id);
    const move = quote === null || moved === undefined ? [] : [{ order: moved, quote }];
    const place = quote === null || moved !== undefined ? [] : [quote];
    if (cancel.length + move.length + place.length === 0) return [];
    const weight = 1 + stillMs / rules.patienceMs;
    const mustNotWait = standing.length === 0 || open.some(isUnsafe);
    const urgency = mustNotWait ? Infinity : open.length === 0 ? MISSING : weight * Math.max(...open.map(misses));
    return [{ marketId, cancel, move, place, urgency }];
  });
}

/** The changes to carry out now: all that must not wait, and the most urgent others, up to `allowed`. */
export function mostUrgent<C extends QuoteChange>(changes: readonly C[], allowed: number): readonly C[] {
  const waiting = changes.filter(({ urgency }) => urgency !== Infinity).sort((a, b) => b.urgency - a.urgency);
  return [...changes.filter(({ urgency }) => urgency === Infinity), ...waiting.slice(0, allowed)];
}

export function cancelsOnly<C extends QuoteChange>(changes: readonly C[]): readonly C[] {
  return changes.flatMap((change) => {
    const cancel = [...change.cancel, ...change.move.map(({ order }) => order.id)];
    return cancel.length === 0 ? [] : [{ ...change, cancel, move: [], place: [] }];
  });
}

/** The distance of the order's price from the prices that the target rounds to. */
function missUnits(order: RestingQuote, { isBid: bids, priceUnits }: Target, tickUnits: number): number {
  const outward = bids ? priceUnits - yesPrice(order) : yesPrice(order) - priceUnits;
  return Math.max(-outward, outward - tickUnits);
}

function hasSize({ quantity }: RestingQuote, wanted: number): boolean {
  return quantity * 2 >= wanted && quantity <= 2 * wanted;
}

/** The loss on each share of the order, against this value of YES; below 0 for a gain. */
export function givenUnits(order: Pick<Quote, 'outcome' | 'priceUnits' | 'side'>, valueUnits: number): number {
  return isBid(order) ? yesPrice(order) - valueUnits : valueUnits - yesPrice(order);
}

/** The order at the tick on the far side of the target; null if no order can have that price, or none is wanted. */
function quoteAt({ isBid: bids, priceUnits, quantity }: Target, tickUnits: number, held: Holding): Quote | null {
  if (quantity < 1) return null;
  const yes = bids ? Math.floor(priceUnits / tickUnits) * tickUnits : Math.ceil(priceUnits / tickUnits) * tickUnits;
  return yes < MIN_PRICE_UNITS || yes > MAX_PRICE_UNITS ? null : orderFor(bids, yes, quantity, held);
}
