import { z } from 'zod';
import { answer, chance, computed, list, same } from '../answer.ts';
import type { ViewOf } from '../answer.ts';
import { bestNoBid, bestYesAsk, bestYesBid, spread } from '../markets/market.ts';
import { count, delta, difference, fraction } from '../numbers.ts';
import { DAY_MS, probability } from '../units.ts';
import { RecentEvent } from './signal.ts';

/** Rounds to six decimals: more would be noise, and take room in an answer about thousands of markets. */
function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

function score<N extends string>(name: N, description: string) {
  return computed(fraction.describe(description), (view: { readonly [_ in N]: number }) => rounded(view[name]));
}

/** A field with a mean of half units, to six decimals; null stays null. */
function meanOrNull<N extends string>(schema: z.ZodType<number | null>, name: N) {
  return computed(schema, (view: { readonly [_ in N]: number | null }) => {
    const halfUnits = view[name];
    return halfUnits === null ? null : rounded(probability(halfUnits));
  });
}

/**
 * An active market with figures from its own history, its neighbours and its cited signals. Probabilities and their
 * differences are in half units (a mean need not be whole), quotes in YES terms.
 */
export const MarketSignal = answer('MarketSignal', {
  marketId: same(z.string()),
  title: same(z.string()),
  companySlug: same(z.string()),
  sector: same(z.string()),
  category: same(z.string()),
  settlementSource: same(z.string()),
  probability: chance('probabilityHalfUnits', "The market's own probability."),
  volume: same(count, 'The number of shares traded.'),
  companyImpact: same(fraction, 'The weight that the listing gives the market, 0 to 1.'),
  snapshotDelta: computed(
    delta.describe('The probability minus that of 24 h ago; for a younger market minus its prior.'),
    ({ snapshotDeltaHalfUnits }: { readonly snapshotDeltaHalfUnits: number }) => probability(snapshotDeltaHalfUnits),
  ),
  daysToEnd: computed(
    z.number().min(0).describe('The days until the market closes; 0 after that.'),
    ({ closesAt, evaluatedAt }: { readonly closesAt: number; readonly evaluatedAt: number }) =>
      rounded(Math.max(0, closesAt - evaluatedAt) / DAY_MS),
  ),
  volumeDelta: same(difference, 'The shares traded in the last 24 h minus those of the 24 h before.'),
  sectorAvgProb: computed(
    fraction.describe("The mean probability of the sector's active markets, including this one."),
    ({ sectorAvgHalfUnits }: { readonly sectorAvgHalfUnits: number }) => rounded(probability(sectorAvgHalfUnits)),
  ),
  openInterest: same(count, 'The number of outstanding pairs of one YES and one NO share.'),
  graphCentrality: score(
    'graphCentrality',
    'The PageRank of the market in the market graph, divided by the largest one. The graph joins active markets by company (weight 3), by each shared driver (2) and by sector (1). If more than 65 markets share one of these, it joins each with its 64 nearest in the order of ids, as on a ring.',
  ),
  clusterRiskScore: score(
    'clusterRiskScore',
    "min(1, the cluster's share of all open interest × its mean |snapshotDelta| × 10).",
  ),
  oracleScore: score(
    'oracleScore',
    'For the newest cited fair value: confidence (default 0.5) × exp(−age / 24 h) × (1 − |fair value − probability|), with the age since its publication. 0 if there is no fair value.',
  ),
  neighborSignal: meanOrNull(
    delta
      .nullable()
      .describe("The mean snapshotDelta of the market's neighbours, weighted by edge; null without neighbours."),
    'neighborDeltaHalfUnits',
  ),
  bestYesBid,
  bestNoBid,
  bestYesAsk,
  spread,
  siblingAvgProb: meanOrNull(
    fraction.nullable().describe("The mean probability of the company's other active markets; null if there are none."),
    'siblingAvgHalfUnits',
  ),
  relatedDrivers: same(z.array(z.string()), 'The drivers that the listing names.'),
  clusterIds: same(
    z.array(z.string()),
    'The communities of the market graph that the market belongs to (Louvain with a fixed seed). Each is named after its smallest member, and all are recomputed when listings change.',
  ),
  recentEvents: list('recentEvents', RecentEvent, 'The five newest cited signals about the market, newest first.'),
});

/** `evaluatedAt`: the whole minute, in ms, at which the windows were evaluated. */
export type MarketSignalView = ViewOf<typeof MarketSignal>;

export const RECENT_EVENTS = 5;
