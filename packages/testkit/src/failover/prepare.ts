/**
 * Lists an active market and opens one account for each client with more money than it can spend, as an operator of
 * that command API; gives the accounts' keys.
 */
export async function prepareFailover(
  url: string,
  operatorToken: string,
  { marketId, clients }: { readonly marketId: string; readonly clients: number },
): Promise<readonly string[]> {
  const post = async <T>(path: string, body: unknown): Promise<T> => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  await post('/api/operator/markets', {
    category: 'tests',
    closesAt: '2099-01-01T00:00:00Z',
    companySlug: 'acme',
    id: marketId,
    prior: 0.5,
    sector: 'technology',
    settlementSource: 'tests',
    tickSize: 0.01,
    ticker: 'ACME',
    title: 'Does another take over?',
  });
  const keys: string[] = [];
  for (let n = 0; n < clients; n += 1) {
    const body = { displayName: `client ${n}`, startingBalance: 10_000_000 };
    const { apiKey } = await post<{ readonly apiKey: { readonly rawKey: string } }>('/api/operator/accounts', body);
    keys.push(apiKey.rawKey);
  }
  return keys;
}
