import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { ApiRefusal, createClient, endpoints } from '../src/index.ts';
import type { ApiClientOptions } from '../src/index.ts';

interface Seen {
  readonly request: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

describe('the client made from the endpoints', () => {
  let server: Server;
  let baseUrl: string;
  let script: ((response: ServerResponse) => void)[] = [];
  let seen: Seen[] = [];

  before(async () => {
    server = createServer((request, response) => {
      void text(request).then((body) => {
        seen.push({ request: `${request.method} ${request.url}`, headers: request.headers, body });
        script.shift()?.(response);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    seen = [];
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const json =
    (status: number, body: unknown, headers: Record<string, string> = {}) =>
    (response: ServerResponse) =>
      void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  const lost = (response: ServerResponse) => void response.destroy();
  const client = (options: Partial<ApiClientOptions> = {}) =>
    createClient(endpoints, { baseUrl, key: 'k', ...options });
  const failure = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

  it('sends what the endpoint names: method, path, query, key, Idempotency-Key and body', async () => {
    script = [json(200, { id: 'o' }), json(200, [])];
    const body = { marketId: 'm', outcome: 'yes', price: 0.5, quantity: 1 } as const;
    expect((await client().placeOrder({ body, idempotencyKey: 'once' })).body).to.deep.equal({ id: 'o' });
    await client().getOrderHistory({ params: { id: 'a/b' }, query: { limit: '5', cursor: undefined } });
    expect(seen.map(({ request }) => request)).to.deep.equal([
      'POST /api/orders',
      'GET /api/orders/a%2Fb/history?limit=5',
    ]);
    expect(seen[0]?.headers).to.include({ authorization: 'Bearer k', 'idempotency-key': 'once' });
    expect(JSON.parse(seen[0]?.body ?? '')).to.deep.equal(body);
    expect(seen[1]?.headers).to.not.have.any.keys('content-type', 'idempotency-key');
  });

  it('calls every method: PUT with null as its body, PATCH, and DELETE with a query', async () => {
    script = [json(200, {}), json(200, {}), json(200, {})];
    await client().setMandate({ params: { keyId: 'k' }, body: null });
    await client().amendOrder({ params: { id: 'o' }, body: { quantity: 8 }, idempotencyKey: 'once' });
    await client({ attempts: 2 }).cancelOrders({ query: { side: 'buy', fleet: 'true' } });
    expect(seen.map(({ request, body }) => [request, body])).to.deep.equal([
      ['PUT /api/accounts/keys/k/mandate', 'null'],
      ['PATCH /api/orders/o', '{"quantity":8}'],
      ['DELETE /api/orders?side=buy&fleet=true', ''],
    ]);
    expect(seen[0]?.headers).to.include({ 'content-type': 'application/json' });
    expect(seen[1]?.headers).to.include({ 'idempotency-key': 'once' });
    // A cancel of many remembers no key, and is safe to repeat without one.
    expect(seen[2]?.headers).to.not.have.any.keys('content-type', 'idempotency-key');
  });

  it('gives refusals as answers, and throws them where a body is expected', async () => {
    script = [json(404, { error: 'No market has the id m', code: 'market_not_found' })];
    const answer = await client().getMarket({ params: { id: 'm' } });
    expect(answer).to.include({ status: 404, waitMs: null });
    expect(() => answer.body)
      .to.throw(ApiRefusal, 'GET /api/markets/{id} was refused with 404: No market has the id m')
      .that.includes({ status: 404, code: 'market_not_found' });
  });

  it('names no code where a proxy answered in its own way', async () => {
    script = [(response) => void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>')];
    const answer = await client().getHealth();
    expect(() => answer.body)
      .to.throw(ApiRefusal, '<h1>Bad gateway</h1>')
      .that.includes({ status: 502, code: null });
  });

  it('says how long to wait after a 429 or a 503, a second where none is named', async () => {
    script = [json(429, {}, { 'retry-after': '7' }), json(503, {})];
    expect((await client().getPositions()).waitMs).to.equal(7000);
    expect((await client().getPositions()).waitMs).to.equal(1000);
  });

  it('with attempts, sends a command again under the same Idempotency-Key', async () => {
    script = [
      json(503, {}, { 'retry-after': '0' }),
      json(429, {}, { 'retry-after': '0' }),
      lost,
      json(200, { ok: true }),
    ];
    expect((await client({ attempts: 4 }).cancelOrder({ params: { id: 'o' } })).body).to.deep.equal({ ok: true });
    const keys = new Set(seen.map(({ headers }) => headers['idempotency-key']));
    expect(seen).to.have.length(4);
    expect([...keys])
      .to.have.length(1)
      .and.satisfy(([key]: string[]) => typeof key === 'string');
  });

  it('without attempts, sends once, and throws what was lost', async () => {
    script = [lost];
    expect(await failure(client().getPositions())).to.be.instanceOf(Error);
    expect(seen).to.have.length(1);
  });

  it('gives the last answer when its attempts are used up', async () => {
    const busy = json(503, {}, { 'retry-after': '0' });
    script = [busy, busy, json(200, {})];
    expect(await client({ attempts: 2 }).getPositions()).to.include({ status: 503 });
    expect(seen).to.have.length(2);
  });

  it('gives up on an answer that takes too long, and when its signal aborts', async () => {
    script = [() => undefined, () => undefined];
    expect(await failure(client({ timeoutMs: 20 }).getPositions())).to.include({ name: 'TimeoutError' });
    const ended = new AbortController();
    const asked = failure(client({ signal: ended.signal, attempts: 5 }).getPositions());
    ended.abort();
    expect(await asked).to.include({ name: 'AbortError' });
  });

  it('ends the pause between two attempts when its signal aborts', async () => {
    script = [json(503, {}, { 'retry-after': '3600' }), json(200, {})];
    const ended = new AbortController();
    const asked = failure(client({ signal: ended.signal, attempts: 2 }).getPositions());
    await once(server, 'request');
    // Answered after the first answer, so that the first request is in its pause.
    await client().getHealth();
    ended.abort(new Error('stopping'));
    expect(await asked).to.have.property('message', 'stopping');
    expect(seen.map(({ request }) => request)).to.deep.equal(['GET /api/positions', 'GET /api/health']);
  });

  it('reads a list to its last page, or as far as it is asked to', async () => {
    const next = (cursor: string) => ({ link: `</api/fills?limit=1&cursor=${cursor}>; rel="next"` });
    const pages = [json(200, [{ id: 'a' }], next('x')), json(200, [{ id: 'b' }], next('y')), json(200, [{ id: 'c' }])];
    const api = client();
    script = [...pages];
    const all = await api.pages(api.listFills({ query: { limit: '1' } }));
    expect(all.map(({ id }) => id)).to.deep.equal(['a', 'b', 'c']);
    expect(seen[2]?.request).to.equal('GET /api/fills?limit=1&cursor=y');
    script = [...pages];
    const some = await api.pages(api.listFills(), (page) => page.every(({ id }) => id === 'a'));
    expect(some.map(({ id }) => id)).to.deep.equal(['a', 'b']);
  });
});
