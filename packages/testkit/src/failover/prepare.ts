import { createClient, endpoints } from '@paper/contracts';

/**
 * Lists an active market and opens one account for each client with more money than it can spend, as an operator of
 * that command API; gives the accounts' keys.
 */
export async function prepareFailover(
  url: string,
  operatorToken: string,
  { marketId, clients }: { readonly marketId: string; readonly clients: number },
): Promise<readonly string[]> {
  const operator = createClient(endpoints, { baseUrl: url, key: operatorToken });
  const market = {
    category: 'tests',
    closesAt: '2099-01-01T00:00:00Z',
    companySlug: 'acme',
    id: marketId,
    prior: 0.5,
    sector: 'technology',
    settlementSource: 'tests',
    tickSize: 0.01 as const,
    ticker: 'ACME',
    title: 'Does another take over?',
  };
  (await operator.createMarket({ body: market })).assertOk();
  const keys: string[] = [];
  for (let n = 0; n < clients; n += 1) {
    const body = { displayName: `client ${n}`, startingBalance: 10_000_000 };
    const { apiKey } = (await operator.openAccount({ body })).body;
    keys.push(apiKey.rawKey ?? '');
  }
  return keys;
}
