import type { Worker } from 'node:worker_threads';
import { startThread } from '@paper/runtime/resources';
import { measureGraph } from './graph-metrics.ts';
import type { GraphMetrics } from './graph-metrics.ts';
import type { GraphListing } from './market-graph.ts';

/** The size up to which the calling thread measures a graph, since that takes only a few milliseconds. */
const MARKETS_ON_THIS_THREAD = 100;
/** The young generation in megabytes: V8's own limit is 48, of which an idle thread gives nothing back. */
const YOUNG_MB = 12;

interface Waiting {
  readonly resolve: (metrics: GraphMetrics) => void;
  readonly reject: (error: Error) => void;
}

/** Measures market graphs; large ones on a thread that is started once. It does not keep the process alive. */
export class GraphThread {
  #worker: Worker | null = null;
  /** The requests in the order in which they were sent, which is the order of the answers. */
  readonly #waiting: Waiting[] = [];

  /** `signal` ends the thread, and is always the same. Throws Error when the thread ends before it has answered. */
  async measure(listings: readonly GraphListing[], signal: AbortSignal): Promise<GraphMetrics> {
    if (listings.length <= MARKETS_ON_THIS_THREAD) return measureGraph(listings);
    signal.throwIfAborted();
    const worker = (this.#worker ??= this.#start(signal));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      worker.postMessage(listings);
    });
  }

  #start(signal: AbortSignal): Worker {
    const worker = startThread('graph-worker', import.meta.url, null, YOUNG_MB);
    const terminate = (): void => void worker.terminate();
    signal.addEventListener('abort', terminate, { once: true });
    worker.once('exit', () => signal.removeEventListener('abort', terminate));
    worker.on('message', (metrics: GraphMetrics) => this.#waiting.shift()?.resolve(metrics));
    worker.on('error', (error: Error) => this.#ended(worker, error));
    worker.on('exit', (code) => this.#ended(worker, new Error(`the thread of the market graph ended with ${code}`)));
    return worker;
  }

  #ended(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
