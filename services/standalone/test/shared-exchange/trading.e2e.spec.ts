import { expect } from 'chai';
import { createState, evolve } from '@paper/exchange';
import { decode } from '@paper/journal';
import { describeSharedExchange } from '@paper/testkit/exchange';
import type { RunningExchange } from '@paper/testkit/exchange';
import { createCheckedClient, operatorClient } from '@paper/testkit/http';
import type { CheckedClient } from '@paper/testkit/http';
import { dump } from '@paper/testkit/dumps';

interface Order {
  readonly id: string;
  readonly price: number;
  readonly quantity: number;
  readonly filledQty: number;
  readonly status: string;
  readonly reservedAmount: number;
}

interface Portfolio {
  readonly summary: Record<'cash' | 'positionsValue' | 'portfolioValue' | 'pnl' | 'openOrders', number>;
  readonly positions: readonly { readonly side: string; readonly shares: number; readonly avgCost: number }[];
  readonly orders: readonly Order[];
  readonly trades: readonly { readonly outcome: string; readonly price: number; readonly quantity: number }[];
  readonly settled: readonly { readonly outcome: string; readonly payout: number; readonly pnl: number }[];
  readonly fleetSummary: null | { readonly accountCount: number; readonly total: { readonly cash: number } };
}

/** The whole trading path from outside: separate processes, HTTP, every answer checked against the served document. */
describeSharedExchange('a bot trades', function (start) {
  this.timeout(60_000);
  let service: RunningExchange;
  let client: CheckedClient;
  let operator: string;
  const opened: { readonly id: string; readonly key: string }[] = [];

  before(async () => {
    service = await start();
    operator = service.operatorToken;
    client = await createCheckedClient(service.baseUrl);
  });

  after(async () => {
    await service.stop();
  });

  const list = (id: string, more?: object): Promise<void> => operatorClient(client, operator).list(id, more);
  const open = async (displayName: string): Promise<{ readonly id: string; readonly key: string }> => {
    const account = await operatorClient(client, operator).open(displayName);
    opened.push(account);
    return account;
  };

  const place = (key: string, body: object): Promise<Order> => client.ok('POST', '/api/orders', { key, body });
  const portfolio = (key: string): Promise<Portfolio> => client.ok('GET', '/api/portfolio', { key });

  it('mints a pair when two buyers of opposite outcomes meet, at the resting price, and tells both at once', async () => {
    await list('mint');
    const [ann, ben] = [await open('Ann'), await open('Ben')];
    const resting = await place(ann.key, { marketId: 'mint', outcome: 'yes', price: 0.6, quantity: 10 });
    expect(resting).to.include({ status: 'open', filledQty: 0, reservedAmount: 6 });

    const taking = await place(ben.key, { marketId: 'mint', outcome: 'no', price: 0.45, quantity: 4 });
    expect(taking).to.include({ status: 'filled', filledQty: 4, price: 0.45, reservedAmount: 0 });

    const [a, b] = [await portfolio(ann.key), await portfolio(ben.key)];
    expect(a.summary.cash).to.equal(10_000 - 2.4);
    expect(a.positions).to.have.length(1);
    expect(a.positions[0]).to.include({ side: 'yes', shares: 4, avgCost: 0.6 });
    expect(a.orders[0]).to.include({ status: 'partial', filledQty: 4, reservedAmount: 3.6 });
    expect(b.summary.cash).to.equal(10_000 - 1.6);
    expect(b.trades[0]).to.include({ outcome: 'no', price: 0.4, quantity: 4 });

    const book = await client.ok<{ yes: { bids: unknown[] }; no: { asks: unknown[] } }>('GET', '/api/orderbook/mint');
    expect(book.yes.bids).to.deep.equal([{ price: 0.6, quantity: 6, orders: 1 }]);
    expect(book.no.asks).to.deep.equal([{ price: 0.4, quantity: 6, orders: 1 }]);
    const market = await client.ok<Record<string, unknown>>('GET', '/api/markets/mint');
    expect(market).to.include({ volume: 4, openInterest: 4, bestYesBid: 0.6, bestYesAsk: null, lastTradePrice: 0.6 });
  });

  it('replays an order by its Idempotency-Key, and refuses the key for another', async () => {
    await list('again');
    const { key } = await open('Again');
    const send = (body: object) =>
      client.request('POST', '/api/orders', { key, body, headers: { 'idempotency-key': 'once' } });
    const body = { marketId: 'again', outcome: 'yes', price: 0.3, quantity: 5 };
    const first = await send(body);
    const second = await send(body);
    expect(second.body).to.deep.equal(first.body);
    expect(second.headers.get('idempotent-replayed')).to.equal('true');
    expect(await send({ ...body, quantity: 6 })).to.deep.include({ status: 400 });
    expect((await portfolio(key)).summary.openOrders).to.equal(1);
  });

  it('cancels, releases the reserve, and says what cannot be cancelled', async () => {
    await list('cancel');
    const [ann, ben] = [await open('Ann C'), await open('Ben C')];
    const order = await place(ann.key, { marketId: 'cancel', outcome: 'no', price: 0.2, quantity: 50 });
    const cancel = (key: string, id: string) => client.request('DELETE', `/api/orders/${id}`, { key });
    expect(await cancel(ben.key, order.id)).to.deep.include({ status: 403 });
    expect((await cancel(ann.key, order.id)).body).to.deep.equal({ ok: true });
    expect((await cancel(ann.key, order.id)).body).to.deep.equal({ ok: true });
    expect((await cancel(ben.key, order.id)).status).to.equal(403);
    expect((await cancel(ann.key, 'no-such-order')).body).to.deep.equal({ ok: false });
    const orders = await client.ok<Order[]>('GET', '/api/orders', { key: ann.key });
    expect(orders.map((o) => o.status)).to.deep.equal(['cancelled']);
  });

  it('refuses with the exact text and code', async () => {
    await list('refuse');
    await list('sleeping', { status: 'pending' });
    const { key } = await open('Refused');
    const refusal = async (body: object): Promise<unknown> =>
      (await client.request('POST', '/api/orders', { key, body })).body;
    const order = { marketId: 'refuse', outcome: 'yes', price: 0.5, quantity: 10 };
    expect(await refusal({ ...order, marketId: 'sleeping' })).to.deep.equal({
      error: 'Market is not active',
      code: 'market_not_active',
    });
    expect(
      await refusal({ marketId: 'refuse', outcome: 'yes', price: 0.5, notional: 5000, quantity: 500 }),
    ).to.have.property('id');
    for (let i = 0; i < 36; i += 1) await place(key, { ...order, quantity: 500 });
    expect(await refusal({ ...order, quantity: 501 })).to.have.property('code', 'validation_failed');
    expect(await refusal({ ...order, quantity: 500, price: 0.99 })).to.have.property('id');
    expect(await refusal({ ...order, quantity: 500, price: 0.99 })).to.deep.equal({
      error: 'Insufficient balance',
      code: 'insufficient_balance',
    });
    expect(await refusal({ ...order, price: 0.505 })).to.have.property('code', 'invalid_tick');
    expect(await refusal({ ...order, side: 'sell' })).to.have.property('code', 'insufficient_shares');
    expect(await refusal({ ...order, marketId: 'nowhere' })).to.have.property('code', 'market_not_found');
  });

  it('runs a fleet with a master key, and counts it', async () => {
    const { key } = await open('Fleet');
    const { subAccount, apiKey } = await client.ok<{
      subAccount: { id: string };
      apiKey: { id: string; rawKey: string };
    }>('POST', '/api/accounts/sub', { key, body: { displayName: 'Worker' } });
    expect(
      (await client.request('POST', '/api/accounts/sub', { key: apiKey.rawKey, body: { displayName: 'No' } })).body,
    ).to.have.property('code', 'primary_account_required');
    const second = await client.ok<{ apiKey: { id: string; rawKey: string } }>(
      'POST',
      `/api/accounts/sub/${subAccount.id}/keys`,
      { key, body: { name: 'reader', permissions: ['view'] } },
    );
    const denied = await client.request('POST', '/api/orders', {
      key: second.apiKey.rawKey,
      body: { marketId: 'mint', outcome: 'yes', price: 0.5, quantity: 1 },
    });
    expect(denied.body).to.deep.equal({ error: 'Forbidden', code: 'forbidden' });
    expect(await client.ok('DELETE', `/api/accounts/keys/${second.apiKey.id}`, { key })).to.deep.equal({ ok: true });
    expect((await client.request('GET', '/api/portfolio', { key: second.apiKey.rawKey })).status).to.equal(401);
    const { subAccounts } = await client.ok<{ subAccounts: { id: string; keys: unknown[] }[] }>(
      'GET',
      '/api/accounts/sub',
      { key },
    );
    expect(subAccounts).to.have.length(1);
    expect(subAccounts[0]?.keys).to.have.length(2);
    expect((await portfolio(key)).fleetSummary).to.deep.include({ accountCount: 2 });
  });

  it('resolves: winners are paid to the unit, resting orders are cancelled, and nothing else moves', async () => {
    await list('resolve');
    const [ann, ben] = [await open('Ann R'), await open('Ben R')];
    await place(ann.key, { marketId: 'resolve', outcome: 'yes', price: 0.37, quantity: 100 });
    await place(ben.key, { marketId: 'resolve', outcome: 'no', price: 0.63, quantity: 60 });
    const answer = await client.ok<Record<string, unknown>>('POST', '/api/operator/markets/resolve/resolve', {
      key: operator,
      body: { outcome: 'yes' },
    });
    expect(answer).to.include({ cancelledOrders: 1, settledAccounts: 2, paid: 60 });
    const [a, b] = [await portfolio(ann.key), await portfolio(ben.key)];
    expect(a.summary).to.include({ cash: 10_000 - 22.2 + 60, positionsValue: 0, openOrders: 0 });
    expect(b.summary).to.include({ cash: 10_000 - 37.8, pnl: -37.8 });
    expect(a.settled[0]).to.include({ outcome: 'yes', payout: 60, pnl: 37.8 });
    expect(b.settled[0]).to.include({ outcome: 'no', payout: 0, pnl: -37.8 });
    const late = await client.request('POST', '/api/orders', {
      key: ann.key,
      body: { marketId: 'resolve', outcome: 'yes', price: 0.5, quantity: 1 },
    });
    expect(late.body).to.have.property('code', 'market_not_active');
  });

  it('portfolio cash equals the fold of the journal, to the unit, for every account', async () => {
    const journal = await service.openJournal();
    const state = createState();
    const events = await journal.read(1, 100_000);
    for (const stored of events) {
      const { event, command } = decode(stored);
      evolve(state, event, command);
    }
    await journal.close();
    const accounts = new Map(dump(state).accounts);
    expect(opened.length).to.be.greaterThan(8);
    for (const { id, key } of opened) {
      expect((await portfolio(key)).summary.cash, id).to.equal((accounts.get(id)?.cash ?? NaN) / 10_000);
    }
    expect(state.seq).to.equal(events.length);
  });
});
