import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'paper-trading-client';
import type { Persist } from './persistence.ts';

const WITHIN_MS = 10_000;
export const EXAMPLE_QUANTITY = 10;

/** A market in which the example order would fill now, since users paste it; null if none is quoted in ten seconds. */
export async function findExampleMarket(
  { baseUrl, persist }: { readonly baseUrl: string; readonly persist: Persist },
  marketIds: readonly string[],
  stopped: () => boolean,
): Promise<string | null> {
  const client = createClient({ baseUrl });
  const until = performance.now() + WITHIN_MS;
  while (marketIds.length > 0 && performance.now() < until && !stopped()) {
    const query = { status: 'active', limit: 500 } as const;
    const markets = await persist(async () => (await client.request('listMarkets', { query })).body);
    const offered = new Set(markets.filter(({ bestYesAsk }) => bestYesAsk !== null).map(({ id }) => id));
    for (const id of marketIds.filter((each) => offered.has(each))) {
      const { yes } = await persist(
        async () => (await client.request('getOrderBook', { params: { marketId: id } })).body,
      );
      if (yes.asks.reduce((sum, { quantity }) => sum + quantity, 0) >= EXAMPLE_QUANTITY) return id;
    }
    await sleep(50);
  }
  return null;
}
