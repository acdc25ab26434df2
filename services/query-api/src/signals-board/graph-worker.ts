import { parentPort } from 'node:worker_threads';
import { measureGraph } from './graph-metrics.ts';
import type { GraphListing } from './market-graph.ts';

parentPort?.on('message', (listings: readonly GraphListing[]) => {
  const { offsets, neighbours, weights, centrality, clusters, marketIds } = measureGraph(listings);
  parentPort?.postMessage({ marketIds, offsets, neighbours, weights, centrality, clusters }, [
    offsets.buffer as ArrayBuffer,
    neighbours.buffer as ArrayBuffer,
    weights.buffer as ArrayBuffer,
    centrality.buffer as ArrayBuffer,
    clusters.buffer as ArrayBuffer,
  ]);
});
