import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient, sendApiRequest } from 'paper-trading-client';
import { describeSharedClientOfExchange } from '@paper/testkit/exchange';
import type { RunningExchange } from '@paper/testkit/exchange';
import { expect } from 'chai';
import { PASSWORD, signUpBody } from '../support/people.ts';
import { SoftwareAuthenticator } from '../support/software-authenticator.ts';
import { startTestPortal } from '../support/test-portal.ts';
import type { TestPortal } from '../support/test-portal.ts';

interface SignedUp {
  readonly person: { readonly signInName: string; readonly displayName: string; readonly accountId: string };
}

interface ListedKeys {
  readonly keys: readonly {
    readonly id: string;
    readonly name: string;
    readonly accountId: string;
    readonly permissions: readonly string[];
    readonly revokedAt: string | null;
    readonly isPortals: boolean;
  }[];
}

/** An exchange whose answers to openings can be lost, and which can forget Idempotency-Keys. */
class ForgetfulProxy {
  readonly #server = createServer();
  /** The ids of accounts that were opened. */
  readonly opened = new Set<string>();
  losesAnswers = false;
  /** Another one makes every Idempotency-Key new to the exchange. */
  keySuffix = '';

  constructor(private readonly baseUrl: string) {
    this.#server.on('request', (request, response) => {
      void (async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        const { authorization, 'idempotency-key': idempotencyKey } = request.headers;
        const { body, status, text } = await sendApiRequest(this.baseUrl, {
          method: request.method ?? '',
          path: request.url ?? '',
          key: authorization?.replace(/^Bearer /, ''),
          idempotencyKey: idempotencyKey === undefined ? undefined : `${idempotencyKey as string}${this.keySuffix}`,
          body: chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString()),
        });
        const isOpening = request.url === '/api/operator/accounts';
        if (isOpening && status === 200) this.opened.add((body as { account: { id: string } }).account.id);
        if (isOpening && this.losesAnswers) response.destroy();
        else response.writeHead(status, { 'content-type': 'application/json' }).end(text);
      })();
    });
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

describeSharedClientOfExchange('sign-up', function (start) {
  this.timeout(60_000);
  let exchange: RunningExchange;
  let portal: TestPortal;

  before(async () => {
    exchange = await start();
    portal = await startTestPortal({
      apiUrl: exchange.baseUrl,
      operatorToken: exchange.operatorToken,
      env: { SIGN_UPS_PER_HOUR: '1000', SIGN_UPS_PER_DAY: '1000' },
    });
  });
  after(async () => {
    await portal.stop();
    await exchange.stop();
  });

  it('given a new name, opens one account with two keys of the portal, and begins a session', async () => {
    const browser = portal.browser();
    const body = signUpBody('ann');
    const { person } = await browser.expect<SignedUp>(201, 'POST', '/portal/sign-up', { body });
    expect(person).to.include({ signInName: 'ann', displayName: 'Trader ann', email: null });
    const { person: again, needsRecoveryCodes } = await browser.expect<{
      person: unknown;
      needsRecoveryCodes: boolean;
    }>(200, 'GET', '/portal/session');
    expect(needsRecoveryCodes).to.equal(true);
    expect(again).to.deep.include({ signInName: 'ann', accountId: person.accountId });

    const me = await browser.expect<{ accountId: string; permissions: string[] }>(200, 'GET', '/portal/as/me/me');
    expect(me).to.deep.include({ accountId: person.accountId, keyName: 'portal', permissions: ['view', 'trade'] });
    const { keys } = await browser.expect<ListedKeys>(200, 'GET', '/portal/keys');
    const live = keys.filter(({ revokedAt }) => revokedAt === null);
    expect(live.map(({ isPortals, name }) => [name, isPortals])).to.deep.equal([
      ['portal', true],
      ['portal', true],
    ]);
  });

  it('given a request whose answer was lost, answers the same sign-up again', async () => {
    const body = signUpBody('bob');
    const first = await portal.browser().expect<SignedUp>(201, 'POST', '/portal/sign-up', { body });
    const again = await portal.browser().expect<SignedUp>(201, 'POST', '/portal/sign-up', { body });
    expect(again.person.accountId).to.equal(first.person.accountId);
  });

  it('given the same request three times at once, answers each with the one account', async () => {
    const body = signUpBody('beth');
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => portal.browser().expect<SignedUp>(201, 'POST', '/portal/sign-up', { body })),
    );
    expect(new Set(answers.map(({ person }) => person.accountId)).size).to.equal(1);
  });

  it('given the key of another sign-up, lets no stranger in', async () => {
    const body = signUpBody('carl');
    await portal.browser().expect(201, 'POST', '/portal/sign-up', { body });
    const guess = { ...body, password: 'another password' };
    expect(await portal.browser().call('POST', '/portal/sign-up', { body: guess })).to.deep.include({ status: 401 });
    const other = { ...body, signInName: 'carla' };
    expect((await portal.browser().call('POST', '/portal/sign-up', { body: other })).body).to.include({
      code: 'idempotency_conflict',
    });
  });

  it('given a passkey made for it, opens an account that the passkey lets in', async () => {
    const device = new SoftwareAuthenticator(portal.url);
    const { idempotencyKey, password: _, ...person } = signUpBody('pat');
    const browser = portal.browser();
    const options = await browser.expect<Parameters<typeof device.create>[0]>(200, 'POST', '/portal/sign-up/passkey', {
      body: person,
    });
    const body = { ...person, passkey: device.create(options), idempotencyKey };
    const { person: opened } = await browser.expect<SignedUp>(201, 'POST', '/portal/sign-up', { body });
    // Its answer was lost, and the passkey's challenge is used.
    const again = await browser.expect<SignedUp>(201, 'POST', '/portal/sign-up', { body });
    expect(again.person.accountId).to.equal(opened.accountId);

    const other = portal.browser();
    const purpose = 'sign-in';
    const asked = await other.expect<Parameters<typeof device.get>[0]>(200, 'POST', '/portal/passkeys/challenge', {
      body: { purpose },
    });
    const entered = await other.expect<SignedUp>(200, 'POST', '/portal/passkeys/answer', {
      body: { purpose, response: device.get(asked) },
    });
    expect(entered.person.accountId).to.equal(opened.accountId);
  });

  it('says that a name is taken, in any case and form', async () => {
    await portal.browser().expect(201, 'POST', '/portal/sign-up', { body: signUpBody('Dora') });
    for (const name of ['dora', 'DORA', 'ｄora']) {
      const { body, status } = await portal.browser().call('POST', '/portal/sign-up', { body: signUpBody(name) });
      expect([status, body]).to.deep.equal([
        409,
        { error: 'This sign-in name is taken: choose another', code: 'name_taken' },
      ]);
    }
  });

  it('given five at once with one name, opens an account for one of them', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => portal.browser().call('POST', '/portal/sign-up', { body: signUpBody('eve') })),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, ...Array<number>(4).fill(409)]);
  });

  it("refuses names of the exchange's own accounts, and passwords with the name in them", async () => {
    const answer = (more: object) =>
      portal.browser().call('POST', '/portal/sign-up', { body: signUpBody('fred', more) });
    for (const displayName of ['Hоuse maker', 'DEМO Boris', 'MyHouseBot']) {
      const { error } = (await answer({ displayName })).body as { error: string };
      expect(error).to.match(/^validation failure: displayName: reads like "(house|demo)"; choose another name/);
    }
    expect((await answer({ password: 'I am Fred myself' })).body).to.deep.equal({
      error: 'validation failure: password: must not contain the sign-in name',
      code: 'validation_failed',
    });
    expect((await answer({ password: 'qwertyuiop' })).body).to.deep.equal({
      error: 'validation failure: password: this password is one of the 10,000 used most: choose another',
      code: 'validation_failed',
    });
    expect((await answer({ password: undefined })).body).to.deep.include({
      error: 'validation failure: password: is required without a passkey',
    });
    expect((await answer({ isAdmin: true })).body).to.deep.include({
      error: 'validation failure: isAdmin: is not a field here; remove it',
    });
  });

  it("passes the exchange's refusal of a sub-account's name on", async () => {
    const browser = portal.browser();
    await browser.expect(201, 'POST', '/portal/sign-up', { body: signUpBody('rob') });
    const body = { displayName: 'Admins' };
    const { error } = await browser.expect<{ error: string }>(400, 'POST', '/portal/sub-accounts', { body });
    expect(error).to.match(/^validation failure: displayName: reads like "admin"; choose another name/);
  });

  it('counts sign-ups of an address, and gives back those that failed', async () => {
    const limited = await startTestPortal({
      apiUrl: exchange.baseUrl,
      operatorToken: exchange.operatorToken,
      env: { SIGN_UPS_PER_HOUR: '2', SIGN_UPS_PER_DAY: '3' },
    });
    try {
      const answer = async (name: string) => {
        const { body, headers, status } = await limited
          .browser()
          .call('POST', '/portal/sign-up', { body: signUpBody(name) });
        return { status, code: (body as { code?: string }).code, retryAfter: Number(headers['retry-after'] ?? 0) };
      };
      expect((await answer('gina')).status).to.equal(201);
      expect((await answer('gina')).status).to.equal(409);
      expect((await answer('gerd')).status).to.equal(201);
      const refused = await answer('gus');
      expect(refused).to.include({ status: 429, code: 'rate_limited' });
      expect(refused.retryAfter).to.be.within(1, 3_600);
      expect(await limited.db.selectFrom('people').select('id').execute()).to.have.length(2);
    } finally {
      await limited.stop();
    }
  });

  it('needs an invite where SIGN_UP says so, and counts its uses', async () => {
    const { makeInvite } = await import('../../src/identity/invites.ts');
    const invited = await startTestPortal({
      apiUrl: exchange.baseUrl,
      operatorToken: exchange.operatorToken,
      env: { SIGN_UP: 'invite' },
    });
    try {
      const { token } = await makeInvite(invited.db, {
        madeBy: 'a test',
        uses: 1,
        expiresAt: new Date(Date.now() + 60_000),
      });
      const codeOf = async (name: string, more: object) =>
        (
          (await invited.browser().call('POST', '/portal/sign-up', { body: signUpBody(name, more) })).body as {
            code?: string;
          }
        ).code;
      expect(await codeOf('hans', {})).to.equal('sign_up_closed');
      expect(await codeOf('hans', { invite: 'no-such-invite' })).to.equal('sign_up_closed');
      expect(await codeOf('hans', { invite: token })).to.equal(undefined);
      expect(await codeOf('hugo', { invite: token })).to.equal('sign_up_closed');
    } finally {
      await invited.stop();
    }
  });

  it('lets nobody sign up where SIGN_UP is closed', async () => {
    const closed = await startTestPortal({ env: { SIGN_UP: 'closed' } });
    try {
      expect(
        (await closed.browser().call('POST', '/portal/sign-up', { body: signUpBody('ida') })).body,
      ).to.deep.include({
        code: 'sign_up_closed',
      });
      expect(await closed.browser().expect(200, 'GET', '/portal/session')).to.deep.include({ signUp: 'closed' });
    } finally {
      await closed.stop();
    }
  });

  it('given an answer that was lost, and an exchange that forgot the call since, has the one account', async () => {
    const proxy = new ForgetfulProxy(exchange.baseUrl);
    const lossy = await startTestPortal({ apiUrl: await proxy.start(), operatorToken: exchange.operatorToken });
    try {
      proxy.losesAnswers = true;
      const body = signUpBody('lost');
      expect((await lossy.browser().call('POST', '/portal/sign-up', { body })).status).to.equal(503);
      expect(proxy.opened.size).to.equal(1);
      // More than 24 hours pass, after which the exchange has forgotten the Idempotency-Key.
      const dayAgo = new Date(Date.now() - 25 * 3_600_000);
      await lossy.db.updateTable('sign_up_jobs').set({ created_at: dayAgo, opening_at: dayAgo }).execute();
      proxy.losesAnswers = false;
      proxy.keySuffix = ' of another day';

      const credentials = { name: 'lost', password: PASSWORD };
      const browser = lossy.browser();
      const { person } = await browser.expect<SignedUp>(200, 'POST', '/portal/sign-in', { body: credentials });

      expect([...proxy.opened]).to.deep.equal([person.accountId]);
      await browser.expect(200, 'GET', '/portal/as/me/portfolio');
      const { keys } = await browser.expect<ListedKeys>(200, 'GET', '/portal/keys');
      expect(keys.filter(({ revokedAt }) => revokedAt === null).map(({ isPortals }) => isPortals)).to.deep.equal([
        true,
        true,
      ]);
    } finally {
      await lossy.stop();
      proxy.close();
    }
  });

  it('names nobody in the journal', async () => {
    const secret = `nameless-${randomUUID().slice(0, 8)}`;
    await portal.browser().expect(201, 'POST', '/portal/sign-up', { body: signUpBody(secret, { displayName: 'Jo' }) });
    const answer = await createClient({ baseUrl: exchange.baseUrl }).request('readJournal', { query: { limit: 500 } });
    expect(answer.response.text).not.to.include(secret);
  });
});
