import { Worker } from 'node:worker_threads';
import { measureGraph, type GraphMetrics } from './graph-metrics.ts';
import type { GraphListing } from './market-graph.ts';

/** Up to here it takes a few milliseconds: less than it takes to start a thread. */
const MARKETS_ON_THIS_THREAD = 100;

const THREAD = import.meta.url.endsWith('.ts') ? 'graph-worker-from-source.mjs' : 'graph-worker.js';

/** Measures the graph, a large one on a thread of its own, which ends with it: listings change seldom. */
export async function measureGraphAside(listings: readonly GraphListing[]): Promise<GraphMetrics> {
  if (listings.length <= MARKETS_ON_THIS_THREAD) return measureGraph(listings);
  const worker = new Worker(new URL(THREAD, import.meta.url), { workerData: listings, execArgv: [] });
  // A process that ends does not wait for a graph.
  worker.unref();
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the thread of the market graph ended with ${code}`)));
  });
}
