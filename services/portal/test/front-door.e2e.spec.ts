import { eventually, isLongSuiteLeftOut } from '@paper/testkit';
import { describeServices, startServices } from '@paper/testkit/exchange';
import type { RunningServices } from '@paper/testkit/exchange';
import { expect } from 'chai';
import { signUpBody } from './support/people.ts';
import { TestBrowser } from './support/test-browser.ts';

describeServices('the portal as a service of its own, behind the front door', 'postgres', function () {
  if (isLongSuiteLeftOut()) return;
  this.timeout(120_000);
  let set: RunningServices;
  let publicUrl: string;
  let ada: TestBrowser;

  const portOf = (url: string | null): number => Number(new URL(url ?? '').port);
  /** The same browser, whose calls go to another port. */
  const at = (port: number): TestBrowser => {
    const browser = new TestBrowser(publicUrl, port);
    for (const [name, value] of ada.cookies) browser.cookies.set(name, value);
    return browser;
  };
  const nameOf = async (browser: TestBrowser): Promise<string | undefined> => {
    const { body } = await browser.call('GET', '/portal/session');
    return (body as { person?: { displayName: string } | null } | null)?.person?.displayName;
  };

  before(async () => {
    set = await startServices({ journal: 'postgres', asRoles: true, count: { portal: 2 } });
    publicUrl = set.env['PUBLIC_URL'] ?? '';
    ada = new TestBrowser(publicUrl, portOf(set.baseUrl));
  });
  after(() => set.stop());

  it('serves pages, and leaves those of the API to the query API', async () => {
    const page = await ada.call('GET', '/leaderboard');
    expect([page.status, page.headers['content-type']]).to.deep.equal([200, 'text/html; charset=utf-8']);
    const [, script = ''] = /<script type="module" src="([^"]+)"/.exec(page.text) ?? [];
    expect((await ada.call('GET', script)).headers['cache-control']).to.include('immutable');
    expect((await ada.call('GET', '/api/docs')).status).to.equal(200);
    expect((await ada.call('GET', '/robots.txt')).text).to.include('User-agent');
    const lost = await ada.call('GET', '/nowhere', { headers: { accept: 'text/html' } });
    expect([lost.status, lost.headers['content-type']]).to.deep.equal([404, 'text/html; charset=utf-8']);
    expect((await ada.call('GET', '/docs/format', { headers: { accept: 'text/html' } })).status).to.equal(200);
    expect((await ada.call('GET', '/nowhere')).body).to.include({ code: 'not_found' });
  });

  it('signs people up through the front door, and each of its processes knows their sessions', async () => {
    await ada.expect(201, 'POST', '/portal/sign-up', { body: signUpBody('ada', { displayName: 'Ada' }) });
    for (const { url } of set.of('portal')) expect(await nameOf(at(portOf(url)))).to.equal('Ada');
  });

  it('passes calls on through the front door, by a role that sees the schema of the portal alone', async () => {
    const portfolio = await ada.expect(200, 'GET', '/portal/as/me/portfolio');
    expect(portfolio).to.have.nested.property('summary.cash', 10_000);
  });

  it('lets operators sign in where the front door listens on this machine alone, with one session for all processes', async () => {
    const operator = new TestBrowser(publicUrl, portOf(set.baseUrl));
    const token = { body: { token: set.operatorToken } };
    expect((await operator.call('POST', '/portal/operator/session', token)).status).to.equal(200);
    expect(await operator.expect(200, 'GET', '/portal/operator/api/status')).to.have.property('projections');
    expect(await operator.expect(200, 'GET', '/portal/operator/api/accounts')).to.be.an('array');
    expect((await operator.call('GET', '/portal/operator/api/../me')).status).to.equal(404);
    for (const { url } of set.of('portal')) {
      const there = new TestBrowser(publicUrl, portOf(url));
      for (const [name, value] of operator.cookies) there.cookies.set(name, value);
      expect(await there.expect(200, 'GET', '/portal/operator/session')).to.deep.equal({ signedIn: true });
      const refused = await there.call('POST', '/portal/operator/session', {
        ...token,
        headers: { origin: 'http://attacker.example' },
      });
      expect(refused.status).to.equal(403);
    }
  });

  it('goes on with the other process when one is killed', async () => {
    const [one, other] = set.of('portal');
    await one?.stop('SIGKILL');
    let inARow = 0;
    await eventually('the front door sends it nothing any more', async () => {
      inARow = (await nameOf(ada)) === 'Ada' ? inARow + 1 : 0;
      return inARow === 10;
    });
    expect(await nameOf(at(portOf(other?.url ?? null)))).to.equal('Ada');
  });
});
