import { FakeClock } from '@paper/testkit';
import { expect } from 'chai';
import { httpHarness, listing } from './http-harness.ts';
import type { HttpHarness, Reply } from './http-harness.ts';

const codeIn = (reply: Reply) => [reply.status, reply.body['code']];
interface Results {
  readonly results: readonly {
    readonly ok: boolean;
    readonly changed?: boolean;
    readonly code?: string;
    readonly status?: number;
    readonly result?: Record<string, unknown>;
  }[];
}
const resultsOf = (reply: Reply) => (reply.body as unknown as Results).results;

const signalOf = (marketId: string) => ({
  citationUrl: 'https://example.org/report',
  externalId: `report of ${marketId}`,
  fairProb: 0.7,
  headline: 'A report',
  marketId,
  publishedAt: '2026-01-01T00:00:00Z',
  source: 'wire',
});

describe('the operator over HTTP', () => {
  let harness: HttpHarness;

  before(async () => {
    harness = await httpHarness();
  });
  after(() => harness.close());

  const list = (id: string, more: Readonly<Record<string, unknown>> = {}) =>
    harness.operate('POST', '/api/operator/markets', listing(id, more));
  const trader = async (displayName: string): Promise<string> => {
    const { body } = await harness.operate('POST', '/api/operator/accounts', { displayName });
    return (body as unknown as { apiKey: { rawKey: string } }).apiKey.rawKey;
  };
  const order = (key: string, body: unknown) => harness.call('POST', '/api/orders', { body, key });

  it('lists a market, and the same listing again changes nothing', async () => {
    const first = await list('a');
    expect(first.body).to.deep.include({
      id: 'a',
      phase: 'active',
      probability: 0.5,
      status: 'active',
      tickSize: 0.0001,
    });
    expect(first.body['seq']).to.equal(harness.log.events.length);
    const length = harness.log.events.length;
    expect((await list('a')).body).to.deep.equal(first.body);
    // The same listing in another form: a default written out, the same time in another offset.
    const otherwise = await list('a', { closesAt: '2100-01-01T00:59:00+01:00', drivers: [], tickSize: 0.0001 });
    expect(otherwise.body).to.deep.equal(first.body);
    expect(harness.log.events.length).to.equal(length);
    expect(codeIn(await list('a', { title: 'Another' }))).to.deep.equal([400, 'idempotency_conflict']);
  });

  it('a market that was tradable for ever: one whose closesAt has passed is listed only as closed', async () => {
    const closesAt = '2020-01-01T00:00:00Z';
    for (const status of ['active', 'pending', undefined]) {
      const refused = await list('past', { closesAt, status });
      expect(refused.body).to.deep.equal({
        code: 'validation_failed',
        error:
          'validation failure: closesAt: has passed: give a time that is later than now, or list the market closed',
      });
      expect(refused.status).to.equal(400);
    }
    expect((await list('past', { closesAt, status: 'closed' })).body).to.include({
      phase: 'closed',
      status: 'pending',
    });
    const path = '/api/operator/markets/past';
    expect((await harness.operate('POST', `${path}/activate`)).body['phase']).to.equal('active');
    const key = await trader('Late');
    const buy = { marketId: 'past', outcome: 'yes', price: 0.5, quantity: 1 };
    expect(codeIn(await order(key, buy))).to.deep.equal([400, 'market_not_active']);
    expect(codeIn(await harness.operate('PATCH', path, { closesAt }))).to.deep.equal([200, undefined]);
    const earlier = { closesAt: '2020-01-02T00:00:00Z' };
    expect(codeIn(await harness.operate('PATCH', path, earlier))).to.deep.equal([400, 'validation_failed']);
    await harness.operate('PATCH', path, { closesAt: '2098-01-01T00:00:00Z' });
    expect((await order(key, buy)).status).to.equal(200);
  });

  it('makes an id where none is given, and refuses a prior that is too fine', async () => {
    const made = await harness.operate('POST', '/api/operator/markets', listing('', { id: undefined }));
    expect(made.body['id']).to.match(/^[0-9a-f-]{36}$/);
    expect(codeIn(await list('fine', { prior: 0.50001 }))).to.deep.equal([400, 'validation_failed']);
  });

  it('amends, pauses, activates and closes', async () => {
    await list('p');
    const path = '/api/operator/markets/p';
    const amended = await harness.operate('PATCH', path, { closesAt: '2098-01-01T00:00:00Z', title: 'Will it?' });
    expect(amended.body).to.deep.include({ closesAt: '2098-01-01T00:00:00.000Z', title: 'Will it?' });
    const phases: unknown[] = [];
    for (const act of ['pause', 'pause', 'activate', 'close', 'close', 'activate']) {
      phases.push((await harness.operate('POST', `${path}/${act}`)).body['phase']);
    }
    expect(phases).to.deep.equal(['paused', 'paused', 'active', 'closed', 'closed', 'active']);
  });

  it('finds no market that is not there', async () => {
    const path = '/api/operator/markets/none';
    const calls: readonly (readonly [string, string, unknown])[] = [
      ['PATCH', path, { title: 'x' }],
      ['POST', `${path}/activate`, undefined],
      ['POST', `${path}/pause`, undefined],
      ['POST', `${path}/close`, undefined],
      ['POST', `${path}/resolve`, { outcome: 'yes' }],
      ['POST', `${path}/void`, { price: 0.5, reason: 'withdrawn' }],
    ];
    for (const [method, at, body] of calls) {
      expect(codeIn(await harness.operate(method, at, body)), at).to.deep.equal([404, 'market_not_found']);
    }
  });

  it('resolves: cancels, pays, and answers the same again', async () => {
    await list('r');
    const [ada, bob] = [await trader('Ada'), await trader('Bob')];
    await order(ada, { marketId: 'r', outcome: 'yes', price: 0.6, quantity: 10 });
    await order(bob, { marketId: 'r', outcome: 'no', price: 0.4, quantity: 4 });
    const path = '/api/operator/markets/r/resolve';
    const resolved = await harness.operate('POST', path, { outcome: 'yes' });
    expect(resolved.status).to.equal(200);
    expect(resolved.body).to.deep.include({ cancelledOrders: 1, paid: 4, settledAccounts: 2 });
    expect(resolved.body['market']).to.deep.include({
      phase: 'resolved',
      probability: 1,
      resolvedOutcome: 'yes',
      status: 'resolved',
    });
    expect((await harness.operate('POST', path, { outcome: 'yes' })).body).to.deep.equal(resolved.body);
    expect(codeIn(await harness.operate('POST', path, { outcome: 'no' }))).to.deep.equal([
      400,
      'market_already_resolved',
    ]);
    expect(codeIn(await harness.operate('POST', '/api/operator/markets/r/activate'))).to.deep.equal([
      400,
      'market_already_resolved',
    ]);
  });

  it('voids at a price: YES gets it, NO the rest', async () => {
    await list('v');
    const [ada, bob] = [await trader('Ada'), await trader('Bob')];
    await order(ada, { marketId: 'v', outcome: 'yes', price: 0.6, quantity: 10 });
    await order(bob, { marketId: 'v', outcome: 'no', price: 0.4, quantity: 10 });
    const path = '/api/operator/markets/v/void';
    const voided = await harness.operate('POST', path, { price: 0.25, reason: 'withdrawn' });
    expect(voided.body).to.deep.include({ cancelledOrders: 0, paid: 10, settledAccounts: 2 });
    expect(voided.body['market']).to.deep.include({
      phase: 'void',
      probability: 0.25,
      resolvedOutcome: null,
      status: 'pending',
    });
    expect((await harness.operate('POST', path, { price: 0.25, reason: 'withdrawn' })).body).to.deep.equal(voided.body);
    expect(codeIn(await harness.operate('POST', path, { price: 0.3, reason: 'withdrawn' }))).to.deep.equal([
      400,
      'market_already_resolved',
    ]);
    const priceless = await harness.operate('POST', path, { reason: 'withdrawn' });
    expect(codeIn(priceless)).to.deep.equal([400, 'validation_failed']);
    const fine = await harness.operate('POST', path, { price: 0.25001, reason: 'withdrawn' });
    expect(codeIn(fine)).to.deep.equal([400, 'validation_failed']);
  });

  it('refuses a signal from the future, from the exchange itself, or with a user in its citation, in a batch too', async () => {
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const rows: readonly (readonly [more: object, error: string])[] = [
      [{ publishedAt: inHours(365 * 24) }, 'publishedAt: is more than 24 hours later than now'],
      [{ publishedAt: inHours(25) }, 'publishedAt: is more than 24 hours later than now'],
      [{ source: 'ЕXCHANGE' }, 'source: reads like "exchange"'],
      [{ citationUrl: 'https://apple.com@evil' }, 'citationUrl: must be an http or https address'],
      [{ headline: 'a\u001b[2J' }, 'headline: character 2 (U+001B) is a control character; remove it'],
    ];
    const before = harness.log.events.length;
    const signals = rows.map(([more], index) => {
      const { marketId: _, ...signal } = signalOf('s');
      return { ...signal, externalId: `refused-${index}`, ...more };
    });
    const batch = signals.map((signal) => ({ op: 'record-signal', ...signal }));
    const results = resultsOf(await harness.operate('POST', '/api/operator/batch', { commands: batch }));
    for (const [index, [, error]] of rows.entries()) {
      const single = await harness.operate('POST', '/api/operator/signals', signals[index]);
      expect([single.status, single.body['code']]).to.deep.equal([400, 'validation_failed']);
      expect(single.body['error']).to.contain(`validation failure: ${error}`);
      expect(results[index]).to.deep.include({ ok: false, status: 400, error: single.body['error'] });
    }
    expect(harness.log.events.length).to.equal(before);
    const ahead = { ...signals[0], externalId: 'tomorrow', publishedAt: inHours(23) };
    expect((await harness.operate('POST', '/api/operator/signals', ahead)).status).to.equal(200);
  });

  it('records a signal once', async () => {
    await list('s');
    const signal = signalOf('s');
    const first = await harness.operate('POST', '/api/operator/signals', signal);
    const last = harness.log.events.at(-1);
    expect(first.body).to.deep.equal({ id: last?.id, seq: last?.seq });
    await list('s2');
    const again = await harness.operate('POST', '/api/operator/signals', signal);
    expect(again.body).to.deep.equal(first.body);
    const nowhere = await harness.operate('POST', '/api/operator/signals', {
      ...signal,
      externalId: 'x',
      marketId: 'none',
    });
    expect(codeIn(nowhere)).to.deep.equal([404, 'market_not_found']);
  });

  it('carries out a batch in order, and continues after a refusal', async () => {
    const length = harness.log.events.length;
    const reply = await harness.operate('POST', '/api/operator/batch', {
      commands: [
        { op: 'list-market', ...listing('b1') },
        { op: 'pause-market', id: 'b1' },
        { op: 'close-market', id: 'b1' },
        { op: 'activate-market', id: 'b1' },
        { op: 'pause-market', id: 'none' },
        { op: 'resolve-market', id: 'b1', outcome: 'no' },
        { op: 'resolve-market', id: 'b1', outcome: 'yes' },
        { op: 'void-market', id: 'b1', price: 0.00001, reason: 'too fine' },
        { op: 'open-account', displayName: 'Batch' },
        { op: 'approve-account', id: 'none' },
      ],
    });
    const results = resultsOf(reply);
    expect(results.map(({ ok, status, code }) => (ok ? 'ok' : `${status} ${code}`))).to.deep.equal([
      'ok',
      'ok',
      'ok',
      'ok',
      '404 market_not_found',
      'ok',
      '400 market_already_resolved',
      '400 validation_failed',
      'ok',
      '404 account_not_found',
    ]);
    expect(results.slice(0, 4).map(({ result }) => result?.['phase'])).to.deep.equal([
      'active',
      'paused',
      'closed',
      'active',
    ]);
    expect(Number(reply.headers.get('x-journal-seq'))).to.equal(harness.log.events.length);
    expect(harness.log.events.length).to.be.greaterThan(length + 6);
  });

  it('waits in a batch for the end of a void, so that nothing that follows is decided in the middle of it', async () => {
    const small = await httpHarness({ settings: { runChunk: 1 } });
    await small.operate('POST', '/api/operator/markets', listing('bv'));
    const opened = await small.operate('POST', '/api/operator/accounts', { displayName: 'Ada' });
    const key = (opened.body as unknown as { apiKey: { rawKey: string } }).apiKey.rawKey;
    // More orders than the writer cancels in one turn of the event loop, so that the run has several pieces.
    const orders = 200;
    for (let n = 0; n < orders; n += 1) {
      await small.call('POST', '/api/orders', {
        body: { marketId: 'bv', outcome: 'yes', price: 0.01, quantity: 1 },
        key,
      });
    }
    const reply = await small.operate('POST', '/api/operator/batch', {
      commands: [
        { op: 'void-market', id: 'bv', price: 0.5, reason: 'withdrawn' },
        { op: 'open-account', displayName: 'After' },
        { op: 'void-market', id: 'bv', price: 0.5, reason: 'withdrawn' },
        { op: 'record-signal', ...signalOf('bv') },
      ],
    });
    const [first, , second, signal] = resultsOf(reply);
    expect(first?.result).to.deep.include({ cancelledOrders: orders, settledAccounts: 0 });
    expect(second?.result).to.deep.equal(first?.result);
    expect([signal?.status, signal?.code]).to.deep.equal([400, 'market_already_resolved']);
    const types = small.log.events.slice(-3).map(({ type }) => type);
    expect(types).to.deep.equal(['MarketSettled', 'AccountOpened', 'ApiKeyIssued']);
    await small.close();
  });

  it('opens an account with the id that is given, once, however long ago its Idempotency-Key was forgotten', async () => {
    const clock = new FakeClock();
    const exchange = await httpHarness({ clock });
    const id = '7d9c5a52-3c1c-4a56-9a1c-0f6f6f0d2c11';
    const open = (displayName: string) =>
      exchange.operate('POST', '/api/operator/accounts', { id, displayName }, 'the opening of one');
    const opened = (await open('Given')).body as { account?: { id: string }; apiKey: object };
    expect(opened.account?.id).to.equal(id);
    const length = exchange.log.events.length;

    const { rawKey: _, ...apiKey } = opened.apiKey as { rawKey?: string };
    expect((await open('Given')).body).to.deep.equal({ ...opened, apiKey });
    expect(codeIn(await open('Another'))).to.deep.equal([400, 'idempotency_conflict']);
    expect(exchange.log.events.length).to.equal(length);
    clock.advance(25 * 3_600_000);
    expect(
      (await exchange.operate('POST', `/api/operator/accounts/${id}/keys`, { name: 'k', permissions: ['view'] }))
        .status,
    ).to.equal(200);
    expect(codeIn(await open('Given'))).to.deep.equal([400, 'idempotency_conflict']);
    expect(exchange.log.events.length).to.equal(length + 1);
    expect(await exchange.names.find({ accountId: id, digest: '' })).to.equal('Given');
    await exchange.close();
  });

  it('opens no account with an id that is no UUID in lower case, and none with one in a batch', async () => {
    for (const id of ['mine', '7D9C5A52-3C1C-4A56-9A1C-0F6F6F0D2C11']) {
      const reply = await harness.operate('POST', '/api/operator/accounts', { id, displayName: 'Given' });
      expect(codeIn(reply), id).to.deep.equal([400, 'validation_failed']);
    }
    const id = '7d9c5a52-3c1c-4a56-9a1c-0f6f6f0d2c12';
    const commands = [{ op: 'open-account', displayName: 'Given', id }];
    const [result] = resultsOf(await harness.operate('POST', '/api/operator/batch', { commands }));
    expect(result?.code).to.equal('validation_failed');
  });

  it('a batch sent again did everything again: with an Idempotency-Key each item is done once', async () => {
    const send = (commands: readonly unknown[]) =>
      harness.operate('POST', '/api/operator/batch', { commands }, 'a batch that is sent again');
    const first = [
      { op: 'open-account', displayName: 'Once' },
      { op: 'pause-market', id: 'none' },
      { op: 'list-market', ...listing('once') },
    ];
    const reply = await send(first);
    expect(reply.headers.get('idempotent-replayed')).to.equal(null);
    const [opened, refused, listed] = resultsOf(reply);
    expect([opened?.ok, refused?.code, listed?.ok]).to.deep.equal([true, 'market_not_found', true]);
    const length = harness.log.events.length;

    const again = await send(first);
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
    const [account, ...others] = resultsOf(again);
    const { rawKey, ...apiKey } = opened?.result?.['apiKey'] as Record<string, unknown>;
    expect(rawKey).to.be.a('string');
    expect(account?.result).to.deep.equal({ ...opened?.result, apiKey });
    expect(others).to.deep.equal([refused, listed]);
    expect(harness.log.events.length).to.equal(length);

    // Refused items are decided again, further items are new, and a changed item at a used index is a conflict by
    // itself.
    const mended = [
      { op: 'open-account', displayName: 'Other' },
      { op: 'pause-market', id: 'once' },
      { op: 'list-market', ...listing('once') },
      { op: 'open-account', displayName: 'Further' },
    ];
    const next = await send(mended);
    expect(next.headers.get('idempotent-replayed')).to.equal(null);
    expect(resultsOf(next).map(({ ok, code }) => (ok ? 'ok' : code))).to.deep.equal([
      'idempotency_conflict',
      'ok',
      'ok',
      'ok',
    ]);
  });

  it('a key of a single call is a conflict for a whole batch, and the other way round', async () => {
    const batch = { commands: [{ op: 'open-account', displayName: 'Whole' }, { op: 'activate-market' }] };
    const single = { displayName: 'Single' };
    const [accounts, whole] = ['/api/operator/accounts', '/api/operator/batch'];
    expect((await harness.operate('POST', accounts, single, 'single first')).status).to.equal(200);
    const length = harness.log.events.length;
    expect(codeIn(await harness.operate('POST', whole, batch, 'single first'))).to.deep.equal([
      400,
      'idempotency_conflict',
    ]);
    expect(harness.log.events.length).to.equal(length);
    expect((await harness.operate('POST', whole, batch, 'batch first')).status).to.equal(200);
    expect(codeIn(await harness.operate('POST', accounts, single, 'batch first'))).to.deep.equal([
      400,
      'idempotency_conflict',
    ]);
  });

  it('refuses an invalid command by itself, and carries out the others', async () => {
    const length = harness.log.events.length;
    const reply = await harness.operate('POST', '/api/operator/batch', {
      commands: [
        { op: 'list-market', ...listing('b2'), prior: 2 },
        { op: 'list-market', ...listing('b3') },
        { op: 'drop-market', id: 'b3' },
        { op: 'pause-market', id: 'b3' },
        {},
      ],
    });
    expect(reply.status).to.equal(200);
    const [wrong, listed, unknown, paused, empty] = resultsOf(reply);
    expect(wrong).to.deep.equal({
      code: 'validation_failed',
      error: 'validation failure: prior: must be at most 0.99',
      ok: false,
      status: 400,
    });
    expect([listed?.result?.['phase'], paused?.result?.['phase']]).to.deep.equal(['active', 'paused']);
    for (const item of [unknown, empty]) {
      expect(item).to.include({ code: 'validation_failed', ok: false, status: 400 });
      expect(item)
        .to.have.property('error')
        .that.matches(/^validation failure: op: must be list-market or /);
    }
    expect(harness.log.events.length).to.equal(length + 2);
  });

  it('imports 500 markets at once, and the second time changes nothing', async () => {
    const commands = Array.from({ length: 500 }, (_, n) => ({ op: 'list-market', ...listing(`import-${n}`) }));
    const first = resultsOf(await harness.operate('POST', '/api/operator/batch', { commands }));
    const length = harness.log.events.length;
    const second = resultsOf(await harness.operate('POST', '/api/operator/batch', { commands }));
    expect(first.every(({ ok, changed }) => ok && changed)).to.equal(true);
    expect(second).to.deep.equal(first.map((result) => ({ ...result, changed: false })));
    expect(harness.log.events.length).to.equal(length);
  });

  it('says which of two imports at once listed a market: both reported all of them as their own', async () => {
    const commands = Array.from({ length: 50 }, (_, n) => ({ op: 'list-market', ...listing(`both-${n}`) }));
    const batch = async () => resultsOf(await harness.operate('POST', '/api/operator/batch', { commands }));
    const [one, other] = await Promise.all([batch(), batch()]);
    for (const [index, result] of one.entries()) {
      expect([result.changed, other[index]?.changed]).to.include(true).and.to.include(false);
    }
  });

  it('says of each command of a batch whether it changed anything', async () => {
    const commands = [
      { op: 'list-market', ...listing('twice') },
      { op: 'list-market', ...listing('twice') },
      { op: 'close-market', id: 'twice' },
      { op: 'close-market', id: 'twice' },
      { op: 'resolve-market', id: 'twice', outcome: 'yes' },
      { op: 'resolve-market', id: 'twice', outcome: 'yes' },
    ];
    const results = resultsOf(await harness.operate('POST', '/api/operator/batch', { commands }));
    expect(results.map(({ changed }) => changed)).to.deep.equal([true, false, true, false, true, false]);
  });

  it('refuses callers that are no operators', async () => {
    const key = await trader('Eve');
    const body = listing('eve');
    expect(codeIn(await harness.call('POST', '/api/operator/markets', { body, key }))).to.deep.equal([
      403,
      'forbidden',
    ]);
    expect(codeIn(await harness.call('POST', '/api/operator/markets', { body }))).to.deep.equal([
      401,
      'not_authenticated',
    ]);
  });

  it('says how it stands, and counts', async () => {
    const { body } = await harness.operate('GET', '/api/operator/status');
    const { uptimeMs, ...rest } = body as unknown as { uptimeMs: number };
    expect(uptimeMs).to.be.at.least(0);
    const seq = harness.log.events.length;
    expect(rest).to.deep.equal({
      epoch: 1,
      journalSeq: seq,
      projections: [{ lagEvents: 0, lagMs: 0, name: 'main', problem: null, seq }],
      queueDepth: 0,
      shard: '0',
      version: '0.1.0-test',
    });
    const text = await harness.metrics();
    expect(text).to.match(
      /commands_total\{type="ListMarket",outcome="unchanged"\} \d+|commands_total\{outcome="unchanged",type="ListMarket"\} \d+/,
    );
    expect(text).to.match(/journal_append_seconds_count \d+/);
  });
});
