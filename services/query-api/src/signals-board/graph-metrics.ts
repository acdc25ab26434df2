import { UndirectedGraph } from 'graphology';
import louvainModule from 'graphology-communities-louvain';
import pagerankModule from 'graphology-metrics/centrality/pagerank.js';
import { seededNumbers } from '@paper/runtime';
import { joinMarkets } from './market-graph.ts';
import type { GraphListing, MarketGraph } from './market-graph.ts';

// These CommonJS modules export their function itself, though their types declare a default export.
const louvain = louvainModule as unknown as typeof louvainModule.default;
const pagerank = pagerankModule as unknown as typeof pagerankModule.default;

/** The seed for finding communities. It is constant, so that communities depend only on the listings. */
const SEED = 0x5eed;

export interface GraphMetrics extends MarketGraph {
  /** PageRank divided by the largest PageRank. */
  readonly centrality: Float64Array;
  /** The index of the smallest member of the market's community. */
  readonly clusters: Uint32Array;
}

/** Measures the graph: a second for thousands of markets, so not on the thread that answers requests. */
export function measureGraph(listings: readonly GraphListing[]): GraphMetrics {
  const graph = joinMarkets(listings);
  if (graph.marketIds.length === 0) return { ...graph, centrality: new Float64Array(), clusters: new Uint32Array() };
  const built = build(graph);
  const ranks = pagerank(built, { getEdgeWeight: 'weight' });
  const communities = louvain(built, { getEdgeWeight: 'weight', rng: seededNumbers(SEED) });
  const size = graph.marketIds.length;
  const rank = Float64Array.from({ length: size }, (_, market) => ranks[market] ?? 0);
  const highest = rank.reduce((a, b) => Math.max(a, b));
  const smallest = new Map<number, number>();
  const clusters = Uint32Array.from({ length: size }, (_, market) => {
    const community = communities[market] ?? -1;
    const named = smallest.get(community) ?? market;
    smallest.set(community, named);
    return named;
  });
  return { ...graph, centrality: rank.map((each) => each / highest), clusters };
}

function build({ marketIds, offsets, neighbours, weights }: MarketGraph): UndirectedGraph {
  const graph = new UndirectedGraph();
  for (let market = 0; market < marketIds.length; market += 1) graph.addNode(market);
  for (let market = 0; market < marketIds.length; market += 1) {
    for (let edge = offsets[market] ?? 0; edge < (offsets[market + 1] ?? 0); edge += 1) {
      const neighbour = neighbours[edge] ?? 0;
      if (market < neighbour) graph.addUndirectedEdge(market, neighbour, { weight: weights[edge] ?? 0 });
    }
  }
  return graph;
}
