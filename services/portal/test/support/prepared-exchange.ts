import type { RunningStandalone } from '@paper/testkit/exchange';
import { createCheckedClient, operatorClient } from '@paper/testkit/http';
import type { CheckedClient } from '@paper/testkit/http';

/** A market with a book, trades and news; its title has markup in it, which pages must show as text. */
export const MARKET = { id: 'busy', title: 'Will <b>it</b> rise & stay?' };

/** Lists markets, and lets two accounts trade in one of them. Gives the client that did it. */
export async function prepareExchange({ baseUrl, operatorToken }: RunningStandalone): Promise<CheckedClient> {
  const client = await createCheckedClient(baseUrl);
  const operator = operatorClient(client, operatorToken);
  await operator.list(MARKET.id, { title: MARKET.title, sector: 'technology', description: 'Yes if it rises.' });
  for (const n of [1, 2, 3]) await operator.list(`quiet-${n}`, { title: `Will ${n} happen?`, sector: 'energy' });
  const [ann, ben] = [await operator.open('Ann'), await operator.open('Ben')];
  const buy = (key: string, outcome: 'yes' | 'no', price: number, quantity: number): Promise<unknown> =>
    client.ok('POST', '/api/orders', { key, body: { marketId: MARKET.id, outcome, price, quantity } });
  await buy(ann.key, 'yes', 0.55, 20);
  await buy(ben.key, 'no', 0.45, 20);
  await buy(ann.key, 'yes', 0.6, 10);
  await buy(ben.key, 'no', 0.4, 4);
  await buy(ben.key, 'no', 0.34, 30);
  await client.ok('POST', '/api/operator/signals', {
    key: operatorToken,
    body: {
      externalId: 'news',
      source: 'the <i>wire</i>',
      marketId: MARKET.id,
      headline: 'It <script>rises</script> & stays',
      citationUrl: 'https://example.com/news?a="b"',
      publishedAt: '2026-11-20T00:00:00.000Z',
    },
  });
  return client;
}
