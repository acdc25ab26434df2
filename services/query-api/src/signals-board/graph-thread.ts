import { Worker } from 'node:worker_threads';
import { measureGraph, type GraphMetrics } from './graph-metrics.ts';
import type { GraphListing } from './market-graph.ts';

/** Up to here it takes a few milliseconds: less than it takes to start a thread. */
const MARKETS_ON_THIS_THREAD = 100;

const THREAD = import.meta.url.endsWith('.ts') ? 'graph-worker-from-source.mjs' : 'graph-worker.js';

/**
 * Measures the graph, a large one on a thread of its own, which ends with it: listings change seldom. Rejects when the
 * signal aborts.
 */
export async function measureGraphAside(listings: readonly GraphListing[], signal: AbortSignal): Promise<GraphMetrics> {
  if (listings.length <= MARKETS_ON_THIS_THREAD) return measureGraph(listings);
  const worker = new Worker(new URL(THREAD, import.meta.url), { workerData: listings, execArgv: [] });
  const terminate = (): void => void worker.terminate();
  signal.addEventListener('abort', terminate);
  try {
    return await new Promise<GraphMetrics>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', (code) => reject(new Error(`the thread of the market graph ended with ${code}`)));
    });
  } finally {
    signal.removeEventListener('abort', terminate);
  }
}
