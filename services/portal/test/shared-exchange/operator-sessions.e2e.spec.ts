import { describeSharedClientOfExchange } from '@paper/testkit/exchange';
import type { RunningExchange } from '@paper/testkit/exchange';
import { marketBody, operatorClient, createCheckedClient } from '@paper/testkit/http';
import { withClient } from '@paper/runtime';
import { expect } from 'chai';
import type { BrowserAnswer, TestBrowser } from '../support/test-browser.ts';
import { startTestPortal } from '../support/test-portal.ts';
import type { TestPortal } from '../support/test-portal.ts';

describeSharedClientOfExchange("operators' sessions", function (start) {
  this.timeout(60_000);
  let exchange: RunningExchange;
  let portal: TestPortal;

  before(async () => {
    exchange = await start();
    portal = await startTestPortal({ apiUrl: exchange.baseUrl });
  });
  after(async () => {
    await portal.stop();
    await exchange.stop();
  });
  beforeEach(() => portal.db.deleteFrom('throttle').execute());

  const codeOf = ({ body, status }: BrowserAnswer): string => `${status} ${(body as { code?: string }).code ?? ''}`;
  const begin = (browser: TestBrowser, token: string) =>
    browser.call('POST', '/portal/operator/session', { body: { token } });

  async function signedIn(): Promise<TestBrowser> {
    const browser = portal.browser();
    const begun = await begin(browser, exchange.operatorToken);
    if (begun.status !== 200) throw new Error(begun.text);
    return browser;
  }

  it("has a cookie of its own, which goes to operators' calls only, and never across sites", async () => {
    const begun = await begin(portal.browser(), exchange.operatorToken);
    const [cookie = ''] = begun.headers['set-cookie'] ?? [];
    expect(cookie).to.match(/^operator=[\w-]{43};/);
    expect(cookie).to.contain('Path=/portal/operator').and.contain('HttpOnly').and.contain('SameSite=Strict');
    expect(begun.text).not.to.contain(exchange.operatorToken);
  });

  it("passes calls on to the operators' endpoints, and their answers back", async () => {
    const browser = await signedIn();
    const listed = await browser.call('POST', '/portal/operator/api/markets', { body: marketBody('by-the-portal') });
    expect(listed.status, listed.text).to.equal(200);
    expect(listed.headers['x-journal-seq']).to.match(/^\d+$/);
    const again = await browser.call('POST', '/portal/operator/api/markets', {
      body: { ...marketBody('by-the-portal'), title: 'Another title' },
    });
    expect(codeOf(again)).to.equal('400 idempotency_conflict');
    const status = await browser.call('GET', '/portal/operator/api/status');
    expect(status.body).to.have.property('projections');
  });

  it('passes nothing on but those endpoints', async () => {
    const browser = await signedIn();
    for (const path of ['../portfolio', '%2e%2e/portfolio', '..%2fportfolio', 'markets/../../orders', 'nothing']) {
      expect((await browser.call('GET', `/portal/operator/api/${path}`)).status, path).to.equal(404);
    }
    expect((await browser.call('DELETE', '/portal/operator/api/markets')).status).to.equal(404);
  });

  it("is none for a wrong token, and none for an account's key", async () => {
    expect(codeOf(await begin(portal.browser(), 'a-token-of-no-operator'))).to.equal('401 wrong_credentials');
    const client = await createCheckedClient(exchange.baseUrl);
    const { key } = await operatorClient(client, exchange.operatorToken).open('Ann');
    expect(codeOf(await begin(portal.browser(), key))).to.equal('401 wrong_credentials');
  });

  it('is throttled by address', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 11; count++) {
      statuses.push((await begin(portal.browser(), 'a-token-of-no-operator')).status);
    }
    expect(statuses).to.deep.equal([...Array<number>(10).fill(401), 429]);
  });

  it('ends after 30 minutes without a call, and at its end', async () => {
    const [idle, ended] = [await signedIn(), await signedIn()];
    const used = new Map(ended.cookies);
    expect((await ended.call('DELETE', '/portal/operator/session')).status).to.equal(204);
    ended.cookies.set('operator', used.get('operator') ?? '');
    expect(codeOf(await ended.call('GET', '/portal/operator/api/status'))).to.equal('401 not_signed_in');

    await portal.db
      .updateTable('operator_sessions')
      .set({ last_seen_at: new Date(Date.now() - 31 * 60_000) })
      .execute();
    expect(codeOf(await idle.call('GET', '/portal/operator/api/status'))).to.equal('401 not_signed_in');
    expect((await idle.call('GET', '/portal/operator/session')).body).to.deep.equal({ signedIn: false });
  });

  it('goes on with each call', async () => {
    const browser = await signedIn();
    const almost = new Date(Date.now() - 29 * 60_000);
    await portal.db.updateTable('operator_sessions').set({ last_seen_at: almost }).execute();
    expect((await browser.call('GET', '/portal/operator/api/status')).status).to.equal(200);
    const rows = await portal.db.selectFrom('operator_sessions').select('last_seen_at').execute();
    expect(rows.some((row) => row.last_seen_at > almost)).to.equal(true);
  });

  it('stores the token so that neither the database nor the secret of the portal opens it', async () => {
    await signedIn();
    const { rows } = await withClient({ connectionString: portal.connectionString }, (client) =>
      client.query<{ row: string }>('select t::text as row from portal.operator_sessions t'),
    );
    const text = rows.map(({ row }) => row).join('\n');
    expect(text).not.to.contain(exchange.operatorToken);
    expect(text).not.to.contain(Buffer.from(exchange.operatorToken).toString('hex'));
  });

  it("is no person's session, and a person's session is none", async () => {
    const browser = await signedIn();
    expect((await browser.call('GET', '/portal/security')).status).to.equal(401);
    const { password } = await portal.person('paul');
    const person = portal.browser();
    await person.expect(200, 'POST', '/portal/sign-in', { body: { name: 'paul', password } });
    expect(codeOf(await person.call('GET', '/portal/operator/api/status'))).to.equal('401 not_signed_in');
  });

  it('does not exist where others than this machine reach the portal, unless the setting says so', async () => {
    for (const [env, expected] of [
      [{ HOST: '0.0.0.0' }, 404],
      [{ HOST: '0.0.0.0', PORTAL_OPERATORS: 'on' }, 200],
      [{ PORTAL_OPERATORS: 'off' }, 404],
    ] as const) {
      const other = await startTestPortal({
        connectionString: portal.connectionString,
        apiUrl: exchange.baseUrl,
        env: { ...env },
      });
      try {
        const { status } = await begin(other.browser(), exchange.operatorToken);
        expect(status, JSON.stringify(env)).to.equal(expected);
      } finally {
        await other.stop();
      }
    }
  });
});
