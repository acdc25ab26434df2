import { z } from 'zod';
import { quotes } from './market.ts';
import { count, difference, fraction, money } from './numbers.ts';
import { RecentEvent, recentEventBody } from './signal.ts';
import type { SignalView } from './signal.ts';
import { probability } from './units.ts';

/** A difference of two probabilities. */
const delta = z.number().min(-1).max(1);

export const MarketSignal = z
  .strictObject({
    marketId: z.string(),
    title: z.string(),
    companySlug: z.string(),
    sector: z.string(),
    category: z.string(),
    settlementSource: z.string(),
    probability: fraction.meta({ description: "The market's own probability." }),
    volume: count.meta({ description: 'The number of shares traded.' }),
    companyImpact: fraction.meta({ description: 'The weight that the listing gives the market, 0 to 1.' }),
    snapshotDelta: delta.meta({
      description: 'The probability minus that of 24 h ago; for a younger market minus its prior.',
    }),
    daysToEnd: z.number().min(0).meta({ description: 'The days until the market closes; 0 after that.' }),
    volumeDelta: difference.meta({ description: 'The shares traded in the last 24 h minus those of the 24 h before.' }),
    sectorAvgProb: fraction.meta({
      description: "The mean probability of the sector's active markets, including this one.",
    }),
    openInterest: count.meta({ description: 'The number of outstanding pairs of one YES and one NO share.' }),
    graphCentrality: fraction.meta({
      description:
        'The PageRank of the market in the market graph, divided by the largest one. The graph joins active markets by company (weight 3), by each shared driver (2) and by sector (1). If more than 65 markets share one of these, it joins each with its 64 nearest in the order of ids, as on a ring.',
    }),
    clusterRiskScore: fraction.meta({
      description: "min(1, the cluster's share of all open interest × its mean |snapshotDelta| × 10).",
    }),
    oracleScore: fraction.meta({
      description:
        'For the newest cited fair value: confidence (default 0.5) × exp(−age / 24 h) × (1 − |fair value − probability|), with the age since its publication. 0 if there is no fair value.',
    }),
    neighborSignal: delta.nullable().meta({
      description: "The mean snapshotDelta of the market's neighbours, weighted by edge; null without neighbours.",
    }),
    bestYesBid: money.nullable(),
    bestNoBid: money.nullable(),
    bestYesAsk: money.nullable(),
    spread: money.nullable(),
    siblingAvgProb: fraction
      .nullable()
      .meta({ description: "The mean probability of the company's other active markets; null if there are none." }),
    relatedDrivers: z.array(z.string()).meta({ description: 'The drivers that the listing names.' }),
    clusterIds: z.array(z.string()).meta({
      description:
        'The communities of the market graph that the market belongs to (Louvain with a fixed seed). Each is named after its smallest member, and all are recomputed when listings change.',
    }),
    recentEvents: z
      .array(RecentEvent)
      .meta({ description: 'The five newest cited signals about the market, newest first.' }),
  })
  .meta({ id: 'MarketSignal' });

export type MarketSignalBody = z.output<typeof MarketSignal>;

/** Cited signals that a market's item shows. */
export const RECENT_EVENTS = 5;

/**
 * An active market with what follows from its own history, its neighbours and what was cited about it. Probabilities
 * and their differences in half units (a mean need not be whole), quotes in YES terms, scores as they are.
 */
export interface MarketSignalView {
  readonly marketId: string;
  readonly title: string;
  readonly companySlug: string;
  readonly sector: string;
  readonly category: string;
  readonly settlementSource: string;
  readonly probabilityHalfUnits: number;
  readonly volume: number;
  readonly companyImpact: number;
  readonly snapshotDeltaHalfUnits: number;
  readonly closesAt: number;
  readonly volumeDelta: number;
  readonly sectorAvgHalfUnits: number;
  readonly openInterest: number;
  readonly graphCentrality: number;
  readonly clusterRiskScore: number;
  readonly oracleScore: number;
  readonly neighborDeltaHalfUnits: number | null;
  readonly bestBidUnits: number | null;
  readonly bestAskUnits: number | null;
  readonly siblingAvgHalfUnits: number | null;
  readonly relatedDrivers: readonly string[];
  readonly clusterIds: readonly string[];
  /** Newest first; at most RECENT_EVENTS. */
  readonly recentEvents: readonly SignalView[];
}

const DAY_MS = 86_400_000;

/** Six decimals: more would be noise, and take room in an answer about thousands of markets. */
function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

function mean(halfUnits: number | null): number | null {
  return halfUnits === null ? null : rounded(probability(halfUnits));
}

/** `at`: the whole minute, in ms, at which the windows were evaluated. */
export function marketSignalBody(view: MarketSignalView, at: number): MarketSignalBody {
  const { bestYesBid, bestNoBid, bestYesAsk, spread } = quotes(view.bestBidUnits, view.bestAskUnits);
  return {
    marketId: view.marketId,
    title: view.title,
    companySlug: view.companySlug,
    sector: view.sector,
    category: view.category,
    settlementSource: view.settlementSource,
    probability: probability(view.probabilityHalfUnits),
    volume: view.volume,
    companyImpact: view.companyImpact,
    snapshotDelta: probability(view.snapshotDeltaHalfUnits),
    daysToEnd: rounded(Math.max(0, view.closesAt - at) / DAY_MS),
    volumeDelta: view.volumeDelta,
    sectorAvgProb: rounded(probability(view.sectorAvgHalfUnits)),
    openInterest: view.openInterest,
    graphCentrality: rounded(view.graphCentrality),
    clusterRiskScore: rounded(view.clusterRiskScore),
    oracleScore: rounded(view.oracleScore),
    neighborSignal: mean(view.neighborDeltaHalfUnits),
    bestYesBid,
    bestNoBid,
    bestYesAsk,
    spread,
    siblingAvgProb: mean(view.siblingAvgHalfUnits),
    relatedDrivers: [...view.relatedDrivers],
    clusterIds: [...view.clusterIds],
    recentEvents: view.recentEvents.map(recentEventBody),
  };
}
