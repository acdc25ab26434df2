import { probability, HOUR_MS } from '@paper/contracts/units';
import type { queries } from '@paper/read-models';
import type { GraphMetrics } from './graph-metrics.ts';

const ORACLE_DECAY_MS = 24 * HOUR_MS;
const DEFAULT_CONFIDENCE = 0.5;

/** The computed signals of all active markets, in the given order, at a minute. `graph` is that of these markets. */
export function marketSignals(inputs: readonly queries.SignalInput[], graph: GraphMetrics, at: number) {
  const bySector = new Means(inputs, ({ sector }) => sector);
  const byCompany = new Means(inputs, ({ companySlug }) => companySlug);
  const indexOf = new Map(graph.marketIds.map((id, index) => [id, index]));
  const deltas = new Float64Array(inputs.length);
  const openInterests = new Float64Array(inputs.length);
  for (const input of inputs) {
    const index = indexOf.get(input.marketId);
    if (index === undefined) throw new Error(`the graph lacks the market ${input.marketId}`);
    deltas[index] = deltaOf(input);
    openInterests[index] = input.openInterest;
  }
  const risks = clusterRisks(graph.clusters, deltas, openInterests);
  return inputs.map((input) => {
    const index = indexOf.get(input.marketId) ?? 0;
    const cluster = graph.clusters[index] ?? index;
    return {
      ...input,
      snapshotDeltaHalfUnits: deltaOf(input),
      volumeDelta: input.volume24h - input.volumeDayBefore,
      sectorAvgHalfUnits: bySector.of(input),
      graphCentrality: graph.centrality[index] ?? 0,
      clusterRiskScore: risks.get(cluster) ?? 0,
      oracleScore: oracleScore(input.fairValue, input.probabilityHalfUnits, at),
      neighborDeltaHalfUnits: neighborDelta(graph, index, deltas),
      siblingAvgHalfUnits: byCompany.ofOthers(input),
      relatedDrivers: input.drivers,
      clusterIds: [graph.marketIds[cluster] ?? input.marketId],
      evaluatedAt: at,
    };
  });
}

function deltaOf(input: queries.SignalInput): number {
  return input.probabilityHalfUnits - input.probabilityDayAgoHalfUnits;
}

class Means {
  readonly #groups = new Map<string, { sum: number; count: number }>();

  constructor(
    inputs: readonly queries.SignalInput[],
    private readonly nameOf: (input: queries.SignalInput) => string,
  ) {
    for (const input of inputs) {
      const group = this.#group(input);
      group.sum += input.probabilityHalfUnits;
      group.count += 1;
      this.#groups.set(nameOf(input), group);
    }
  }

  of(input: queries.SignalInput): number {
    const { sum, count } = this.#group(input);
    return sum / count;
  }

  /** The mean of the other markets of the group; null if there are none. */
  ofOthers(input: queries.SignalInput): number | null {
    const { sum, count } = this.#group(input);
    return count === 1 ? null : (sum - input.probabilityHalfUnits) / (count - 1);
  }

  #group(input: queries.SignalInput): { sum: number; count: number } {
    return this.#groups.get(this.nameOf(input)) ?? { sum: 0, count: 0 };
  }
}

/** The risk of each cluster: its share of all open interest × its mean |delta| (as a probability) × 10, at most 1. */
function clusterRisks(clusters: Uint32Array, deltas: Float64Array, openInterests: Float64Array): Map<number, number> {
  const totals = new Map<number, { openInterest: number; moved: number; count: number }>();
  clusters.forEach((cluster, market) => {
    const total = totals.get(cluster) ?? { openInterest: 0, moved: 0, count: 0 };
    total.openInterest += openInterests[market] ?? 0;
    total.moved += Math.abs(deltas[market] ?? 0);
    total.count += 1;
    totals.set(cluster, total);
  });
  const all = openInterests.reduce((a, b) => a + b, 0);
  return new Map(
    [...totals].map(([cluster, { openInterest, moved, count }]) => {
      const share = all === 0 ? 0 : openInterest / all;
      return [cluster, Math.min(1, share * probability(moved / count) * 10)];
    }),
  );
}

/** The mean of the neighbours' deltas, weighted by the edges; null without neighbours. */
function neighborDelta(graph: GraphMetrics, market: number, deltas: Float64Array): number | null {
  let sum = 0;
  let total = 0;
  for (let edge = graph.offsets[market] ?? 0; edge < (graph.offsets[market + 1] ?? 0); edge += 1) {
    const weight = graph.weights[edge] ?? 0;
    sum += weight * (deltas[graph.neighbours[edge] ?? 0] ?? 0);
    total += weight;
  }
  return total === 0 ? null : sum / total;
}

function oracleScore(fairValue: queries.FairValue | null, probabilityHalfUnits: number, at: number): number {
  if (fairValue === null) return 0;
  const ageMs = Math.max(0, at - fairValue.publishedAt);
  const agreement = 1 - Math.abs(fairValue.fairProb - probability(probabilityHalfUnits));
  return (fairValue.confidence ?? DEFAULT_CONFIDENCE) * Math.exp(-ageMs / ORACLE_DECAY_MS) * agreement;
}
