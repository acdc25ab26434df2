import { MINUTE_MS } from '@paper/contracts/units';
import { MAX_PRICE_UNITS, MIN_PRICE_UNITS, NOTHING_HELD, orderFor } from '../quotes.ts';
import type { Holding, Quote } from '../quotes.ts';
import { fractionOf, pickOne, wholeBetween } from './chance.ts';
import type { Chance } from './chance.ts';
import type { CitedValue } from './news.ts';

/** The decisions of the demo's traders. Each order is a market order with a price bound. */

export interface TraderMarketView {
  readonly marketId: string;
  readonly tickUnits: number;
  readonly bidUnits: number | null;
  readonly askUnits: number | null;
  readonly probability: number;
  /** The probability's change within the last minutes. */
  readonly move: number;
  readonly stillMs: number;
  readonly volume: number;
  /** The price that the traders consider reasonable: they pay at most `FURTHEST_UNITS` more. */
  readonly saneUnits: number;
  readonly cited: CitedValue | null;
}

export interface TraderView {
  readonly name: string;
  readonly markets: readonly TraderMarketView[];
  readonly held: ReadonlyMap<string, Holding>;
  /** The remaining part of the starting balance, 0 to 1: a trader who has lost money trades less. */
  readonly wealth: number;
  readonly nowMs: number;
}

export interface TraderOrder extends Quote {
  readonly marketId: string;
}

export type Trader = (view: TraderView, chance: Chance) => TraderOrder | null;

/** The furthest from the reasonable price (`saneUnits`) that a trader pays. */
const FURTHEST_UNITS = 500;
/** The widest spread at which traders trade: with a wider one the makers are absent. */
const WIDEST_SPREAD_UNITS = 1_000;

interface TradedMarket extends TraderMarketView {
  readonly bidUnits: number;
  readonly askUnits: number;
}

function isTraded(market: TraderMarketView): market is TradedMarket {
  const { askUnits, bidUnits } = market;
  return askUnits !== null && bidUnits !== null && askUnits - bidUnits <= WIDEST_SPREAD_UNITS;
}

/** One of the orders that the trader would send in the traded markets, at random; null if there is none. */
function pickOrder(view: TraderView, chance: Chance, orderIn: (market: TradedMarket) => TraderOrder | null) {
  const orders = view.markets
    .filter(isTraded)
    .map(orderIn)
    .filter((order) => order !== null);
  return pickOne(chance, orders) ?? null;
}

/** An order that fills against one side of the book up to `boundUnits`; null if nothing rests within the bound. */
function take(
  market: TradedMarket,
  side: 'buy yes' | 'buy no',
  boundUnits: number,
  quantity: number,
  view: TraderView,
): TraderOrder | null {
  const { askUnits, bidUnits, marketId, saneUnits, tickUnits } = market;
  const isUp = side === 'buy yes';
  const bound = isUp
    ? Math.floor(Math.min(boundUnits, saneUnits + FURTHEST_UNITS, MAX_PRICE_UNITS) / tickUnits) * tickUnits
    : Math.ceil(Math.max(boundUnits, saneUnits - FURTHEST_UNITS, MIN_PRICE_UNITS) / tickUnits) * tickUnits;
  if (isUp ? bound < askUnits : bound > bidUnits) return null;
  const shares = Math.max(1, Math.round(quantity * view.wealth));
  const held = view.held.get(marketId) ?? NOTHING_HELD;
  const other = isUp ? held.no : held.yes;
  // A holder of the other outcome sells those shares first.
  return { marketId, ...orderFor(isUp, bound, other > 0 ? Math.min(shares, other) : shares, held) };
}

const READS = 0.7;
const READS_AFTER_MS = [8_000, 70_000] as const;
const READS_UNTIL_MS = 8 * MINUTE_MS;
const INFORMED_EDGE_UNITS = 75;
const INFORMED_HOLDS = 120;

/** The delay with which this trader acts on a signal's fair value; null: never. */
export function latenessMs(name: string, { seq }: CitedValue): number | null {
  if (fractionOf(`${name} reads ${seq}`) >= READS) return null;
  const [low, high] = READS_AFTER_MS;
  return low + (high - low) * fractionOf(`${name} acts on ${seq}`);
}

/** Trades late towards the fair values of the newest signals, and sells its shares when the price has gone beyond. */
export const informed: Trader = (view, chance) =>
  pickOrder(view, chance, (market) => {
    const { askUnits, bidUnits, cited, marketId } = market;
    if (cited === null) return null;
    const late = latenessMs(view.name, cited);
    const age = view.nowMs - cited.publishedAtMs;
    // Older news says nothing about the present price.
    if (late === null || age < late || age > READS_UNTIL_MS) return null;
    const fair = cited.fairProb * 10_000;
    const { yes, no } = view.held.get(marketId) ?? NOTHING_HELD;
    const quantity = wholeBetween(chance, 5, 25);
    let beyond: TraderOrder | null = null;
    if (yes > no && bidUnits >= fair + INFORMED_EDGE_UNITS / 2) {
      beyond = take(market, 'buy no', bidUnits, quantity, view);
    } else if (no > yes && askUnits <= fair - INFORMED_EDGE_UNITS / 2) {
      beyond = take(market, 'buy yes', askUnits, quantity, view);
    }
    if (beyond !== null) return beyond;
    const [low, high] = [fair - INFORMED_EDGE_UNITS, fair + INFORMED_EDGE_UNITS];
    if (askUnits <= low && yes < INFORMED_HOLDS) return take(market, 'buy yes', low, quantity, view);
    if (bidUnits >= high && no < INFORMED_HOLDS) return take(market, 'buy no', high, quantity, view);
    return null;
  });

const STILLEST = 3;
const quiet = ({ stillMs, volume }: TraderMarketView): number => (volume === 0 ? Number.MAX_VALUE : stillMs);
const NOISE_SELLS = 0.6;

/** Trades at random, in a market without trades or the stillest, and mostly reduces its position there. */
export const noise: Trader = (view, chance) => {
  const still = view.markets.filter(isTraded).sort((a, b) => quiet(b) - quiet(a));
  const market = pickOne(chance, still.slice(0, STILLEST));
  if (market === undefined) return null;
  const { yes, no } = view.held.get(market.marketId) ?? NOTHING_HELD;
  const goesBack = yes !== no && chance() < NOISE_SELLS;
  const isUp = goesBack ? no > yes : chance() < 0.5;
  const { askUnits, bidUnits, tickUnits } = market;
  const bound = isUp ? askUnits + tickUnits : bidUnits - tickUnits;
  return take(market, isUp ? 'buy yes' : 'buy no', bound, wholeBetween(chance, 6, 24), view);
};

const TREND = 0.025;
const TREND_HOLDS = 60;

/** Buys what has risen and sells what has fallen; closes the position when the trend is over. */
export const momentum: Trader = (view, chance) =>
  pickOrder(view, chance, (market) => {
    const { askUnits, bidUnits, marketId, move, tickUnits } = market;
    const { yes, no } = view.held.get(marketId) ?? NOTHING_HELD;
    const quantity = wholeBetween(chance, 5, 15);
    if (yes > 0 && move <= 0) return take(market, 'buy no', bidUnits, quantity, view);
    if (no > 0 && move >= 0) return take(market, 'buy yes', askUnits, quantity, view);
    if (move >= TREND && yes < TREND_HOLDS) return take(market, 'buy yes', askUnits + tickUnits, quantity, view);
    if (move <= -TREND && no < TREND_HOLDS) return take(market, 'buy no', bidUnits - tickUnits, quantity, view);
    return null;
  });

export const TRADERS = [
  { role: 'demo-trader-1', displayName: 'Demo Ada', trader: informed },
  { role: 'demo-trader-2', displayName: 'Demo Boris', trader: informed },
  { role: 'demo-trader-3', displayName: 'Demo Chidi', trader: informed },
  { role: 'demo-trader-4', displayName: 'Demo Dana', trader: noise },
  { role: 'demo-trader-5', displayName: 'Demo Elif', trader: noise },
  { role: 'demo-trader-6', displayName: 'Demo Femi', trader: noise },
  { role: 'demo-trader-7', displayName: 'Demo Greta', trader: noise },
  { role: 'demo-trader-8', displayName: 'Demo Hugo', trader: momentum },
] as const;
