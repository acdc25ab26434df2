import { setTimeout as sleep } from 'node:timers/promises';
import type { MarketBody } from '@paper/contracts';
import type { ApiClient } from './api-client.ts';

const WITHIN_MS = 10_000;
/** Shares of the example order. */
export const EXAMPLE_QUANTITY = 10;

interface Book {
  readonly yes: { readonly asks: readonly { readonly quantity: number }[] };
}

/**
 * A market in which the example order would fill now. Waits until the house has quoted one, since users paste the order
 * as soon as it is printed; null where none is quoted within ten seconds.
 */
export async function findExampleMarket(
  api: ApiClient,
  marketIds: readonly string[],
  stopped: () => boolean,
): Promise<string | null> {
  const until = performance.now() + WITHIN_MS;
  while (marketIds.length > 0 && performance.now() < until && !stopped()) {
    const markets = await api<MarketBody[]>({ path: '/api/markets?status=active&limit=500' });
    const offered = new Set(markets.filter(({ bestYesAsk }) => bestYesAsk !== null).map(({ id }) => id));
    for (const id of marketIds.filter((each) => offered.has(each))) {
      const { yes } = await api<Book>({ path: `/api/orderbook/${id}` });
      if (yes.asks.reduce((sum, { quantity }) => sum + quantity, 0) >= EXAMPLE_QUANTITY) return id;
    }
    await sleep(50);
  }
  return null;
}
