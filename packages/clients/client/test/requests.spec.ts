import { scaledMs } from '@paper/testkit';
import { expect } from 'chai';
import { ApiRefusal, createClient, MarketNotFound, sendApiRequest } from '../src/index.ts';
import type { ClientOptions } from '../src/index.ts';
import { cut, failure, json, scriptedServer, silence } from './scripted-server.ts';

describe('requests of the client that are sent once', () => {
  const server = scriptedServer();

  const client = (options: Partial<ClientOptions> = {}) =>
    createClient({ baseUrl: server.baseUrl, key: 'k', ...options });
  const seen = (): readonly string[] => server.seen.map(({ request }) => request);

  it('send what the operation names: method, path, query, key, Idempotency-Key and body', async () => {
    server.script = [json(200, { id: 'o' }, { 'x-journal-seq': '9' }), json(200, [])];
    const body = { marketId: 'm', outcome: 'yes', price: '0.5', quantity: 1 } as const;
    const placed = await client().request('placeOrder', { body }, { idempotencyKey: 'once' });
    expect([placed.status, placed.body, placed.seq, placed.mayBeRepeat]).to.deep.equal([200, { id: 'o' }, 9, false]);
    const query = { limit: 5, cursor: undefined };
    await client().request('getOrderHistory', { params: { id: 'a/b' }, query });
    expect(seen()).to.deep.equal(['POST /api/orders', 'GET /api/orders/a%2Fb/history?limit=5']);
    expect(server.seen[0]?.headers).to.include({ authorization: 'Bearer k', 'idempotency-key': 'once' });
    expect(JSON.parse(server.seen[0]?.body ?? '')).to.deep.equal({ ...body, price: 0.5 });
    expect(server.seen[1]?.headers).to.not.have.any.keys('content-type', 'idempotency-key');
  });

  it('call every method: PUT with null as its body, PATCH, and DELETE with a query', async () => {
    server.script = [json(200, {}), json(200, {}), json(200, {})];
    await client().request('setMandate', { params: { keyId: 'k' }, body: null });
    await client().request('amendOrder', { params: { id: 'o' }, body: { quantity: 8 } });
    await client().request('cancelOrders', { query: { side: 'buy', fleet: 'true' } });
    expect(server.seen.map(({ request, body }) => [request, body])).to.deep.equal([
      ['PUT /api/accounts/keys/k/mandate', 'null'],
      ['PATCH /api/orders/o', '{"quantity":8}'],
      ['DELETE /api/orders?side=buy&fleet=true', ''],
    ]);
    expect(server.seen[0]?.headers).to.include({ 'content-type': 'application/json' });
    // The service would store a key for every command, so none is sent unasked.
    expect(server.seen[1]?.headers).to.not.have.any.keys('idempotency-key');
  });

  it('give refusals as answers, and throw them where a body is expected', async () => {
    server.script = [json(404, { error: 'No market has the id m', code: 'market_not_found' })];
    const answer = await client().request('getMarket', { params: { id: 'm' } });
    expect(answer).to.include({ status: 404, waitMs: null });
    expect(answer.response.body).to.deep.equal({ error: 'No market has the id m', code: 'market_not_found' });
    expect(() => answer.body)
      .to.throw(MarketNotFound, 'No market has the id m')
      .that.includes({ status: 404, code: 'market_not_found', request: 'GET /api/markets/{id}' });
  });

  it('name no code where a proxy answered in its own way', async () => {
    server.script = [(response) => void response.writeHead(502).end('<h1>Bad gateway</h1>')];
    const answer = await client().request('getHealth', {});
    expect(() => answer.body)
      .to.throw(ApiRefusal, '<h1>Bad gateway</h1>')
      .that.includes({ status: 502, code: null });
    expect(seen()).to.have.length(1);
  });

  it('say how long to wait after a 429 or a 503, a second where none is named', async () => {
    server.script = [json(429, {}, { 'retry-after': '7' }), json(503, {})];
    expect((await client().request('getPositions', {})).waitMs).to.equal(7000);
    expect((await client().request('getPositions', {})).waitMs).to.equal(1000);
    expect(seen()).to.have.length(2);
  });

  it('throw what was lost, and what takes too long', async () => {
    server.script = [cut, silence];
    expect(await failure(client().request('getPositions', {}))).to.be.instanceOf(Error);
    // Time enough for the request to arrive, also on a busy machine.
    const timeoutMs = scaledMs(250);
    expect(await failure(client().request('getPositions', {}, { timeoutMs }))).to.include({ name: 'TimeoutError' });
    expect(seen()).to.have.length(2);
  });

  it('end when the signal of the client or of the request aborts', async () => {
    server.script = [silence, silence];
    const ended = new AbortController();
    const ours = client({ signal: ended.signal });
    const one = new AbortController();
    const first = failure(ours.request('getPositions', {}, { signal: one.signal }));
    const second = failure(ours.request('getPositions', {}));
    one.abort();
    expect(await first).to.include({ name: 'AbortError' });
    ended.abort(new Error('stopping'));
    expect(await second).to.have.property('message', 'stopping');
  });

  it('give decimal numbers as text where the client is asked for them', async () => {
    server.script = [json(200, { id: 'o', price: 0.41 })];
    const answer = await createClient({ baseUrl: server.baseUrl, decimals: 'string' }).request('getOrder', {
      params: { id: 'o' },
    });
    expect(answer.body).to.deep.equal({ id: 'o', price: '0.41' });
    expect(answer.response.body).to.deep.equal({ id: 'o', price: 0.41 });
  });

  it('can be any HTTP request: a path of one’s own, and a text that is no JSON', async () => {
    server.script = [json(400, { error: 'no JSON', code: 'validation_failed' })];
    const { status, text } = await sendApiRequest(server.baseUrl, {
      method: 'POST',
      path: '/api/x?y=1',
      text: '{"a":',
    });
    expect([status, JSON.parse(text)]).to.deep.equal([400, { error: 'no JSON', code: 'validation_failed' }]);
    expect(server.seen[0]).to.deep.include({ request: 'POST /api/x?y=1', body: '{"a":' });
    expect(server.seen[0]?.headers).to.include({ 'content-type': 'application/json' });
  });
});

describe('calls of the client with what came beside the body', () => {
  const server = scriptedServer();

  it('given an answer that was lost, names the sequence and the next page of the one that came', async () => {
    const headers = { 'x-journal-seq': '5', link: '</api/fills?cursor=x>; rel="next"' };
    server.script = [cut, json(200, [{ id: 'a' }], headers)];
    const answer = await createClient({ baseUrl: server.baseUrl }).answer('listFills', {});
    expect([answer.seq, answer.next, answer.mayBeRepeat]).to.deep.equal([5, '/api/fills?cursor=x', true]);
    expect(answer.body).to.deep.equal([{ id: 'a' }]);
  });
});
