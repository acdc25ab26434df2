import { ApiError, endpoints } from '@paper/contracts';
import type { Answer, Caller } from '@paper/contracts';
import { MINUTE_MS } from '@paper/contracts/units';
import { Progress } from '@paper/read-models';
import type { Route } from '@paper/http';
import { expect } from 'chai';
import { ResponseCache } from '../src/response-cache.ts';

const CLIENT = { signal: new AbortController().signal, address: 'address:test' };
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const textOf = (answer: Answer<unknown>): string => String(answer.preSerialized?.bytes);

/** A route whose answers the test makes, behind the cache. */
function byHand(limits?: { answers: number; bytes: number }) {
  const progress = new Progress();
  let nowMs = 10 * MINUTE_MS;
  const made: { give: (seq: number, body: unknown) => void; fail: (error: Error) => void }[] = [];
  const route: Route = {
    endpoint: endpoints.getMarket,
    handler: () =>
      new Promise((resolve, reject) => made.push({ give: (seq, body) => resolve({ body, seq }), fail: reject })),
    authenticate: () => Promise.resolve(null),
  };
  const cache = new ResponseCache({ progress, now: () => nowMs, ...(limits === undefined ? {} : { limits }) });
  const { handler } = cache.cached(route);
  return {
    hot: cache,
    progress,
    made,
    pass: (ms: number) => (nowMs += ms),
    ask: async (id = 'm') =>
      handler({ kind: 'public' }, { params: { id }, query: null, body: null, idempotency: null }, CLIENT),
  };
}

describe('hot answers', () => {
  it('are made once, and given again while the projection is where it was', async () => {
    const { ask, made, progress } = byHand();
    progress.set(5);
    const first = ask();
    made[0]?.give(5, { a: 1 });
    expect(textOf(await first)).to.equal('{"a":1}');
    expect(await ask()).to.equal(await first);
    expect(made).to.have.length(1);
  });

  it('are kept once for a limit that is written in many ways', async () => {
    const { hot: cache, progress } = byHand();
    progress.set(5);
    let made = 0;
    const { listMarkets } = endpoints;
    const { handler } = cache.cached({
      endpoint: listMarkets,
      handler: () => ({ body: [(made += 1)], seq: 5 }),
      authenticate: () => Promise.resolve(null),
    });
    for (const limit of ['500', '501', '1000', '9'.repeat(40)]) {
      const query = listMarkets.query.parse({ limit });
      const answer = await handler({ kind: 'public' }, { params: null, query, body: null, idempotency: null }, CLIENT);
      expect(textOf(answer), limit).to.equal('[1]');
    }
    expect(cache.usage.answers).to.equal(1);
  });

  it('are computed again when the projection has advanced; the same bytes keep their ETag and name the new sequence', async () => {
    const { ask, made, progress } = byHand();
    const first = ask();
    made[0]?.give(5, { a: 1 });
    const { preSerialized: before } = await first;
    for (const [n, body] of [{ a: 1 }, { a: 2 }].entries()) {
      progress.set(6 + n);
      const next = ask();
      made[1 + n]?.give(6 + n, body);
      const { preSerialized: after, seq } = await next;
      expect(seq).to.equal(6 + n);
      expect(after?.etag === before?.etag).to.equal(body.a === 1);
    }
  });

  it('are made anew when the projection has gone on, also where a crash has set it back since', async () => {
    const { ask, made, progress } = byHand();
    progress.set(5);
    const first = ask();
    made[0]?.give(5, { a: 1 });
    await first;
    progress.set(6);
    progress.set(0);
    const next = ask();
    made[1]?.give(6, { a: 2 });
    expect(textOf(await next)).to.equal('{"a":2}');
  });

  it('are made anew when the minute has ended, since a window may end with it', async () => {
    const { ask, made, pass } = byHand();
    const first = ask();
    made[0]?.give(5, { a: 1 });
    await first;
    pass(MINUTE_MS - 1);
    await ask();
    pass(1);
    const next = ask();
    made[1]?.give(5, { a: 2 });
    expect(textOf(await next)).to.equal('{"a":2}');
  });

  it('stay good when the projection has lost its last commits', async () => {
    const { ask, made, progress } = byHand();
    const first = ask();
    made[0]?.give(5, { a: 1 });
    await first;
    progress.set(3);
    expect((await ask()).seq).to.equal(5);
  });

  it('are made once for concurrent requests', async () => {
    const { ask, made } = byHand();
    const all = Array.from({ length: 50 }, () => ask());
    const other = ask('other');
    expect(made).to.have.length(2);
    made[0]?.give(5, { a: 1 });
    made[1]?.give(5, { a: 2 });
    expect(new Set((await Promise.all(all)).map(textOf))).to.deep.equal(new Set(['{"a":1}']));
    expect(textOf(await other)).to.equal('{"a":2}');
  });

  it('are not shared with requests that need a newer sequence: those share the next read', async () => {
    const { ask, made, progress } = byHand();
    progress.set(5);
    const early = ask();
    progress.set(6);
    const late = Array.from({ length: 9 }, () => ask());
    made[0]?.give(5, { a: 1 });
    expect((await early).seq).to.equal(5);
    await turn();
    expect(made).to.have.length(2);
    made[1]?.give(6, { a: 2 });
    expect((await Promise.all(late)).map(({ seq }) => seq)).to.deep.equal(late.map(() => 6));
    expect(made).to.have.length(2);
  });

  it('fail for the first request, and are retried for the others; a failure is not cached', async () => {
    const { ask, made, hot: cache } = byHand();
    const first = ask().catch((error: unknown) => error);
    const second = ask().catch((error: unknown) => error);
    made[0]?.fail(new ApiError('market_not_found', 'none'));
    expect(await first).to.have.property('code', 'market_not_found');
    await turn();
    made[1]?.fail(new ApiError('market_not_found', 'none'));
    expect(await second).to.have.property('code', 'market_not_found');
    expect(cache.usage).to.deep.equal({ answers: 0, bytes: 0 });
  });

  it('fail for nobody who waited for the request of another that fails for its own client', async () => {
    const { ask, made } = byHand();
    const refused = new ApiError('rate_limited', 'too many requests of this account are waiting');
    const first = ask().catch((error: unknown) => error);
    const second = ask().catch((error: unknown) => error);
    const others = [ask(), ask()];
    made[0]?.fail(refused);
    expect(await first).to.equal(refused);
    await turn();
    // The second one reads for the others, too.
    expect(made).to.have.length(2);
    made[1]?.fail(refused);
    expect(await second).to.equal(refused);
    await turn();
    for (const { give } of made.slice(2)) give(5, { a: 1 });
    expect((await Promise.all(others)).map(({ seq }) => seq)).to.deep.equal([5, 5]);
  });

  it('are cached within the limits, and not at all where nothing was found', async () => {
    const { ask, made, hot: cache } = byHand({ answers: 3, bytes: 10_000 });
    for (const id of ['a', 'b', 'c', 'd', 'e']) {
      const asked = ask(id);
      made.at(-1)?.give(5, { id });
      await asked;
    }
    expect(cache.usage.answers).to.equal(3);
    const held = cache.usage;
    for (const id of ['u', 'v', 'w', 'x']) {
      const asked = ask(id);
      made.at(-1)?.give(5, []);
      await asked;
    }
    expect(cache.usage).to.deep.equal(held);
  });

  it('wait for where the projection is, where that has to be asked', async () => {
    let seq = 5;
    const { handler } = new ResponseCache({ progress: { newest: async () => seq }, now: () => 0 }).cached({
      endpoint: endpoints.getMarket,
      handler: () => Promise.resolve({ body: { seq }, seq }),
      authenticate: () => Promise.resolve(null),
    });
    const ask = () =>
      handler({ kind: 'public' }, { params: { id: 'm' }, query: null, body: null, idempotency: null }, CLIENT);
    const first = await ask();
    expect(await ask()).to.equal(first);
    seq = 6;
    expect(textOf(await ask())).to.equal('{"seq":6}');
  });

  it('of an account are for all of its keys, and for no other account', async () => {
    const account = (accountId: string, keyId = 'k'): Caller => ({
      kind: 'key',
      accountId,
      keyId,
      permissions: ['view'],
      primaryAccountId: null,
    });
    let made = 0;
    const { handler } = new ResponseCache({ progress: new Progress(), now: () => 0 }).cached({
      endpoint: endpoints.getPortfolio,
      handler: (caller) => ({ body: { caller, made: (made += 1) }, seq: 5 }),
      authenticate: () => Promise.resolve(null),
    });
    const ask = async (caller: Caller) =>
      textOf(await handler(caller, { params: null, query: null, body: null, idempotency: null }, CLIENT));
    const first = await ask(account('a'));
    expect(await ask(account('a', 'other key'))).to.equal(first);
    expect(await ask(account('b'))).to.include('"accountId":"b"');
    expect(made).to.equal(2);
  });

  it('are of endpoints that are declared so, and never an operator’s', () => {
    const { hot: cache } = byHand();
    const operatorsOwn = { ...endpoints.getOperatorStatus, conditional: true };
    for (const endpoint of [endpoints.listOrders, endpoints.getHealth, endpoints.placeOrder, operatorsOwn]) {
      const route: Route = {
        endpoint,
        handler: () => Promise.resolve({ body: null, seq: 0 }),
        authenticate: () => Promise.resolve(null),
      };
      expect(() => cache.cached(route)).to.throw(endpoint.id);
    }
  });
});
