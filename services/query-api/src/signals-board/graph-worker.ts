import { parentPort, workerData } from 'node:worker_threads';
import { measureGraph } from './graph-metrics.ts';
import type { GraphListing } from './market-graph.ts';

/** The thread that `measureGraphAside` starts: one graph in, its metrics out. */
const { offsets, neighbours, weights, centrality, clusters, marketIds } = measureGraph(workerData as GraphListing[]);
parentPort?.postMessage({ marketIds, offsets, neighbours, weights, centrality, clusters }, [
  offsets.buffer as ArrayBuffer,
  neighbours.buffer as ArrayBuffer,
  weights.buffer as ArrayBuffer,
  centrality.buffer as ArrayBuffer,
  clusters.buffer as ArrayBuffer,
]);
