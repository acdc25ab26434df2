import { OUTCOMES, PHASES } from '@paper/exchange/vocabulary';
import type { Outcome, Phase } from '@paper/exchange/vocabulary';
import { z } from 'zod';
import { count, fraction, money } from './numbers.ts';
import { timestamp } from './text.ts';
import { dollars, dollarsOrNull, iso, isoOrNull, probability, UNITS_PER_DOLLAR } from './units.ts';

export const marketStatus = z.enum(['active', 'resolved', 'pending']);
export type MarketStatus = z.output<typeof marketStatus>;
/** The orders in which markets are listed; what each goes by is in the description of `listMarkets`. */
export const MARKET_SORTS = ['newest', 'activity', 'closing', 'movement'] as const;
export type MarketSort = (typeof MARKET_SORTS)[number];
export const marketPhase = z.enum(PHASES);
export const outcome = z.enum(OUTCOMES);

/** Maps a phase to the status that the specification defines. */
export function statusOf(phase: Phase): MarketStatus {
  return phase === 'active' || phase === 'resolved' ? phase : 'pending';
}

export const Market = z
  .strictObject({
    id: z.string(),
    title: z.string(),
    ticker: z.string(),
    companySlug: z.string().meta({ description: 'The company, as a short name for URLs; never empty.' }),
    sector: z.string(),
    category: z.string(),
    settlementSource: z.string(),
    status: marketStatus.meta({
      description: '`active` and `resolved` equal the phase of that name; every other phase is `pending`.',
    }),
    phase: marketPhase.meta({ description: 'The exact state of the market. Only an active market takes orders.' }),
    resolvedOutcome: outcome.nullable(),
    probability: fraction.meta({
      description:
        'The midpoint if both sides are quoted at most $0.10 apart, else the last trade, else the prior. For a settled market: what YES pays.',
    }),
    volume: count.meta({ description: 'The number of shares traded.' }),
    openInterest: count.meta({ description: 'The number of outstanding pairs of one YES and one NO share.' }),
    bestYesBid: money.nullable(),
    bestYesAsk: money.nullable(),
    bestNoBid: money.nullable(),
    bestNoAsk: money.nullable(),
    spread: money.nullable(),
    lastTradePrice: money.nullable().meta({ description: 'The price of the last trade, in YES terms.' }),
    tickSize: money.meta({
      description: 'The price step: an order with a price between two steps is refused as `invalid_tick`.',
    }),
    closesAt: timestamp,
    createdAt: timestamp,
    resolvedAt: timestamp.nullable(),
    description: z.string().nullable(),
    citationUrl: z.string().nullable(),
    seq: count.meta({ description: "The journal sequence of the market's last event." }),
  })
  .meta({ id: 'Market' });

export type MarketBody = z.output<typeof Market>;

/** A market in units and milliseconds; quotes and the last trade in YES terms. */
export interface MarketView {
  readonly id: string;
  readonly title: string;
  readonly ticker: string;
  readonly companySlug: string;
  readonly sector: string;
  readonly category: string;
  readonly settlementSource: string;
  readonly phase: Phase;
  readonly resolvedOutcome: Outcome | null;
  readonly probabilityHalfUnits: number;
  readonly volume: number;
  readonly openInterest: number;
  readonly bestBidUnits: number | null;
  readonly bestAskUnits: number | null;
  readonly lastTradeUnits: number | null;
  readonly tickUnits: number;
  readonly closesAt: number;
  readonly createdAt: number;
  readonly resolvedAt: number | null;
  readonly description: string | null;
  readonly citationUrl: string | null;
  readonly seq: number;
}

/** Quotes of both outcomes from the best bid and ask in YES terms; null where there is none. */
export function quotes(bestBidUnits: number | null, bestAskUnits: number | null) {
  return {
    bestYesBid: dollarsOrNull(bestBidUnits),
    bestYesAsk: dollarsOrNull(bestAskUnits),
    bestNoBid: bestAskUnits === null ? null : dollars(UNITS_PER_DOLLAR - bestAskUnits),
    bestNoAsk: bestBidUnits === null ? null : dollars(UNITS_PER_DOLLAR - bestBidUnits),
    spread: bestBidUnits === null || bestAskUnits === null ? null : dollars(bestAskUnits - bestBidUnits),
  };
}

export function marketBody(view: MarketView): MarketBody {
  return {
    id: view.id,
    title: view.title,
    ticker: view.ticker,
    companySlug: view.companySlug,
    sector: view.sector,
    category: view.category,
    settlementSource: view.settlementSource,
    status: statusOf(view.phase),
    phase: view.phase,
    resolvedOutcome: view.resolvedOutcome,
    probability: probability(view.probabilityHalfUnits),
    volume: view.volume,
    openInterest: view.openInterest,
    ...quotes(view.bestBidUnits, view.bestAskUnits),
    lastTradePrice: dollarsOrNull(view.lastTradeUnits),
    tickSize: dollars(view.tickUnits),
    closesAt: iso(view.closesAt),
    createdAt: iso(view.createdAt),
    resolvedAt: isoOrNull(view.resolvedAt),
    description: view.description,
    citationUrl: view.citationUrl,
    seq: view.seq,
  };
}

const level = z.strictObject({ price: money, quantity: count, orders: count });
const ladder = z.strictObject({
  bids: z.array(level).meta({ description: 'Price levels, highest first, at most 200.' }),
  asks: z.array(level).meta({ description: 'Price levels, lowest first, at most 200.' }),
});

export const OrderBook = z
  .strictObject({
    marketId: z.string(),
    seq: count.meta({ description: "The journal sequence of the market's last event." }),
    yes: ladder,
    no: ladder.meta({ description: 'The same orders in NO terms: a YES bid at p is a NO ask at 1 − p.' }),
    bestYesBid: money.nullable(),
    bestYesAsk: money.nullable(),
    bestNoBid: money.nullable(),
    bestNoAsk: money.nullable(),
    spread: money.nullable(),
    lastTradePrice: money.nullable().meta({ description: 'The price of the last trade, in YES terms.' }),
  })
  .meta({ id: 'OrderBook' });

export type OrderBookBody = z.output<typeof OrderBook>;

/** Price in YES terms. */
export interface LevelView {
  readonly priceUnits: number;
  readonly quantity: number;
  readonly orders: number;
}

/** A book in YES terms: bids highest first, asks lowest first. */
export interface OrderBookView {
  readonly marketId: string;
  readonly seq: number;
  readonly bids: readonly LevelView[];
  readonly asks: readonly LevelView[];
  readonly lastTradeUnits: number | null;
}

/** Levels of a side that an answer shows. */
export const BOOK_DEPTH = 200;

/** @param depth the levels of a side that the answer shows at most */
export function orderBookBody(view: OrderBookView, depth = BOOK_DEPTH): OrderBookBody {
  const native = ({ priceUnits, quantity, orders }: LevelView) => ({ price: dollars(priceUnits), quantity, orders });
  const mirrored = ({ priceUnits, quantity, orders }: LevelView) => ({
    price: dollars(UNITS_PER_DOLLAR - priceUnits),
    quantity,
    orders,
  });
  const bids = view.bids.slice(0, depth);
  const asks = view.asks.slice(0, depth);
  return {
    marketId: view.marketId,
    seq: view.seq,
    yes: { bids: bids.map(native), asks: asks.map(native) },
    no: { bids: asks.map(mirrored), asks: bids.map(mirrored) },
    ...quotes(bids[0]?.priceUnits ?? null, asks[0]?.priceUnits ?? null),
    lastTradePrice: dollarsOrNull(view.lastTradeUnits),
  };
}
