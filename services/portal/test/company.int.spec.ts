import { expect } from 'chai';
import { COMPANY_CLIENT, startCompanyIssuer } from './support/company-issuer.ts';
import type { CompanyIssuer } from './support/company-issuer.ts';
import type { BrowserAnswer, TestBrowser } from './support/test-browser.ts';
import { startTestPortal } from './support/test-portal.ts';
import type { TestPortal } from './support/test-portal.ts';

/** The issuer knows this address of return, so the portal stands at it whatever port it has. */
const PUBLIC_URL = 'http://localhost:4999';

describe('company sign-in', function () {
  this.timeout(60_000);
  let issuer: CompanyIssuer;
  let portal: TestPortal;

  before(async () => {
    issuer = await startCompanyIssuer(`${PUBLIC_URL}/portal/company/return`);
    portal = await startTestPortal({
      env: {
        PUBLIC_URL,
        COMPANY_ISSUER: issuer.url,
        COMPANY_NAME: 'Acme',
        COMPANY_CLIENT_ID: COMPANY_CLIENT.id,
        COMPANY_CLIENT_SECRET: COMPANY_CLIENT.secret,
      },
    });
  });
  after(async () => {
    await portal.stop();
    await issuer.close();
  });
  beforeEach(() => {
    issuer.subject = 'ann-of-acme';
  });

  const locationOf = ({ headers }: BrowserAnswer): string => headers['location'] as string;

  /** Leaves for the issuer; gives the address that the issuer sends the browser back to. */
  async function leave(browser: TestBrowser): Promise<URL> {
    const left = await browser.call('GET', '/portal/company/start');
    expect(left.status, left.text).to.equal(303);
    return issuer.follow(locationOf(left));
  }

  async function comeBack(browser: TestBrowser, to: URL): Promise<string> {
    return locationOf(await browser.call('GET', to.pathname + to.search, { headers: { referer: issuer.url } }));
  }

  const visit = async (browser: TestBrowser): Promise<string> => comeBack(browser, await leave(browser));

  const whoIs = async (browser: TestBrowser): Promise<unknown> =>
    (await browser.expect<{ person: unknown }>(200, 'GET', '/portal/session')).person;

  async function signedIn(name: string): Promise<TestBrowser> {
    const { password } = await portal.person(name);
    const browser = portal.browser();
    await browser.expect(200, 'POST', '/portal/sign-in', { body: { name, password } });
    return browser;
  }

  it('asks with state, nonce and PKCE, for an identity alone', async () => {
    const asked = new URL(locationOf(await portal.browser().call('GET', '/portal/company/start'))).searchParams;
    expect(asked.get('scope')).to.equal('openid');
    expect(asked.get('max_age')).to.equal('300');
    expect(asked.get('code_challenge_method')).to.equal('S256');
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(asked.get(name)?.length, name).to.be.at.least(40);
    }
  });

  it('lets a person in who has linked it', async () => {
    issuer.subject = 'linked-of-acme';
    expect(await visit(await signedIn('linked'))).to.equal('/account?company=linked');

    const browser = portal.browser();
    expect(await visit(browser)).to.equal('/');
    expect(await whoIs(browser)).to.include({ signInName: 'linked' });
    const { company } = await browser.expect<{ company: unknown }>(200, 'GET', '/portal/security');
    expect(company).to.deep.equal({ name: 'Acme' });
  });

  it('links only after a proof', async () => {
    const browser = await signedIn('unproven');
    await portal.db.updateTable('sessions').set({ proven_until: null }).execute();
    const left = await browser.call('GET', '/portal/company/start');
    expect(locationOf(left)).to.equal('/account?company=proof');
  });

  it('given a session, begins nothing that another site asks for; without one, lets the person sign in', async () => {
    const begun = async (browser: TestBrowser, site: string | undefined): Promise<string> =>
      locationOf(await browser.call('GET', '/portal/company/start', { headers: { 'sec-fetch-site': site } }));
    const browser = await signedIn('linker');
    for (const site of ['cross-site', 'same-site']) {
      expect(await begun(browser, site), site).to.equal('/account?company=elsewhere');
      expect(await begun(portal.browser(), site), site).to.include(issuer.url);
    }
    for (const site of ['same-origin', 'none', undefined]) {
      expect(await begun(browser, site), site).to.include(issuer.url);
    }
  });

  it('is a proof for a person who has linked it', async () => {
    issuer.subject = 'prover-of-acme';
    const browser = await signedIn('prover');
    await visit(browser);
    await portal.db.updateTable('sessions').set({ proven_until: null }).execute();
    expect((await browser.call('POST', '/portal/recovery-codes')).status).to.equal(403);

    expect(await visit(browser)).to.equal('/account?company=linked');

    expect((await browser.call('POST', '/portal/recovery-codes')).status).to.equal(200);
    issuer.subject = 'another-of-acme';
    await portal.db.updateTable('sessions').set({ proven_until: null }).execute();
    expect(await visit(browser)).to.equal('/account?company=taken');
    expect((await browser.call('POST', '/portal/recovery-codes')).status).to.equal(403);
  });

  it('links an identity to one person, and a person to one identity', async () => {
    issuer.subject = 'first-of-acme';
    const browser = await signedIn('first');
    expect(await visit(browser)).to.equal('/account?company=linked');
    expect(await visit(await signedIn('second'))).to.equal('/account?company=taken');
    issuer.subject = 'another-of-acme';
    expect(await visit(browser)).to.equal('/account?company=taken');
  });

  it('goes by issuer and subject, whatever e-mail address a person has', async () => {
    issuer.subject = 'victim@acme.example';
    await portal.person('victim', { email: 'victim@acme.example' });
    const browser = portal.browser();
    expect(await visit(browser)).to.equal('/sign-up?company=new');
    expect(await whoIs(browser)).to.equal(null);
  });

  it('refuses an answer that another browser asked for', async () => {
    const [asking, other] = [portal.browser(), portal.browser()];
    const back = await leave(asking);
    await leave(other);
    expect(await comeBack(other, back)).to.equal('/sign-in?company=refused');
    expect(await comeBack(portal.browser(), back)).to.equal('/sign-in?company=refused');
    expect(await whoIs(other)).to.equal(null);
  });

  it('takes an answer once', async () => {
    const browser = portal.browser();
    const back = await leave(browser);
    expect(await comeBack(browser, back)).to.equal('/sign-up?company=new');
    expect(await comeBack(browser, back)).to.equal('/sign-in?company=refused');
  });

  it('refuses an answer with another state, code or issuer', async () => {
    const changed = async (change: (query: URLSearchParams) => void): Promise<string> => {
      const browser = portal.browser();
      const back = await leave(browser);
      change(back.searchParams);
      return comeBack(browser, back);
    };
    const refused = '/sign-in?company=refused';
    expect(await changed((query) => query.set('state', 'x'.repeat(43)))).to.equal(refused);
    expect(await changed((query) => query.delete('state'))).to.equal(refused);
    expect(await changed((query) => query.set('code', 'a-code-of-nothing'))).to.equal(refused);
    expect(await changed((query) => query.set('iss', 'https://attacker.example'))).to.equal(refused);
  });

  it("refuses the code of another visit: PKCE and the nonce are this visit's", async () => {
    const browser = portal.browser();
    const [first, second] = [await leave(browser), await leave(browser)];
    first.searchParams.set('code', second.searchParams.get('code') ?? '');
    expect(await comeBack(browser, first)).to.equal('/sign-in?company=refused');
  });

  it('comes back from a person who declined', async () => {
    issuer.subject = null;
    expect(await visit(portal.browser())).to.equal('/sign-in?company=refused');
  });

  it('leads to no address that a request names', async () => {
    const browser = portal.browser();
    const query = 'next=https://attacker.example&redirect_uri=https://attacker.example&returnTo=//attacker.example';
    const left = new URL(locationOf(await browser.call('GET', `/portal/company/start?${query}`)));
    expect(left.origin).to.equal(issuer.url);
    expect(left.searchParams.get('redirect_uri')).to.equal(`${PUBLIC_URL}/portal/company/return`);
    const back = await issuer.follow(left.href);
    back.searchParams.set('next', 'https://attacker.example');
    expect(await comeBack(browser, back)).to.equal('/sign-up?company=new');
  });

  it('leads back to the page that it left from, at each end', async () => {
    const next = '/markets/rain?side=buy#trade';
    const from = (browser: TestBrowser): Promise<BrowserAnswer> =>
      browser.call('GET', `/portal/company/start?next=${encodeURIComponent(next)}`);
    const led = async (browser: TestBrowser): Promise<unknown[]> => {
      const { pathname, searchParams } = new URL(
        await comeBack(browser, await issuer.follow(locationOf(await from(browser)))),
        PUBLIC_URL,
      );
      return [pathname, searchParams.get('company'), searchParams.get('next')];
    };
    issuer.subject = 'wanderer-of-acme';
    expect(await led(portal.browser())).to.deep.equal(['/sign-up', 'new', next]);
    await visit(await signedIn('wanderer'));
    const browser = portal.browser();
    expect(await led(browser)).to.deep.equal(['/sign-in', 'done', next]);
    expect(await whoIs(browser)).to.include({ signInName: 'wanderer' });
    issuer.subject = null;
    expect(await led(portal.browser())).to.deep.equal(['/sign-in', 'refused', next]);
  });

  it('is unlinked only while another way in is left', async () => {
    issuer.subject = 'alone-of-acme';
    const browser = await signedIn('alone');
    await visit(browser);
    await portal.db.updateTable('people').set({ password_hash: null }).where('sign_in_name', '=', 'alone').execute();
    const refused = await browser.call('DELETE', '/portal/company');
    expect([refused.status, refused.text]).to.satisfy(([status, text]: [number, string]) => {
      return status === 400 && text.includes('only way');
    });
    await browser.expect(200, 'POST', '/portal/password', { body: { password: 'an altogether new passphrase' } });
    expect((await browser.call('DELETE', '/portal/company')).status).to.equal(204);
    expect(await visit(portal.browser())).to.equal('/sign-up?company=new');
  });

  it('says so when the issuer does not answer', async () => {
    const lonely = await startTestPortal({
      connectionString: portal.connectionString,
      env: { COMPANY_ISSUER: 'http://127.0.0.1:9', COMPANY_CLIENT_ID: 'x', COMPANY_CLIENT_SECRET: 'y' },
    });
    try {
      const left = await lonely.browser().call('GET', '/portal/company/start');
      expect(locationOf(left)).to.equal('/sign-in?company=unavailable');
    } finally {
      await lonely.stop();
    }
  });
});
