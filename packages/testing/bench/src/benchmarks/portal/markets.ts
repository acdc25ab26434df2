import type { RunningStandalone } from '@paper/testkit/exchange';
import { createCheckedClient, operatorClient } from '@paper/testkit/http';

/** The market whose page is measured. */
export const MARKET = 'measured';

const LEVELS = 20;

/** Lists a market with twenty levels of prices on each side, some trades, and a hundred other markets beside it. */
export async function listMarkets({ baseUrl, operatorToken }: RunningStandalone): Promise<void> {
  const client = await createCheckedClient(baseUrl);
  const desk = operatorClient(client, operatorToken);
  await desk.list(MARKET);
  for (let n = 0; n < 100; n += 1) await desk.list(`other-${n}`);
  const traders = [
    await desk.open('Ann', { startingBalance: 100_000 }),
    await desk.open('Ben', { startingBalance: 100_000 }),
  ];
  const buy = (index: number, outcome: 'yes' | 'no', price: number): Promise<unknown> =>
    client.ok('POST', '/api/orders', {
      key: traders[index]?.key ?? '',
      body: { marketId: MARKET, outcome, price, quantity: 10 },
    });
  for (let n = 0; n < LEVELS; n += 1) {
    await buy(0, 'yes', (48 - n) / 100);
    await buy(1, 'no', (48 - n) / 100);
  }
  for (let n = 0; n < 10; n += 1) {
    await buy(0, 'yes', 0.5);
    await buy(1, 'no', 0.5);
  }
}
