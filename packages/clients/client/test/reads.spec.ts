import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { endpoints } from '@paper/contracts';
import { createClient, createOperatorClient, MarketNotFound, NotFound, ReceiptFault } from '../src/index.ts';
import type { ClientOptions, OperationId } from '../src/index.ts';
import { OPERATIONS } from '../src/generated/operations.ts';
import { json, scriptedServer } from './scripted-server.ts';

describe('reads of the client', () => {
  const server = scriptedServer();

  const client = (options: Partial<ClientOptions> = {}) => createClient({ baseUrl: server.baseUrl, ...options });
  const next = (cursor: string) => ({ link: `</api/fills?limit=1&cursor=${cursor}>; rel="next"` });

  it('knows every endpoint of the API', () => {
    expect(Object.keys(OPERATIONS).sort()).to.deep.equal(Object.keys(endpoints).sort());
    for (const [id, operation] of Object.entries(OPERATIONS)) {
      const { idempotent, kind, method, path } = endpoints[id as OperationId];
      expect(operation, id).to.include({ idempotent, kind, method: method.toUpperCase(), path });
    }
  });

  it('every endpoint that is no operator’s has a method', async () => {
    const called = new Set<string>();
    const ours = client();
    const methods = [...methodsOf(Object.getPrototypeOf(ours) as object)].filter((name) => !name.startsWith('watch'));
    for (const name of methods) {
      server.reset();
      server.script = [json(400, {})];
      const method = (ours as unknown as Record<string, (...given: unknown[]) => PromiseLike<unknown>>)[name];
      // The name tells the list of orders that createOrders takes from every other first argument.
      await Promise.resolve(
        method?.call(ours, name === 'createOrders' ? [] : name === 'createOrder' ? {} : 'a', {}),
      ).catch(() => undefined);
      for (const { request } of server.seen) called.add(templateOf(request));
    }
    const streams = [ours.watchPulse(), ours.watchOrderBook('a'), ours.watchAccount()];
    for (const stream of streams) {
      server.reset();
      server.script = [json(400, {})];
      await stream.next().catch(() => undefined);
      for (const { request } of server.seen) called.add(templateOf(request));
    }
    const missing = Object.entries(OPERATIONS).filter(
      ([, { auth, method, path }]) =>
        auth !== 'operator' && !called.has(`${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`),
    );
    expect(missing.map(([id]) => id)).to.deep.equal([]);
  });

  it('what makes another path is the id of nothing, such as the signals of all markets', async () => {
    const rows = [
      [() => client().fetchMarket('signals'), MarketNotFound],
      [() => client().fetchMarket('..'), MarketNotFound],
      [() => client().fetchOrderBook(''), MarketNotFound],
      [() => client().fetchTimeline('.'), MarketNotFound],
      [() => client().fetchOrder('batch'), NotFound],
      [() => client().fetchOrder('preview'), NotFound],
      [() => client().request('getMarket', { params: { id: 'signals' } }), MarketNotFound],
    ] as const;
    server.reset();
    for (const [read, kind] of rows) {
      const refusal: unknown = await Promise.resolve(read()).catch((error: unknown) => error);
      expect(refusal, read.toString()).to.be.instanceOf(kind).with.property('status', 404);
    }
    expect(server.seen).to.deep.equal([]);
  });

  it('awaited, a list gives its first page; iterated, every item', async () => {
    const pages = [json(200, [{ id: 'a' }], next('x')), json(200, [{ id: 'b' }], next('y')), json(200, [{ id: 'c' }])];
    server.script = [...pages];
    expect(await client().fetchMyTrades({ limit: 1 })).to.deep.equal([{ id: 'a' }]);
    expect(server.seen).to.have.length(1);
    server.script = [...pages];
    const ids: string[] = [];
    for await (const { id } of client().fetchMyTrades({ limit: 1 })) ids.push(id);
    expect(ids).to.deep.equal(['a', 'b', 'c']);
    expect(server.seen.at(-1)?.request).to.equal('GET /api/fills?limit=1&cursor=y');
    server.script = [...pages];
    expect(await client().fetchMyTrades().all(2)).to.deep.equal([{ id: 'a' }, { id: 'b' }]);
  });

  it('fetchOpenOrders reads every page of GET /api/orders/open, of the whole fleet where asked', async () => {
    const page = (...ids: string[]) => ({ orders: ids.map((id) => ({ id })), seq: 9 });
    server.script = [json(200, page('a', 'b'), next('x')), json(200, page('c'))];
    const open = await client().fetchOpenOrders({ marketId: 'm', fleet: true });
    expect(open.map(({ id }) => id)).to.deep.equal(['a', 'b', 'c']);
    expect(server.seen[0]?.request).to.equal('GET /api/orders/open?marketId=m&fleet=true');
    expect(server.seen).to.have.length(2);
  });

  it('with `decimals: string`, amounts are exact text everywhere, and counts stay numbers', async () => {
    const texts = client({ decimals: 'string' });
    const levels = [{ price: 0.0001, quantity: 3, orders: 1 }];
    const book = { seq: 4, yes: { bids: levels, asks: [] }, bestYesBid: 0.1, bestYesAsk: null };
    server.script = [json(200, book), json(200, { results: [{ ok: true, order: { price: 0.3, quantity: 2 } }] })];
    expect(await texts.fetchOrderBook('m')).to.deep.equal({
      ...book,
      yes: { bids: [{ price: '0.0001', quantity: 3, orders: 1 }], asks: [] },
      bestYesBid: '0.1',
    });
    const [result] = await texts.createOrders([{ marketId: 'm', outcome: 'yes', price: '0.30', quantity: 2 }]);
    expect(result).to.deep.equal({ ok: true, order: { price: '0.3', quantity: 2 } });
    expect(JSON.parse(server.seen[1]?.body ?? '')).to.have.nested.property('orders[0].price', 0.3);
  });

  it('fetchBalance subtracts what orders reserve, exactly', async () => {
    const portfolio = {
      summary: { cash: 10.3, pnl: -0.1, portfolioValue: 9.9 },
      orders: [{ reservedAmount: 0.1 }, { reservedAmount: 0.2 }],
    };
    server.script = [json(200, portfolio), json(200, portfolio)];
    expect(await client().fetchBalance()).to.include({ cash: 10.3, reserved: 0.3, free: 10 });
    expect(await client({ decimals: 'string' }).fetchBalance()).to.deep.equal({
      cash: '10.3',
      reserved: '0.3',
      free: '10',
      portfolioValue: '9.9',
      pnl: '-0.1',
    });
  });

  it('an operator lists a market once: without an id it gets one', async () => {
    const market = {
      title: 't',
      ticker: 'T',
      companySlug: 'c',
      sector: 's',
      category: 'c',
      settlementSource: 's',
      prior: '0.5',
      closesAt: '2030-01-01T00:00:00Z',
    };
    server.script = [json(503, {}, { 'retry-after': '0' }), json(200, {})];
    await createOperatorClient({ baseUrl: server.baseUrl, key: 'o' }).createMarket(market);
    const ids = server.seen.map(({ body }) => JSON.parse(body) as { readonly id: string; readonly prior: number });
    expect(ids[0]?.id).to.be.a('string').and.equal(ids[1]?.id);
    expect(ids[0]?.prior).to.equal(0.5);
  });

  describe('a receipt', () => {
    const sha = (...parts: (string | Buffer)[]) =>
      parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
    const line = (seq: number, before: string, event: object) => {
      const publicText = JSON.stringify({ seq, ...event });
      const privateDigest = '0'.repeat(64);
      const hash = sha(Buffer.from(before, 'hex'), sha(publicText), Buffer.from(privateDigest, 'hex')).toString('hex');
      return { seq, hash, id: 'i', privateDigest, publicText, type: 'OrderPlaced' };
    };
    const first = line(1, '0'.repeat(64), {});
    const second = line(2, first.hash, { event: { type: 'OrderPlaced' } });
    const journal =
      (...lines: object[]) =>
      (response: ServerResponse) =>
        void response
          .writeHead(200, { 'content-type': 'application/x-ndjson; charset=utf-8' })
          .end(lines.map((one) => `${JSON.stringify(one)}\n`).join(''));

    it('that the journal holds is verified', async () => {
      server.script = [journal(first, second), journal(first)];
      const found = await client().verifyReceipt({ seq: 2, hash: second.hash });
      expect(found).to.deep.include({ seq: 2, type: 'OrderPlaced', event: { seq: 2, event: { type: 'OrderPlaced' } } });
      expect(server.seen[0]?.request).to.equal('GET /api/journal?from=1&limit=2');
      expect(await client().verifyReceipt({ seq: 1, hash: first.hash })).to.include({ seq: 1 });
    });

    it('that the journal contradicts is a ReceiptFault', async () => {
      const changed = { ...second, publicText: second.publicText.replace('Placed', 'Filled') };
      const cases = [[first], [first, line(2, first.hash, {})], [first, changed], [{ ...first, hash: 'ff' }, second]];
      for (const lines of cases) {
        server.script = [journal(...lines)];
        const error: unknown = await client()
          .verifyReceipt({ seq: 2, hash: second.hash })
          .catch((thrown: unknown) => thrown);
        expect(error).to.be.instanceOf(ReceiptFault);
      }
    });

    it('is needed: a client without one says so', async () => {
      const error: unknown = await client()
        .verifyReceipt()
        .catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(RangeError);
    });
  });
});

function* methodsOf(prototype: object): Generator<string> {
  for (let one = prototype; one !== Object.prototype; one = Object.getPrototypeOf(one) as object) {
    yield* Object.getOwnPropertyNames(one).filter((name) =>
      /^(fetch|download|create|edit|cancel|preview|merge|set|revoke|rename|closeSub|start|delete|advance)/.test(name),
    );
  }
}

/** The path with `{}` for each parameter, which is `a` here. */
function templateOf(request: string): string {
  return request.replace(/\?.*$/, '').replaceAll(/\/a(?=\/|$)/g, '/{}');
}
