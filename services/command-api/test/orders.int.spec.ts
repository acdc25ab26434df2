import { expect } from 'chai';
import { createMemoryLog } from '@paper/journal';
import { httpHarness, listing } from './http-harness.ts';
import type { HttpHarness } from './http-harness.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('orders over HTTP', () => {
  let harness: HttpHarness;
  let key: string;
  let accountId: string;
  let other: string;

  const open = async (displayName: string) => {
    const { body } = await harness.operate('POST', '/api/operator/accounts', { displayName });
    return body as unknown as { account: { id: string }; apiKey: { rawKey: string; id: string } };
  };
  const order = (more: Readonly<Record<string, unknown>> = {}) => ({
    marketId: 'm',
    outcome: 'yes',
    price: 0.4,
    quantity: 10,
    ...more,
  });
  const place = (more: Readonly<Record<string, unknown>> = {}, as = key) =>
    harness.call('POST', '/api/orders', { body: order(more), key: as });
  const seqOf = (reply: { headers: Headers }) => Number(reply.headers.get('x-journal-seq'));

  before(async () => {
    harness = await httpHarness();
    await harness.operate('POST', '/api/operator/markets', listing('m', { tickSize: 0.01 }));
    await harness.operate('POST', '/api/operator/markets', listing('deep'));
    await harness.operate('POST', '/api/operator/markets', listing('paused'));
    await harness.operate('POST', '/api/operator/markets/paused/pause');
    const ada = await open('Ada');
    key = ada.apiKey.rawKey;
    accountId = ada.account.id;
    other = (await open('Bob')).apiKey.rawKey;
  });
  after(() => harness.close());

  it('places an order, and answers it whole', async () => {
    const reply = await place();
    expect(reply.status).to.equal(200);
    const { id, createdAt, ...rest } = reply.body as unknown as { id: string; createdAt: string };
    expect(id).to.match(UUID);
    expect(createdAt).to.match(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/);
    expect(rest).to.deep.equal({
      filledQty: 0,
      marketId: 'm',
      orderType: 'limit',
      outcome: 'yes',
      price: 0.4,
      quantity: 10,
      reservedAmount: 4,
      side: 'buy',
      status: 'open',
      timeInForce: 'GTC',
      userId: accountId,
    });
    expect(seqOf(reply)).to.equal(harness.log.events.length);
  });

  it('trades with another account at the resting price', async () => {
    const { body } = await place({ outcome: 'no', price: 0.7, quantity: 4, timeInForce: 'IOC' }, other);
    expect(body).to.deep.include({ filledQty: 4, price: 0.7, quantity: 4, reservedAmount: 0, status: 'filled' });
    expect((harness.log.events.at(-1)?.publicText ?? '').includes('"yesPriceUnits":4000')).to.equal(true);
  });

  const refusals: readonly (readonly [string, Readonly<Record<string, unknown>>, number, string, RegExp])[] = [
    ['an unknown market is 400 here', { marketId: 'none' }, 400, 'market_not_found', /./],
    ['a paused market', { marketId: 'paused' }, 400, 'market_not_active', /^Market is not active/],
    ['a price off the tick', { price: 0.415 }, 400, 'invalid_tick', /./],
    ['a price finer than a unit', { price: 0.40001 }, 400, 'invalid_tick', /./],
    ['the market is looked at before the tick', { marketId: 'none', price: 0.40001 }, 400, 'market_not_found', /./],
    [
      'a maxPrice finer than a unit',
      { maxPrice: 0.40001 },
      400,
      'validation_failed',
      /^validation failure: maxPrice: /,
    ],
    [
      'a notional finer than a unit',
      { notional: 10.00001 },
      400,
      'validation_failed',
      /^validation failure: notional: /,
    ],
    ['slippage finer than a unit', { slippage: 0.00001 }, 400, 'validation_failed', /^validation failure: slippage: /],
    ['a limit order without a price', { price: undefined }, 400, 'validation_failed', /^validation failure: price: /],
    ['half of the cash', { marketId: 'deep', price: 0.99, notional: 5000, quantity: undefined }, 200, '', /./],
    [
      'what nothing is left for',
      { marketId: 'deep', price: 0.99, notional: 5000, quantity: undefined },
      400,
      'insufficient_balance',
      /^Insufficient balance/,
    ],
    ['shares that are not there', { side: 'sell', quantity: 400 }, 400, 'insufficient_shares', /^Insufficient shares/],
  ];
  for (const [what, body, status, code, text] of refusals) {
    it(`${status === 200 ? 'takes' : 'refuses'} ${what}`, async () => {
      const before = harness.log.events.length;
      const reply = await place(body, other);
      expect([reply.status, reply.body['code'] ?? '']).to.deep.equal([status, code]);
      if (status === 200) return;
      expect(Object.keys(reply.body).sort()).to.deep.equal(['code', 'error']);
      expect(reply.body['error']).to.match(text);
      expect(harness.log.events.length).to.equal(before);
    });
  }

  it('answers the first order again for the same Idempotency-Key, and another body is a conflict', async () => {
    const first = await harness.call('POST', '/api/orders', { body: order(), idempotencyKey: 'k1', key });
    const length = harness.log.events.length;
    const again = await harness.call('POST', '/api/orders', { body: order(), idempotencyKey: 'k1', key });
    expect(again.status).to.equal(200);
    expect(again.body).to.deep.equal(first.body);
    expect(first.headers.get('idempotent-replayed')).to.equal(null);
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
    expect(harness.log.events.length).to.equal(length);
    const conflict = await harness.call('POST', '/api/orders', {
      body: order({ quantity: 9 }),
      idempotencyKey: 'k1',
      key,
    });
    expect([conflict.status, conflict.body['code']]).to.deep.equal([400, 'idempotency_conflict']);
    // The Idempotency-Key's scope is the account: the same key of another account is another key.
    const others = await harness.call('POST', '/api/orders', { body: order(), idempotencyKey: 'k1', key: other });
    expect(others.headers.get('idempotent-replayed')).to.equal(null);
  });

  it('cancels a live order, and the cancelled one again', async () => {
    const id = String((await place()).body['id']);
    const cancel = () => harness.call('DELETE', `/api/orders/${id}`, { key });
    expect((await cancel()).body).to.deep.equal({ ok: true });
    const length = harness.log.events.length;
    expect((await cancel()).body).to.deep.equal({ ok: true });
    expect(harness.log.events.length).to.equal(length);
  });

  it('cancels nothing of a filled or unknown order', async () => {
    await place({ outcome: 'no', price: 0.4, quantity: 5 }, other);
    const filled = String((await place({ price: 0.6, quantity: 5 })).body['id']);
    for (const id of [filled, 'unknown']) {
      const reply = await harness.call('DELETE', `/api/orders/${id}`, { key });
      expect([reply.status, reply.body]).to.deep.equal([200, { ok: false }]);
    }
  });

  it("refuses to cancel another's order, live or ended", async () => {
    const live = String((await place()).body['id']);
    const ended = String((await place()).body['id']);
    await harness.call('DELETE', `/api/orders/${ended}`, { key });
    for (const id of [live, ended]) {
      const reply = await harness.call('DELETE', `/api/orders/${id}`, { key: other });
      expect([reply.status, reply.body]).to.deep.equal([403, { code: 'forbidden', error: 'Forbidden' }]);
    }
  });

  it("lets a primary cancel its sub-account's orders, and not the other way round", async () => {
    const sub = await harness.call('POST', '/api/accounts/sub', { body: { displayName: 'fleet one' }, key });
    const subKey = (sub.body as unknown as { apiKey: { rawKey: string } }).apiKey.rawKey;
    const cancel = async (id: string, as: string) => {
      const { status, body } = await harness.call('DELETE', `/api/orders/${id}`, { key: as });
      return [status, body['code'] ?? body['ok']];
    };
    const ofSub = String((await place({}, subKey)).body['id']);
    const ofPrimary = String((await place()).body['id']);
    expect(await cancel(ofPrimary, subKey)).to.deep.equal([403, 'forbidden']);
    expect(await cancel(ofSub, key)).to.deep.equal([200, true]);
    expect(await cancel(ofSub, key)).to.deep.equal([200, true]);
    expect(await cancel(ofPrimary, key)).to.deep.equal([200, true]);
    expect(await cancel(ofPrimary, subKey)).to.deep.equal([403, 'forbidden']);
  });

  it("refuses a primary's key without master to cancel its sub-account's order, live or ended", async () => {
    const made = await open('Dee');
    const master = made.apiKey.rawKey;
    const sub = await harness.call('POST', '/api/accounts/sub', { body: { displayName: 'fleet two' }, key: master });
    const subKey = (sub.body as unknown as { apiKey: { rawKey: string } }).apiKey.rawKey;
    const traded = await harness.call('POST', `/api/accounts/sub/${made.account.id}/keys`, {
      body: { name: 'trader', permissions: ['view', 'trade'] },
      key: master,
    });
    const tradeKey = (traded.body as unknown as { apiKey: { rawKey: string } }).apiKey.rawKey;
    const live = String((await place({}, subKey)).body['id']);
    const ended = String((await place({}, subKey)).body['id']);
    expect((await harness.call('DELETE', `/api/orders/${ended}`, { key: subKey })).body).to.deep.equal({ ok: true });
    for (const id of [live, ended]) {
      const refused = await harness.call('DELETE', `/api/orders/${id}`, { key: tradeKey });
      expect([refused.status, refused.body['code']], id).to.deep.equal([403, 'forbidden']);
      expect((await harness.call('DELETE', `/api/orders/${id}`, { key: master })).body).to.deep.equal({ ok: true });
    }
  });

  it('accepts keys from their creation until their revocation', async () => {
    const made = await open('Cy');
    const sub = await harness.call('POST', '/api/accounts/sub', {
      body: { displayName: 'short' },
      key: made.apiKey.rawKey,
    });
    const { apiKey } = sub.body as unknown as { apiKey: { id: string; rawKey: string } };
    expect((await place({}, apiKey.rawKey)).status).to.equal(200);
    const revoked = await harness.call('DELETE', `/api/accounts/keys/${apiKey.id}`, { key: made.apiKey.rawKey });
    expect(revoked.body).to.deep.equal({ ok: true });
    const reply = await place({}, apiKey.rawKey);
    expect([reply.status, reply.body['code']]).to.deep.equal([401, 'not_authenticated']);
  });

  it('keeps the first answer through a restart on the same journal', async () => {
    const log = createMemoryLog();
    const first = await httpHarness({ log });
    await first.operate('POST', '/api/operator/markets', listing('m'));
    const opened = await first.operate('POST', '/api/operator/accounts', { displayName: 'Ada' });
    const raw = (opened.body as unknown as { apiKey: { rawKey: string } }).apiKey.rawKey;
    const placed = await first.call('POST', '/api/orders', { body: order(), idempotencyKey: 'k', key: raw });
    await first.close();
    const second = await httpHarness({ log });
    const again = await second.call('POST', '/api/orders', { body: order(), idempotencyKey: 'k', key: raw });
    await second.close();
    expect(again.body).to.deep.equal(placed.body);
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
    expect(seqOf(again)).to.equal(seqOf(placed));
  });

  it('answers 503 with Retry-After when another writer has taken over, and is not ready', async () => {
    const fenced = await httpHarness();
    fenced.plan(() => 'fenced');
    const reply = await fenced.operate('POST', '/api/operator/markets', listing('m'));
    expect([reply.status, reply.body['code']]).to.deep.equal([503, 'unavailable']);
    expect(reply.headers.get('retry-after')).to.equal('1');
    expect(fenced.fenced.length).to.equal(1);
    expect(fenced.side.ready()).to.equal(false);
    expect((await fenced.call('POST', '/api/orders', { body: order(), key })).status).to.equal(503);
    await fenced.close();
  });
});
