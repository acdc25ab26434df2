import { closedLoop, processorSeconds } from '../../index.ts';
import type { ExchangeSet } from './exchange-set.ts';

/** One round of a load on a set. */
export interface Round {
  readonly perSecond: number;
  readonly latenciesMs: readonly number[];
  /** Time that the projection took after it to reach the end. */
  readonly catchUpMs: number;
  /** CPU seconds by process. */
  readonly processor: ReadonlyMap<string, number>;
}

/** Sends orders on that many connections, each with one under way, for `ms`; then waits for the projection. */
export async function measureOrders(set: ExchangeSet, port: number, clients: number, ms: number): Promise<Round> {
  let before: ReadonlyMap<string, number> = new Map();
  const whenOpen = async (): Promise<void> => {
    before = await processorOf(set);
  };
  const load = await closedLoop({ port, clients, ms, whenOpen }, (connection) => set.order(connection));
  const catchUpMs = await set.caughtUp();
  const after = await processorOf(set);
  const processor = new Map([...after].map(([name, seconds]) => [name, seconds - (before.get(name) ?? 0)]));
  return { ...load, catchUpMs, processor };
}

async function processorOf({ processes }: ExchangeSet): Promise<ReadonlyMap<string, number>> {
  const seconds = new Map<string, number>();
  for (const [name, metricsUrl] of processes) seconds.set(name, await processorSeconds(metricsUrl));
  return seconds;
}
