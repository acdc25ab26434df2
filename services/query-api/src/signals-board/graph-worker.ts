import { parentPort } from 'node:worker_threads';
import { measureGraph } from './graph-metrics.ts';
import type { GraphListing } from './market-graph.ts';

parentPort?.on('message', (listings: readonly GraphListing[]) => {
  const metrics = measureGraph(listings);
  const { offsets, neighbours, weights, centrality, clusters } = metrics;
  const moved = [offsets, neighbours, weights, centrality, clusters].map(({ buffer }) => buffer as ArrayBuffer);
  parentPort?.postMessage(metrics, moved);
});
