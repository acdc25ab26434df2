import { Agent, get } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { QueryServer } from './query-server.ts';

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
export function fetchOnce(server: QueryServer, path: string, encoding: 'gzip' | 'identity'): Promise<Fetched> {
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
export async function delays(server: QueryServer, path: string, marketIds: readonly string[]): Promise<number[]> {
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
  const sorted = [...times].sort((a, b) => a - b);
  const at = (quantile: number): string => (sorted[Math.floor((sorted.length - 1) * quantile)] ?? 0).toFixed(1);
  return `median ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${at(1)} ms`;
}
