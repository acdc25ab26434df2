import { Agent, get } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { figure, printBar, quantile, seconds } from '../../index.ts';
import type { QueryServer } from './query-server.ts';

const SHOWN_WITHIN_MS = 2_000;

const agent = new Agent({ keepAlive: true });

interface Fetched {
  readonly ms: number;
  readonly bytes: number;
  readonly seq: number;
}

/**
 * Reads one whole answer over a kept connection.
 * @throws Error unless its status is 200.
 */
function fetchOnce(server: QueryServer, path: string, encoding: 'gzip' | 'identity'): Promise<Fetched> {
  const begunMs = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${server.key}`, 'accept-encoding': encoding };
    get(`${server.url}${path}`, { agent, headers }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode}`));
        else resolve({ ms: performance.now() - begunMs, bytes, seq: Number(response.headers['x-journal-seq']) });
      });
    }).on('error', reject);
  });
}

/** Resolves to the time until the first answer with status 200. */
export async function firstAnswer(server: QueryServer, path: string): Promise<number> {
  const begunMs = performance.now();
  while (!(await fetchOnce(server, path, 'gzip').catch(() => null))) await setTimeout(50);
  return performance.now() - begunMs;
}

/** Times of consecutive answers. */
export async function answerTimes(server: QueryServer, path: string, encoding: 'gzip' | 'identity', count: number) {
  const times: number[] = [];
  let bytes = 0;
  for (let n = 0; n < count; n += 1) {
    const fetched = await fetchOnce(server, path, encoding);
    times.push(fetched.ms);
    bytes = fetched.bytes;
  }
  return { ms: times, bytes };
}

/** Measures how long after its commit each change is served. */
async function delays(server: QueryServer, path: string, marketIds: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (const marketId of marketIds) {
    const seq = await server.change(marketId);
    const begunMs = performance.now();
    while ((await fetchOnce(server, path, 'gzip')).seq < seq) await setTimeout(10);
    times.push(performance.now() - begunMs);
  }
  return times;
}

/** Median and worst as text. */
export function spread(times: readonly number[]): string {
  const [half, p99, worst] = [0.5, 0.99, 1].map((at) => figure(quantile(times, at), 1));
  return `median ${half ?? ''} ms, p99 ${p99 ?? ''} ms, worst ${worst ?? ''} ms`;
}

/** Prints how soon changes of these markets are served, with the bar for it, and how long the event loop was held up. */
export async function measureChanges(server: QueryServer, path: string, marketIds: readonly string[]): Promise<void> {
  const held = monitorEventLoopDelay({ resolution: 5 });
  held.enable();
  const times = await delays(server, path, marketIds);
  held.disable();
  console.log(`a change is shown after: ${spread(times)}`);
  printBar({ name: 'the slowest of them', value: quantile(times, 1), atMost: SHOWN_WITHIN_MS, show: seconds });
  const [p99, worst] = [held.percentile(99), held.max].map((ns) => figure(ns / 1e6, 1));
  console.log(`event loop held up meanwhile: p99 ${p99 ?? ''} ms, worst ${worst ?? ''} ms`);
}
