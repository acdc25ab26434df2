import { expect } from 'chai';
import type { OrderBookBody, RecentTradeBody } from '@paper/contracts/markets';
import { describeSharedExchange } from '@paper/testkit/exchange';
import type { RunningExchange } from '@paper/testkit/exchange';
import { createCheckedClient, eventBlocks, KeptBook, operatorClient, shownBook } from '@paper/testkit/http';
import type { CheckedClient, OperatorClient } from '@paper/testkit/http';

describeSharedExchange('books that are kept by their stream', function (start) {
  this.timeout(60_000);
  let service: RunningExchange;
  let client: CheckedClient;
  let operator: OperatorClient;
  let ann: string;
  let ben: string;

  before(async () => {
    service = await start();
    client = await createCheckedClient(service.baseUrl);
    operator = operatorClient(client, service.operatorToken);
    [ann, ben] = [(await operator.open('Ann')).key, (await operator.open('Ben')).key];
  });
  after(() => service.stop());

  /** Reads a market's stream; the read resolves at the end of the stream. */
  async function read(marketId: string, lastEventId?: number) {
    const answer = await fetch(`${service.baseUrl}/api/stream/orderbook/${marketId}`, {
      headers: lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) },
    });
    if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
    const blocks = eventBlocks(answer);
    const kept = new KeptBook();
    return {
      kept,
      leave: blocks.leave,
      upTo: async (seq: number): Promise<void> => {
        while (kept.lastId < seq) kept.take((await blocks.next()) ?? expect.fail('the stream ended'));
      },
    };
  }

  /** The book as GET shows it once it has all that was answered. */
  async function get(marketId: string): Promise<OrderBookBody> {
    await client.ok('GET', '/api/portfolio', { key: ann });
    return client.ok<OrderBookBody>('GET', `/api/orderbook/${marketId}`);
  }

  it('equal GET after every order tool, and name sequences at which GET shows the same', async () => {
    await operator.list('tools');
    await get('tools');
    const { kept, leave, upTo } = await read('tools');
    await upTo(1);
    const compare = async (): Promise<void> => {
      const book = await get('tools');
      await upTo(book.seq);
      expect(kept.shown()).to.deep.equal(shownBook(book));
    };
    const bid = { marketId: 'tools', outcome: 'yes', price: 0.4, quantity: 20 };
    const batch = [bid, { ...bid, price: 0.41 }, { ...bid, price: 0.42, postOnly: true }];
    const { results } = await client.ok<{ results: { order: { id: string } }[] }>('POST', '/api/orders/batch', {
      body: { orders: batch },
      key: ann,
    });
    await compare();
    const [first, second] = results.map(({ order }) => order.id);
    // Keeps its place, then loses it.
    await client.ok('PATCH', `/api/orders/${first}`, { body: { quantity: 15 }, key: ann });
    await compare();
    await client.ok('PATCH', `/api/orders/${second}`, { body: { price: 0.45, quantity: 30 }, key: ann });
    await compare();
    await client.ok('POST', '/api/orders', { body: { ...bid, outcome: 'no', price: 0.58 }, key: ben });
    await compare();
    await client.ok('DELETE', '/api/orders?marketId=tools&side=buy', { key: ann });
    await compare();
    expect(kept.shown()).to.deep.equal({ asks: [], bids: [] });
    const trades = await client.ok<RecentTradeBody[]>('GET', '/api/trades/recent?marketId=tools');
    const streamed = kept.events.flatMap(({ data, type }) => (type === 'trade' ? [data.id] : []));
    expect(streamed).to.deep.equal(trades.map(({ id }) => id).reverse());
    for (const { book, seq } of kept.named) {
      const past = await client.ok<OrderBookBody>('GET', `/api/orderbook/tools?asOfSeq=${seq}`, { key: ann });
      expect(book, String(seq)).to.deep.equal(shownBook(past));
    }
    await leave();
  });

  it('go on after a lost connection with what was missed', async () => {
    await operator.list('lost');
    await get('lost');
    const before = await read('lost');
    await before.upTo(1);
    await before.leave();
    const bid = { marketId: 'lost', outcome: 'yes', price: 0.4, quantity: 20 };
    await client.ok('POST', '/api/orders', { body: bid, key: ann });
    const { seq } = await get('lost');
    const after = await read('lost', before.kept.lastId);
    await after.upTo(seq);
    expect(after.kept.ids).to.deep.equal([`delta ${seq}`]);
    await after.leave();
  });

  it('are 404 of an unknown market', async () => {
    const { body, status } = await client.request('GET', '/api/stream/orderbook/none');
    expect([status, body]).to.deep.equal([404, { code: 'market_not_found', error: 'No market has the id none' }]);
  });
});
