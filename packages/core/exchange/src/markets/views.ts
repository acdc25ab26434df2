import type { Market, Run, Settlement } from '../state/market.ts';
import type { State } from '../state/state.ts';
import type { Outcome, Phase } from '../vocabulary.ts';

/** A market as it is in the state; prices are units in YES terms, times are ms. */
export interface MarketView {
  readonly bestAskUnits: number | null;
  readonly bestBidUnits: number | null;
  readonly category: string;
  readonly citationUrl: string | null;
  readonly closesAt: number;
  readonly companyImpact: number;
  readonly companySlug: string;
  readonly createdAt: number;
  readonly description: string | null;
  readonly drivers: readonly string[];
  readonly id: string;
  readonly lastTradeUnits: number | null;
  /** Pairs; 0 once resolved or voided. */
  readonly openInterest: number;
  readonly phase: Phase;
  readonly priorUnits: number;
  readonly probabilityHalfUnits: number;
  /** Time of MarketResolved or MarketVoided. */
  readonly resolvedAt: number | null;
  /** Set from MarketResolved on; stays null for a void. */
  readonly resolvedOutcome: Outcome | null;
  readonly run: Run | null;
  readonly sector: string;
  /** Sequence of the market's last event. */
  readonly seq: number;
  /** Set from MarketSettled on. */
  readonly settlement: Settlement | null;
  readonly settlementSource: string;
  readonly tickUnits: number;
  readonly ticker: string;
  readonly title: string;
  readonly volume: number;
}

/** Null for a market that was never listed. */
export function marketView(state: State, marketId: string): MarketView | null {
  const market = state.markets.get(marketId);
  if (market === undefined) return null;
  return {
    bestAskUnits: market.book.bestAskUnits,
    bestBidUnits: market.book.bestBidUnits,
    category: market.category,
    citationUrl: market.citationUrl,
    closesAt: market.closesAt,
    companyImpact: market.companyImpact,
    companySlug: market.companySlug,
    createdAt: market.createdAt,
    description: market.description,
    drivers: market.drivers,
    id: market.id,
    lastTradeUnits: market.lastTradeUnits,
    openInterest: market.pairs,
    phase: market.phase,
    priorUnits: market.priorUnits,
    probabilityHalfUnits: market.probabilityHalfUnits(),
    resolvedAt: market.resolvedAt,
    resolvedOutcome: market.resolvedOutcome,
    run: market.run,
    sector: market.sector,
    seq: market.lastSeq,
    settlement: market.settlement,
    settlementSource: market.settlementSource,
    tickUnits: market.tickUnits,
    ticker: market.ticker,
    title: market.title,
    volume: market.volume,
  };
}

/** Ids of the markets whose close, resolve or void has not ended, oldest run first. */
export function pendingRuns(state: State): readonly string[] {
  return [...state.runs.keys()];
}

/** A market's unfinished run; null when there is none. */
export function runOf(state: State, marketId: string): Run | null {
  return state.markets.get(marketId)?.run ?? null;
}

/**
 * Ids of active markets whose closing time had already passed when it was set or when they were activated. They take no
 * orders, and no timer closes them. Rules version 1 permitted such a change of closesAt.
 */
export function leftOpen(state: State): readonly string[] {
  const isLeft = (market: Market): boolean =>
    market.phase === 'active' && market.timerIndex < 0 && market.isPastClose(state.lastAt);
  return [...state.markets.values()].filter(isLeft).map(({ id }) => id);
}
