import { createClient } from 'paper-trading-client';
import { marketBody } from '../http/market-body.ts';

/**
 * Lists an active market and opens one account for each client with more money than it can spend, as an operator of
 * that command API; gives the accounts' keys.
 */
export async function prepareFailover(
  url: string,
  operatorToken: string,
  { marketId, clients }: { readonly marketId: string; readonly clients: number },
): Promise<readonly string[]> {
  const operator = createClient({ baseUrl: url, key: operatorToken });
  (await operator.request('createMarket', { body: marketBody(marketId) })).assertOk();
  const keys: string[] = [];
  for (let n = 0; n < clients; n += 1) {
    const body = { displayName: `client ${n}`, startingBalance: 10_000_000 };
    const { apiKey } = (await operator.request('openAccount', { body })).body;
    keys.push(apiKey.rawKey ?? '');
  }
  return keys;
}
