import { DAY_MS } from '@paper/contracts/units';
import { eventually, scaledMs } from '@paper/testkit';
import { expect } from 'chai';
import {
  createClient,
  IdempotencyKeyTooOld,
  InsufficientBalance,
  KeyLost,
  OutcomeUnknown,
  RateLimited,
  Unavailable,
  Unreachable,
  ApiRefusal,
} from '../src/index.ts';
import type { ClientOptions } from '../src/index.ts';
import { cut, cutWithin, failure, json, ScriptedServer, scriptedServer, silence } from './scripted-server.ts';

const ORDER = { marketId: 'm', outcome: 'yes', price: 0.5, quantity: 1 } as const;
const AT_ONCE = { 'retry-after': '0' };

describe('commands of the client', () => {
  const server = scriptedServer();

  const client = (options: Partial<ClientOptions> = {}) =>
    createClient({ baseUrl: server.baseUrl, key: 'k', ...options });
  const keys = (): readonly unknown[] => [...new Set(server.seen.map(({ headers }) => headers['idempotency-key']))];

  it('given cuts, 429, 503 and a proxy’s 502, sends a command again under one Idempotency-Key', async () => {
    server.script = [
      cut,
      cutWithin,
      json(429, { error: 'slow down', code: 'rate_limited' }, AT_ONCE),
      json(503, { error: 'later', code: 'unavailable' }, AT_ONCE),
      (response) => void response.writeHead(502).end('<h1>Bad gateway</h1>'),
      json(200, { id: 'o' }, { 'x-journal-seq': '7', 'x-journal-hash': 'ab' }),
    ];
    const ours = client();
    expect(await ours.createOrder(ORDER)).to.deep.equal({ id: 'o' });
    expect(server.seen).to.have.length(6);
    expect(keys()).to.have.length(1);
    expect(keys()[0]).to.be.a('string');
    expect(ours.journalSeq).to.equal(7);
    expect(ours.receipts).to.have.length(1);
    expect(ours.receipts[0]).to.deep.include({
      seq: 7,
      hash: 'ab',
      operation: 'placeOrder',
      idempotencyKey: keys()[0],
    });
  });

  it('takes a new Idempotency-Key for each call, or the one that it is given', async () => {
    server.script = [json(200, {}), json(200, {}), json(200, {})];
    await client().createOrder(ORDER);
    await client().createOrder(ORDER);
    await client().createOrder(ORDER, { idempotencyKey: 'mine' });
    expect(keys()).to.have.length(3);
    expect(keys()[2]).to.equal('mine');
  });

  it('waits as long as Retry-After says', async () => {
    server.script = [json(503, {}, { 'retry-after': '1' }), json(200, { ok: true })];
    const begun = performance.now();
    expect(await client().cancelOrder('o')).to.equal(true);
    expect(performance.now() - begun).to.be.within(990, 5_000);
  });

  it('throws OutcomeUnknown with the Idempotency-Key where a command was sent and no answer came', async () => {
    for (const step of [cut, silence, json(503, {}, AT_ONCE), json(500, { error: 'a fault', code: 'internal' })]) {
      server.reset();
      server.script = [step];
      const error = await failure(client({ retryForMs: 0, timeoutMs: scaledMs(250) }).createOrder(ORDER));
      expect(error).to.be.instanceOf(OutcomeUnknown);
      expect(error).to.include({ idempotencyKey: keys()[0], request: 'POST /api/orders' });
      expect((error as OutcomeUnknown).firstSentAt).to.be.closeTo(Date.now(), 5_000);
    }
  });

  it('throws the refusal where a read fails by a fault of the service: nothing can have been carried out', async () => {
    server.script = [json(500, { error: 'a fault', code: 'internal' })];
    const error = await failure(client().fetchMarket('m'));
    expect(error).to.be.instanceOf(ApiRefusal).and.not.instanceOf(OutcomeUnknown);
    expect(error).to.include({ code: 'internal', status: 500 });
    expect(server.seen).to.have.length(1);
  });

  it('stops at the end of its time, however long the service asks to wait', async () => {
    server.script = [json(429, { error: 'slow down', code: 'rate_limited' }, { 'retry-after': '60' })];
    const error = await failure(client({ retryForMs: 500 }).createOrder(ORDER));
    // A 429 was not carried out, so its end is known.
    expect(error).to.be.instanceOf(RateLimited);
    expect(error).to.include({ retryAfterMs: 60_000 });
    expect(server.seen).to.have.length(1);
  });

  it('repeats a command for 60 seconds by default', async () => {
    const busy = (seconds: string) =>
      json(429, { error: 'slow down', code: 'rate_limited' }, { 'retry-after': seconds });
    server.script = [busy('61')];
    expect(await failure(client().createOrder(ORDER))).to.be.instanceOf(RateLimited);
    server.script = [busy('59')];
    const giveUp = new AbortController();
    const { fetch } = globalThis;
    let answered = false;
    globalThis.fetch = async (...request) => {
      const answer = await fetch(...request);
      await answer.clone().text();
      answered = true;
      return answer;
    };
    try {
      const waiting = failure(client({ signal: giveUp.signal }).createOrder(ORDER));
      await eventually('the answer has come', () => answered);
      giveUp.abort(new Error('no longer'));
      expect(await waiting).to.include({ message: 'no longer' });
    } finally {
      globalThis.fetch = fetch;
    }
  });

  it('a call has a time limit and a retry time of its own', async () => {
    server.script = [silence, json(200, { id: 'o' })];
    const patient = client({ timeoutMs: 60_000, retryForMs: 60_000 });
    const error = await failure(patient.createOrder(ORDER, { timeoutMs: scaledMs(250), retryForMs: 0 }));
    expect(error).to.be.instanceOf(OutcomeUnknown);
    expect(await patient.createOrder(ORDER)).to.deep.equal({ id: 'o' });
  });

  it('an attempt may take longer than the time for retries, and later ones take what is left of it', async () => {
    server.script = [cut, json(200, { id: 'o' }), cut, silence];
    expect(await client({ timeoutMs: 60_000, retryForMs: 10_000 }).createOrder(ORDER)).to.deep.equal({ id: 'o' });
    const begun = performance.now();
    const error = await failure(client({ timeoutMs: 60_000, retryForMs: 500 }).createOrder(ORDER));
    expect(error).to.be.instanceOf(OutcomeUnknown);
    expect(performance.now() - begun).to.be.within(490, 5_000);
  });

  it('throws a refusal by its code, with the text of the service, and sends it once', async () => {
    server.script = [json(400, { error: 'Insufficient balance', code: 'insufficient_balance' })];
    const error = await failure(client().createOrder(ORDER));
    expect(error).to.be.instanceOf(InsufficientBalance).and.instanceOf(ApiRefusal);
    expect(error).to.include({
      message: 'Insufficient balance',
      code: 'insufficient_balance',
      status: 400,
      request: 'POST /api/orders',
    });
    expect(server.seen).to.have.length(1);
  });

  it('repeats an unknown command by its key, and never one that is older than 24 hours', async () => {
    server.script = [json(200, { id: 'o' })];
    const firstSentAt = Date.now() - DAY_MS / 2;
    expect(await client().createOrder(ORDER, { idempotencyKey: 'a', firstSentAt })).to.deep.equal({ id: 'o' });
    const error = await failure(client().createOrder(ORDER, { idempotencyKey: 'a', firstSentAt: Date.now() - DAY_MS }));
    expect(error).to.be.instanceOf(IdempotencyKeyTooOld).and.include({ idempotencyKey: 'a' });
    expect(server.seen).to.have.length(1);
  });

  it('simply sends a command again that sets a state, without a key', async () => {
    server.script = [cut, json(200, { cancelsAt: null }), json(503, {}, AT_ONCE), json(200, { key: { id: 'k' } })];
    await client().setDeadManSwitch(0);
    await client().setMandate('k', { maxOrderCost: '12.50' });
    expect(keys()).to.deep.equal([undefined]);
    expect(server.seen[3]?.body).to.equal('{"maxOrderCost":12.5}');
  });

  it('cancelAllOrders says `repeated` where an earlier attempt may have cancelled, and merges no counts', async () => {
    const answer = { cancelled: 1, orderIds: ['o'] };
    server.script = [json(200, answer), cut, json(200, answer), json(429, {}, AT_ONCE), json(200, answer)];
    expect(await client().cancelAllOrders({ fleet: true })).to.deep.equal({ ...answer, repeated: false });
    expect(await client().cancelAllOrders()).to.deep.equal({ ...answer, repeated: true });
    expect(await client().cancelAllOrders()).to.deep.equal({ ...answer, repeated: false });
    expect(server.seen[0]?.request).to.equal('DELETE /api/orders?fleet=true');
  });

  it('replaces a key whose raw key was lost: revokes it, and issues another', async () => {
    const lost = { id: 'k1', name: 'default', permissions: ['view'] };
    const found = { ...lost, id: 'k2', rawKey: 'svc_live_x' };
    server.script = [
      cut,
      json(200, { subAccount: { id: 's' }, apiKey: lost }),
      json(200, { ok: true }),
      json(200, { apiKey: found }),
    ];
    const created = await client().createSubAccount({ displayName: 'Bot' });
    expect(created).to.deep.equal({ subAccount: { id: 's' }, apiKey: found });
    expect(server.seen.map(({ request }) => request)).to.deep.equal([
      'POST /api/accounts/sub',
      'POST /api/accounts/sub',
      'DELETE /api/accounts/keys/k1',
      'POST /api/accounts/sub/s/keys',
    ]);
    expect(JSON.parse(server.seen[3]?.body ?? '')).to.deep.equal({ name: 'default', permissions: ['view'] });
  });

  it('changes the display name, once', async () => {
    const me = { accountId: 'a', displayName: 'Ada L.' };
    server.script = [cut, json(200, me)];
    expect(await client().renameAccount('Ada L.')).to.deep.equal(me);
    expect(server.seen.map(({ request }) => request)).to.deep.equal(Array(2).fill('PATCH /api/me'));
    expect(server.seen.map(({ body }) => body)).to.deep.equal(Array(2).fill('{"displayName":"Ada L."}'));
    const keys = server.seen.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).to.equal(1);
  });

  it('closes a sub-account, also where an answer was lost', async () => {
    server.script = [cut, json(200, { ok: true })];
    await client().closeSubAccount('s 1');
    expect(server.seen.map(({ request }) => request)).to.deep.equal(Array(2).fill('DELETE /api/accounts/sub/s%201'));
  });

  it('throws KeyLost with the id where it may not replace the key', async () => {
    const lost = { id: 'k1', name: 'bot', permissions: ['view'] };
    server.script = [json(200, { apiKey: lost }), json(403, { error: 'Forbidden', code: 'forbidden' })];
    const error = await failure(client().createKey('s', { name: 'bot', permissions: ['view'] }));
    expect(error).to.be.instanceOf(KeyLost).and.include({ keyId: 'k1', accountId: 's' });
    server.script = [json(200, { apiKey: lost })];
    const asked = client({ replaceLostKeys: false }).createKey('s', { name: 'bot', permissions: ['view'] });
    expect(await failure(asked)).to.be.instanceOf(KeyLost);
    expect(server.seen).to.have.length(3);
  });

  it('sends an order with the fields of the order tools as a batch of one', async () => {
    server.script = [
      json(200, { results: [{ ok: true, order: { id: 'o' } }] }),
      json(200, { results: [{ ok: false, error: 'Insufficient balance', code: 'insufficient_balance' }] }),
    ];
    expect(await client().createOrder({ ...ORDER, postOnly: true })).to.deep.equal({ id: 'o' });
    expect(server.seen[0]?.request).to.equal('POST /api/orders/batch');
    expect(await failure(client().createOrder({ ...ORDER, clientOrderId: 'a' }))).to.be.instanceOf(InsufficientBalance);
  });

  it('a read is sent again too; at the end of its time it says what failed', async () => {
    server.script = [cut, json(200, { positions: [] })];
    expect(await client().fetchPositions()).to.deep.equal([]);
    server.script = [cut, json(503, { error: 'later', code: 'unavailable' }, AT_ONCE)];
    expect(await failure(client({ retryForMs: 0 }).fetchPositions())).to.be.instanceOf(Unreachable);
    expect(await failure(client({ retryForMs: 0 }).fetchPositions())).to.be.instanceOf(Unavailable);
    // A preview changes nothing.
    server.script = [cut];
    expect(await failure(client({ retryForMs: 0 }).previewOrder(ORDER))).to.be.instanceOf(Unreachable);
  });

  it('where nothing listens, a command is known not to be carried out', async () => {
    const stopped = new ScriptedServer();
    await stopped.start();
    const nowhere = createClient({ baseUrl: stopped.baseUrl, key: 'k', retryForMs: 0 });
    stopped.stop();
    expect(await failure(nowhere.createOrder(ORDER))).to.be.instanceOf(Unreachable);
  });

  it('what cannot be sent fails at once', async () => {
    expect(() => client({ baseUrl: 'not an address' })).to.throw(TypeError);
    expect(() => client({ key: 'two\nlines' })).to.throw(TypeError);
    expect(await failure(client().createOrder(ORDER, { idempotencyKey: 'two\nlines' }))).to.be.instanceOf(TypeError);
    expect(await failure(client().createOrder({ ...ORDER, quantity: 1n as never }))).to.be.instanceOf(TypeError);
    expect(server.seen).to.have.length(0);
  });

  it('ends when its signal aborts: a command that was sent has an unknown end', async () => {
    const ending = new AbortController();
    server.script = [
      (response, seen) => {
        silence(response, seen);
        ending.abort(new Error('stopping'));
      },
    ];
    const error = await failure(client().createOrder(ORDER, { signal: ending.signal }));
    expect(error).to.be.instanceOf(OutcomeUnknown).and.have.nested.property('cause.message', 'stopping');
    const read = await failure(client({ signal: ending.signal }).fetchPositions());
    expect(read).to.have.property('message', 'stopping');
  });
});
