import { IS_LONG_RUN } from '@paper/testkit';
import { describeSharedExchange } from '@paper/testkit/exchange';
import type { RunningExchange } from '@paper/testkit/exchange';
import { createCheckedClient, eventBlocks, KeptBook, operatorClient } from '@paper/testkit/http';
import type { CheckedClient, OperatorClient } from '@paper/testkit/http';
import type { OrderBookBody } from '@paper/contracts/markets';
import { expect } from 'chai';

const ROUNDS = IS_LONG_RUN ? 25 : 4;

/** Every public read that can call a market unknown. */
const readsOf = (marketId: string): readonly string[] => [
  `/api/markets/${marketId}`,
  `/api/orderbook/${marketId}`,
  `/api/markets/${marketId}/events`,
  `/api/markets/${marketId}/candles?period=1`,
  `/api/markets/${marketId}/moments`,
  `/api/stream?marketId=${marketId}`,
  `/api/stream/orderbook/${marketId}`,
];

describeSharedExchange('public reads right after a command was answered', function (start) {
  this.timeout(60_000);
  let service: RunningExchange;
  let client: CheckedClient;
  let operator: OperatorClient;
  let key: string;

  before(async () => {
    service = await start();
    client = await createCheckedClient(service.baseUrl);
    operator = operatorClient(client, service.operatorToken);
    key = (await operator.open('Ann')).key;
  });
  after(() => service.stop());

  const statusOf = async (path: string, headers: Record<string, string>): Promise<number> => {
    const answer = await fetch(service.baseUrl + path, { headers });
    await answer.body?.cancel();
    return answer.status;
  };

  it('show a market that was just listed, with a key and without: it is never 404', async () => {
    const callers = [
      {},
      { 'x-api-key': key },
      { 'x-api-key': 'svc_live_unknown' },
      { authorization: `Bearer ${service.operatorToken}` },
    ];
    for (let round = 0; round < ROUNDS; round += 1) {
      const headers = callers[round % callers.length] ?? {};
      for (const index of readsOf('').keys()) {
        const marketId = `fresh-${round}-${index}`;
        const path = readsOf(marketId)[index] ?? '';
        await operator.list(marketId);
        expect(await statusOf(path, headers), `${path} ${JSON.stringify(headers)}`).to.equal(200);
      }
    }
    for (const path of readsOf('never-listed')) expect(await statusOf(path, {}), path).to.equal(404);
  });

  it("show the caller's own order in the book, and at the beginning of the book's stream", async () => {
    await operator.list('own');
    const body = { marketId: 'own', outcome: 'yes', price: 0.4, quantity: 1 };
    for (let quantity = 1; quantity <= ROUNDS; quantity += 1) {
      await client.ok('POST', '/api/orders', { body, key });
      const book = await client.ok<OrderBookBody>('GET', '/api/orderbook/own', { key });
      expect(book.yes.bids, String(quantity)).to.deep.equal([{ price: 0.4, quantity, orders: quantity }]);
    }
    for (let quantity = ROUNDS + 1; quantity <= 2 * ROUNDS; quantity += 1) {
      await client.ok('POST', '/api/orders', { body, key });
      const answer = await fetch(`${service.baseUrl}/api/stream/orderbook/own`, { headers: { 'x-api-key': key } });
      const blocks = eventBlocks(answer);
      const kept = new KeptBook();
      while (kept.events.length === 0) kept.take((await blocks.next()) ?? expect.fail('the stream ended'));
      expect(kept.shown().bids, String(quantity)).to.deep.equal([[0.4, quantity]]);
      await blocks.leave();
    }
  });
});
