import type { Market, Run } from '../state/market.ts';
import type { State } from '../state/state.ts';

export type MarketView = NonNullable<ReturnType<typeof marketView>>;

/** A market's state; null for an unknown market. Prices are units in YES terms, times milliseconds. */
export function marketView(state: State, marketId: string) {
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
    /** Pairs of shares; 0 once the market is resolved or voided. */
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

/** Ids of the markets whose close, resolution or void (run) has not ended, the first to begin first. */
export function pendingRuns(state: State): readonly string[] {
  return [...state.runs.keys()];
}

/** A market's close, resolution or void that has not ended; null if there is none. */
export function unfinishedRun(state: State, marketId: string): Run | null {
  return state.markets.get(marketId)?.run ?? null;
}

/**
 * Ids of active markets whose closing time had already passed when it was set or the market activated, as rules version
 * 1 permitted. They take no orders, and no timer closes them.
 */
export function openMarketsPastClose(state: State): readonly string[] {
  const isLeft = (market: Market): boolean =>
    market.phase === 'active' && market.heapIndex < 0 && market.isPastClose(state.lastAt);
  return [...state.markets.values()].filter(isLeft).map(({ id }) => id);
}
