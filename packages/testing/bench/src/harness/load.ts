import { setTimeout as sleep } from 'node:timers/promises';
import { HttpConnection } from './http-connection.ts';

export interface LoadOptions {
  readonly port: number;
  /** The number of clients, each with a connection of its own and one request in flight. */
  readonly clients: number;
  readonly ms: number;
}

export interface Load {
  readonly latenciesMs: readonly number[];
  readonly perSecond: number;
}

/** Sends the `n`th request of all, and throws if its answer is wrong. */
type Send = (connection: HttpConnection, n: number) => Promise<unknown>;

/** The most by which timers fire late. So short a delay does not count towards a latency. */
const TIMER_MS = 2;

/** Clients send when their previous request is answered; the first of each, before `whenOpen`, is not measured. */
export async function closedLoop(
  { port, clients, ms, whenOpen }: LoadOptions & { readonly whenOpen?: () => Promise<void> },
  send: Send,
): Promise<Load> {
  let sent = 0;
  const connections = await open(port, clients);
  await Promise.all(connections.map((connection) => send(connection, sent++)));
  await whenOpen?.();
  const latenciesMs: number[] = [];
  const begunMs = performance.now();
  return measured(connections, latenciesMs, async (connection) => {
    for (let sentMs = performance.now(); sentMs - begunMs < ms; sentMs = performance.now()) {
      await send(connection, sent++);
      latenciesMs.push(performance.now() - sentMs);
    }
  });
}

/** Clients take turns at a fixed rate. Latencies count from the time at which a request was due. */
export async function pacedLoop(
  { port, clients, ms, perSecond, signal }: LoadOptions & { readonly perSecond: number; readonly signal?: AbortSignal },
  send: Send,
): Promise<Load> {
  const connections = await open(port, clients);
  const latenciesMs: number[] = [];
  const begunMs = performance.now();
  return measured(connections, latenciesMs, async (connection, first) => {
    for (let n = first; (1_000 * n) / perSecond < ms; n += clients) {
      const dueMs = begunMs + (1_000 * n) / perSecond;
      await sleep(Math.max(0, dueMs - performance.now()));
      if (signal?.aborted === true) return;
      const sentMs = Math.max(dueMs, Math.min(performance.now(), dueMs + TIMER_MS));
      await send(connection, n);
      latenciesMs.push(performance.now() - sentMs);
    }
  });
}

function open(port: number, clients: number): Promise<readonly HttpConnection[]> {
  return Promise.all(Array.from({ length: clients }, () => HttpConnection.open(port)));
}

async function measured(
  connections: readonly HttpConnection[],
  latenciesMs: readonly number[],
  run: (connection: HttpConnection, index: number) => Promise<void>,
): Promise<Load> {
  const begunMs = performance.now();
  await Promise.all(connections.map(run));
  const perSecond = (1_000 * latenciesMs.length) / (performance.now() - begunMs);
  for (const connection of connections) connection.close();
  return { latenciesMs, perSecond };
}
