import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { createClient } from 'paper-trading-client';
import type { FleetKeyBody } from '@paper/contracts/accounts';
import { eventually } from '@paper/testkit';
import { startStandalone } from '@paper/testkit/exchange';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { marketBody } from '@paper/testkit/http';
import { expect } from 'chai';
import { createParser } from 'eventsource-parser';
import { sql } from 'kysely';
import { PASSWORD, signUp } from './support/people.ts';
import type { SignedUpPerson } from './support/people.ts';
import type { TestBrowser } from './support/test-browser.ts';
import { startTestPortal } from './support/test-portal.ts';
import type { TestPortal } from './support/test-portal.ts';

const MARKET = 'portal-pass-through';

interface MadeKey {
  readonly apiKey: { readonly id: string; readonly rawKey: string; readonly permissions: readonly string[] };
}

/** The portal's own token, which may open accounts, and acts on those alone. */
const PORTAL_TOKEN = 'the-token-of-the-portal-for-tests';
const OPERATOR_TOKENS = `operator:an-operator-token-for-tests,portal:${PORTAL_TOKEN}:accounts-own`;

describe("people's calls to the API", function () {
  this.timeout(60_000);
  let exchange: RunningStandalone;
  let portal: TestPortal;
  let ann: SignedUpPerson;
  let bob: SignedUpPerson;

  before(async () => {
    exchange = await startStandalone({ env: { OPERATOR_TOKENS } });
    portal = await startTestPortal({
      apiUrl: exchange.baseUrl,
      operatorToken: PORTAL_TOKEN,
      env: { SIGN_UPS_PER_HOUR: '1000', SIGN_UPS_PER_DAY: '1000' },
    });
    await operator().request('createMarket', { body: marketBody(MARKET) });
    ann = await signUp(portal, 'ann');
    bob = await signUp(portal, 'bob');
  });
  after(async () => {
    await portal.stop();
    await exchange.stop();
  });

  const operator = () => createClient({ baseUrl: exchange.baseUrl, key: exchange.operatorToken });
  const order = (more: object = {}) => ({
    marketId: MARKET,
    side: 'buy',
    outcome: 'yes',
    price: 0.4,
    quantity: 2,
    ...more,
  });
  const codeOf = async (browser: TestBrowser, method: string, path: string, body?: unknown) =>
    ((await browser.call(method, path, { body })).body as { code?: string } | null)?.code;
  const keysOf = async ({ browser }: SignedUpPerson) =>
    (await browser.expect<{ keys: (FleetKeyBody & { isPortals: boolean })[] }>(200, 'GET', '/portal/keys')).keys;

  it('trades as the person, and gives the answer with its sequence as it is', async () => {
    const answer = await ann.browser.call('POST', '/portal/as/me/orders', { body: order() });
    expect(answer.status, answer.text).to.equal(200);
    expect(Number(answer.headers['x-journal-seq'])).to.be.greaterThan(0);
    expect(answer.headers['x-journal-hash']).to.match(/^[0-9a-f]{64}$/);
    const portfolio = await ann.browser.call('GET', '/portal/as/me/portfolio');
    expect(portfolio.body).to.have.property('summary');
    expect(portfolio.headers['cache-control']).to.equal('no-store');
    expect((await ann.browser.call('GET', `/portal/as/${ann.accountId}/orders`)).text).to.include(MARKET);
  });

  it("gives the API's own words and code for what it refuses", async () => {
    const { body, status } = await ann.browser.call('POST', '/portal/as/me/orders', { body: order({ quantity: 0 }) });
    expect(status).to.equal(400);
    expect(body).to.have.property('code', 'validation_failed');
    expect((body as { error: string }).error).to.include('quantity');
  });

  it('honours an Idempotency-Key', async () => {
    const sent = { body: order(), headers: { 'idempotency-key': 'one order only' } };
    const first = await ann.browser.call('POST', '/portal/as/me/orders', sent);
    const again = await ann.browser.call('POST', '/portal/as/me/orders', sent);
    expect(again.headers['idempotent-replayed']).to.equal('true');
    expect(again.body).to.deep.equal(first.body);
  });

  it('leads to further pages through the portal', async () => {
    for (let count = 0; count < 3; count += 1) {
      await ann.browser.expect(200, 'POST', '/portal/as/me/orders', { body: order() });
    }
    const { headers } = await ann.browser.call('GET', '/portal/as/me/orders?limit=2');
    const [, next = ''] = /^<([^>]+)>; rel="next"$/.exec(String(headers['link'])) ?? [];
    expect(next).to.match(/^\/portal\/as\/me\/orders\?/);
    expect(await ann.browser.expect(200, 'GET', next))
      .to.be.an('array')
      .with.lengthOf(2);
  });

  it('reads a past state of a market, and the ledger', async () => {
    const { text } = await ann.browser.call('GET', `/portal/as/me/orderbook/${MARKET}?asOfSeq=3`);
    expect(text).to.be.a('string');
    expect((await ann.browser.call('GET', '/portal/as/me/ledger')).status).to.equal(200);
  });

  it('passes no call on that is not for a key with view and trade', async () => {
    const refused = [
      ['POST', 'operator/accounts'],
      ['GET', 'operator/status'],
      ['POST', 'operator/batch'],
      ['DELETE', 'operator/keys/some-key'],
      ['POST', 'accounts/sub'],
      ['GET', 'accounts/sub'],
      ['GET', 'accounts/keys'],
      ['DELETE', 'accounts/keys/some-key'],
      ['PUT', 'accounts/keys/some-key/mandate'],
      ['GET', 'orders/../operator/status'],
      ['GET', 'orders/..'],
      ['GET', 'orders/%2e%2e'],
      ['GET', 'orders/a%2f..%2foperator'],
      ['GET', '/operator/status'],
      ['GET', 'health'],
    ] as const;
    for (const [method, path] of refused) {
      expect(
        await codeOf(ann.browser, method, `/portal/as/me/${path}`, method === 'GET' ? undefined : {}),
        path,
      ).to.equal('not_found');
    }
  });

  it('makes the automation key, with which a bot sets up its own fleet', async () => {
    const { apiKey } = await ann.browser.expect<MadeKey>(200, 'POST', '/portal/automation-key', {
      body: { name: 'my bot' },
    });
    expect(apiKey.permissions).to.deep.equal(['view', 'trade', 'master']);
    const bot = createClient({ baseUrl: exchange.baseUrl, key: apiKey.rawKey });
    const made = (await bot.request('createSubAccount', { body: { displayName: 'By the bot' } })).body;
    expect((await ann.browser.call('GET', '/portal/sub-accounts')).text).to.include(made.subAccount.id);
  });

  it('makes, limits and revokes keys of sub-accounts, only after a proof', async () => {
    const created = await ann.browser.expect<{ subAccount: { id: string } } & MadeKey>(
      200,
      'POST',
      '/portal/sub-accounts',
      {
        body: { displayName: 'Second book' },
      },
    );
    const path = `/portal/sub-accounts/${created.subAccount.id}/keys`;
    const body = { name: 'limited', permissions: ['view', 'trade'], mandate: { maxOrderCost: 5 } };
    const { apiKey } = await ann.browser.expect<MadeKey>(200, 'POST', path, { body });
    const bot = createClient({ baseUrl: exchange.baseUrl, key: apiKey.rawKey });
    expect((await bot.request('getMe', {})).body.mandate).to.deep.equal({ maxOrderCost: 5 });
    // A mandate that the API refuses leaves no key without limits.
    const wrong = { ...body, name: 'wrong', mandate: { marketIds: [''] } };
    expect(await codeOf(ann.browser, 'POST', path, wrong)).to.equal('validation_failed');
    expect((await keysOf(ann)).filter(({ name, revokedAt }) => name === 'wrong' && revokedAt === null)).to.have.length(
      0,
    );
    await ann.browser.expect(200, 'PUT', `/portal/keys/${apiKey.id}/mandate`, { body: { maxOrderCost: 7 } });
    expect((await bot.request('getMe', {})).body.mandate).to.deep.equal({ maxOrderCost: 7 });
    await ann.browser.expect(204, 'DELETE', `/portal/keys/${apiKey.id}`);
    expect((await bot.request('getMe', {})).status).to.equal(401);

    await portal.db
      .updateTable('sessions')
      .set({ proven_until: new Date(Date.now() - 1) })
      .execute();
    for (const [method, at, sent] of [
      ['POST', '/portal/sub-accounts', { displayName: 'Third book' }],
      ['POST', path, body],
      ['DELETE', `/portal/sub-accounts/${created.subAccount.id}`, undefined],
      ['PUT', '/portal/display-name', { displayName: 'Ann the second' }],
      ['DELETE', `/portal/keys/${apiKey.id}`, undefined],
      ['PUT', `/portal/keys/${apiKey.id}/mandate`, null],
      ['POST', '/portal/automation-key', { name: 'x' }],
    ] as const) {
      expect(await codeOf(ann.browser, method, at, sent), `${method} ${at}`).to.equal('proof_required');
    }
    await ann.browser.expect(200, 'POST', '/portal/prove', { body: { password: PASSWORD } });
    await ann.browser.expect(204, 'DELETE', `/portal/sub-accounts/${created.subAccount.id}`);
    expect(await codeOf(ann.browser, 'POST', path, body)).to.equal('forbidden');
  });

  it('changes the display name, once in 7 days, in the service’s words', async () => {
    const change = (displayName: string) =>
      ann.browser.call('PUT', '/portal/display-name', { body: { displayName } }) as Promise<{
        status: number;
        body: { code: string; error: string };
      }>;
    const reserved = await change('House of Ann');
    expect([reserved.status, reserved.body.code]).to.deep.equal([400, 'validation_failed']);
    expect(reserved.body.error).to.match(/^validation failure: displayName: reads like "house"/);
    expect(await change('Ann the second')).to.deep.include({ status: 200, body: { displayName: 'Ann the second' } });
    const shown = await ann.browser.expect<{ displayName: string }>(200, 'GET', '/portal/as/me/me');
    expect(shown.displayName).to.equal('Ann the second');
    expect(await ann.browser.expect(200, 'GET', '/portal/session')).to.have.nested.property(
      'person.displayName',
      'Ann the second',
    );
    const again = await change('Ann the third');
    expect([again.status, again.body.code]).to.deep.equal([400, 'limit_reached']);
    expect(again.body.error).to.match(/^A display name can be changed once in 7 days: this one again in [67] d /);
  });

  it('shows a sub-account by a view key of its own, and changes nothing of it', async () => {
    const { subAccount } = await ann.browser.expect<{ subAccount: { id: string } }>(
      200,
      'POST',
      '/portal/sub-accounts',
      {
        body: { displayName: 'To look at' },
      },
    );
    const at = `/portal/as/${subAccount.id}`;
    // While its first key is made, nobody else gets that key, nor keeps it from being made.
    const [first, ...others] = await Promise.all([
      ann.browser.call('GET', `${at}/portfolio`),
      ...Array.from({ length: 10 }, () => codeOf(bob.browser, 'GET', `${at}/portfolio`)),
    ]);
    expect([first.status, ...others]).to.deep.equal([200, ...others.map(() => 'account_not_found')]);
    const { accountId, permissions } = await ann.browser.expect<{ accountId: string; permissions: string[] }>(
      200,
      'GET',
      `${at}/me`,
    );
    expect([accountId, permissions]).to.deep.equal([subAccount.id, ['view']]);
    await ann.browser.expect(200, 'GET', `${at}/portfolio`);
    expect((await keysOf(ann)).filter((key) => key.accountId === subAccount.id && key.isPortals)).to.have.length(1);
    expect(await codeOf(ann.browser, 'POST', `${at}/orders`, order())).to.equal('forbidden');
    expect(await codeOf(ann.browser, 'GET', `${at}/ledger`)).to.equal('forbidden');
    // Nobody else's.
    expect(await codeOf(bob.browser, 'GET', `${at}/me`)).to.equal('account_not_found');
    expect(await codeOf(bob.browser, 'GET', `/portal/as/${ann.accountId}/me`)).to.equal('account_not_found');

    // Unused for 30 days, the key is revoked; the next look makes another one.
    await sql`update portal.account_keys set last_used_at = now() - interval '31 days' where purpose = 'view'`.execute(
      portal.db,
    );
    const other = await startTestPortal({
      apiUrl: exchange.baseUrl,
      operatorToken: PORTAL_TOKEN,
      connectionString: portal.connectionString,
    });
    try {
      const isLive = async () =>
        (await keysOf(ann)).some(
          (key) => key.accountId === subAccount.id && key.name === 'portal' && key.revokedAt === null,
        );
      await eventually('the unused view key is revoked', async () => !(await isLive()));
    } finally {
      await other.stop();
    }
    await ann.browser.expect(200, 'GET', `${at}/portfolio`);
  });

  it('revokes the unused view keys of an account that was closed, and does not try it each hour', async () => {
    const cay = await signUp(portal, 'cay');
    const { subAccount } = await cay.browser.expect<{ subAccount: { id: string } }>(
      200,
      'POST',
      '/portal/sub-accounts',
      { body: { displayName: 'Of a closed account' } },
    );
    await cay.browser.expect(200, 'GET', `/portal/as/${subAccount.id}/portfolio`);
    expect((await operator().request('closeAccount', { params: { id: cay.accountId } })).status).to.equal(200);
    const viewKeys = () =>
      portal.db.selectFrom('account_keys').select('key_id').where('account_id', '=', subAccount.id).execute();
    expect(await viewKeys()).to.have.length(1);
    await sql`update portal.account_keys set last_used_at = now() - interval '31 days'
      where account_id = ${subAccount.id}`.execute(portal.db);
    const other = await startTestPortal({
      apiUrl: exchange.baseUrl,
      operatorToken: PORTAL_TOKEN,
      connectionString: portal.connectionString,
    });
    try {
      await eventually('no key of it is left', async () => (await viewKeys()).length === 0);
    } finally {
      await other.stop();
    }
  });

  it('makes a key anew where it was revoked, for many calls at once just one', async () => {
    const before = (await keysOf(bob)).filter((key) => key.revokedAt === null);
    for (const { id } of before) await operator().request('revokeAccountKey', { params: { keyId: id } });
    const answers = await Promise.all(Array.from({ length: 8 }, () => bob.browser.call('GET', '/portal/as/me/me')));
    expect(answers.map(({ status }) => status)).to.deep.equal(Array<number>(8).fill(200));
    const after = (await keysOf(bob)).filter((key) => key.revokedAt === null);
    expect(after.map(({ isPortals, name }) => [name, isPortals])).to.deep.equal([
      ['portal', true],
      ['portal', true],
    ]);
    expect(after.some(({ id }) => before.some((key) => key.id === id))).to.equal(false);
  });

  it('makes keys anew where PORTAL_SECRET was lost, and revokes those that it cannot read', async () => {
    await sql`update portal.account_keys set sealed = set_byte(sealed, 40, 0) where person_id in
      (select id from portal.people where sign_in_name = 'bob')`.execute(portal.db);
    expect((await bob.browser.call('GET', '/portal/as/me/me')).status).to.equal(200);
    expect((await keysOf(bob)).filter((key) => key.revokedAt === null)).to.have.length(2);
  });

  it('has no raw key in the database', async () => {
    const { rows } = await sql<{ sealed: Buffer }>`select sealed from portal.account_keys`.execute(portal.db);
    expect(rows.length).to.be.greaterThan(3);
    for (const { sealed } of rows) expect(sealed.toString('latin1')).not.to.include('svc_live');
  });

  const openStream = async (browser: TestBrowser, path: string, more: object = {}): Promise<IncomingMessage> => {
    const { hostname, port } = new URL(portal.url);
    const cookie = `session=${browser.cookies.get('session') ?? ''}`;
    const sent = request({ host: '127.0.0.1', port, path, headers: { host: `${hostname}:${port}`, cookie, ...more } });
    sent.on('error', () => undefined);
    sent.end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.on('error', () => undefined);
    response.once('close', () => sent.destroy());
    return response;
  };

  it("pipes the account's stream event by event, and closes the API's when the browser leaves", async () => {
    const streams = async (): Promise<number> => {
      const text = await (await fetch(exchange.metricsUrl)).text();
      return Number(/^paper_account_streams (\d+)/m.exec(text)?.[1]);
    };
    const before = await streams();
    const response = await openStream(ann.browser, '/portal/as/me/stream/account');
    expect(response.statusCode).to.equal(200);
    expect(response.headers).to.include({
      'content-type': 'text/event-stream; charset=utf-8',
      'x-accel-buffering': 'no',
    });
    let text = '';
    response.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await eventually('the stream has begun', () => text !== '');
    const { id } = await ann.browser.expect<{ id: string }>(200, 'POST', '/portal/as/me/orders', { body: order() });
    await eventually('the order is in the stream', () => text.includes(id));
    await eventually('the stream is counted', async () => (await streams()) === before + 1);
    response.destroy();
    await eventually('the stream of the API is closed', async () => (await streams()) === before);
  });

  it('joins prices, books and the account in one stream, each with its own position', async () => {
    const response = await openStream(
      ann.browser,
      `/portal/live/stream?marketIds=${MARKET}&bookIds=${MARKET},no-such-market&account=me`,
      { 'last-event-id': 'account=1' },
    );
    expect(response.statusCode).to.equal(200);
    const events: { readonly event: string; readonly id: string | undefined; readonly data: unknown }[] = [];
    const parser = createParser({
      onEvent: ({ data, event = '', id }) => events.push({ event, id, data: JSON.parse(data) as unknown }),
    });
    response.on('data', (chunk: Buffer) => parser.feed(chunk.toString()));
    const has = (event: string, part: object) =>
      eventually(`${event} ${JSON.stringify(part)}`, () =>
        events.some(
          (one) =>
            one.event === event &&
            Object.entries(part).every(([name, value]) => (one.data as Record<string, unknown>)[name] === value),
        ),
      );
    for (const topic of ['pulse', `book:${MARKET}`, 'account']) await has('began', { topic });
    await has('ended', { topic: 'book:no-such-market', status: 404, code: 'market_not_found' });
    await has('pulse message', {});
    await has(`book:${MARKET} snapshot`, { marketId: MARKET });
    const placed = await ann.browser.call('POST', '/portal/as/me/orders', { body: order() });
    const seq = Number(placed.headers['x-journal-seq']);
    await has(`book:${MARKET} delta`, { seq });
    await has('account message', { seq });
    expect(
      events.find(({ event, data }) => event === 'account message' && (data as { seq: number }).seq === seq)?.id,
    ).to.equal(String(seq));
    response.destroy();
  });

  it('joins public streams for a visitor without a session, and nothing else', async () => {
    const visitor = portal.browser();
    const response = await openStream(visitor, `/portal/live/stream?bookIds=${MARKET}`);
    let text = '';
    response.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await eventually('the book', () => text.includes(`event: book:${MARKET} snapshot`));
    response.destroy();
    expect((await visitor.call('GET', '/portal/live/stream?account=me')).status).to.equal(401);
    for (const query of [
      '',
      '?marketIds=',
      '?bookIds=a,b,c,d,e',
      '?marketIds=../x',
      '?more=1',
      '?account=another',
      '?bookIds=a&bookIds=b',
    ]) {
      expect((await visitor.call('GET', `/portal/live/stream${query}`)).status, query).to.equal(400);
    }
    const headers = { 'last-event-id': 'pulse=1' };
    expect((await visitor.call('GET', `/portal/live/stream?bookIds=${MARKET}`, { headers })).status).to.equal(400);
    for (const path of ['', 'streams', 'stream/account']) {
      expect((await visitor.call('GET', `/portal/live/${path}?bookIds=${MARKET}`)).status, path).to.equal(404);
    }
  });

  it('ends a stream when its session ends', async () => {
    const { browser } = await signUp(portal, 'carl');
    const paths = ['/portal/as/me/stream/account', '/portal/live/stream?account=me'];
    const streams = await Promise.all(paths.map((path) => openStream(browser, path)));
    const closed = streams.map((stream) => once(stream.resume(), 'close'));
    await browser.expect(204, 'POST', '/portal/sign-out-everywhere');
    await Promise.all(closed);
  });
});
