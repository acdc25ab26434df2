import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { eventually } from '@paper/testkit';
import { startStandalone, temporaryDataDir } from '@paper/testkit/exchange';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { createCheckedClient, operatorClient } from '@paper/testkit/http';
import { expect } from 'chai';

/** A loopback address that the portal's own calls do not come from. */
const PROXY = '127.0.0.9';

describe('the portal in the process of npm start', function () {
  this.timeout(120_000);
  const folder = temporaryDataDir();
  let service: RunningStandalone;

  const get = (address: string): Promise<Response> => fetch(address, { redirect: 'manual' });
  const asBrowser = (address: string): Promise<Response> =>
    fetch(address, { headers: { accept: 'text/html,*/*;q=0.8' } });
  const secretFile = (): string => path.join(folder.dataDir, 'portal-secret');

  before(async () => {
    service = await startStandalone({ dataDir: folder.dataDir });
  });
  after(async () => {
    await service.stop();
    folder.remove();
  });

  it('serves the pages for people at the address that the start prints, and leaves the API its own', async () => {
    const { baseUrl, publicUrl } = service;
    expect(publicUrl).to.equal(`http://localhost:${new URL(baseUrl).port}`);
    expect(service.output()).to.include(`In a browser    ${publicUrl}/`);
    for (const page of ['/', '/leaderboard', '/sign-up']) {
      const answer = await get(publicUrl + page);
      expect([page, answer.status, answer.headers.get('content-type')]).to.deep.equal([
        page,
        200,
        'text/html; charset=utf-8',
      ]);
      expect(await answer.text()).to.include('<div id="app"><');
    }
    for (const other of ['/api/docs', '/docs/format', '/demo-signal', '/verify-journal.mjs', '/api/openapi']) {
      expect((await get(baseUrl + other)).status, other).to.equal(200);
      expect((await asBrowser(baseUrl + other)).status, other).to.equal(200);
    }
    expect(await (await get(`${baseUrl}/nowhere`)).json()).to.include({ code: 'not_found' });
    expect(await (await asBrowser(`${baseUrl}/api/nowhere`)).json()).to.include({ code: 'not_found' });
  });

  it('says to a browser that is lost where to go on, with status 404', async () => {
    const client = await createCheckedClient(service.baseUrl);
    await operatorClient(client, service.operatorToken).list('known');
    expect((await asBrowser(`${service.publicUrl}/markets/known`)).status).to.equal(200);
    for (const [lost, heading, link] of [
      ['/nowhere', 'No such page', 'the markets'],
      ['/docs/nowhere', 'No such page', 'the markets'],
      ['/markets/unknown', 'No such market', 'all markets'],
    ] as const) {
      let answer = await asBrowser(service.baseUrl + lost);
      // Where the API does not answer in a second, the page is sent as that of any market.
      await eventually(`${lost} is 404`, async () => {
        if (answer.status !== 404) answer = await asBrowser(service.baseUrl + lost);
        return answer.status === 404;
      });
      expect(answer.headers.get('content-type'), lost).to.equal('text/html; charset=utf-8');
      const html = await answer.text();
      expect(html, lost).to.include(`<h1>${heading}</h1>`).and.include(`<a href="/">${link}</a>`);
    }
  });

  it('has its address from PUBLIC_URL in the head of a page, never from the Host header', async () => {
    const { baseUrl, publicUrl } = service;
    const html = await (await asBrowser(`${baseUrl}/leaderboard`)).text();
    expect(html).to.include(`<link rel="canonical" href="${publicUrl}/leaderboard" />`).and.not.include(baseUrl);
  });

  it('has robots.txt, the icon and the web manifest at their fixed addresses', async () => {
    const file = async (path: string): Promise<string> => {
      const answer = await get(service.publicUrl + path);
      expect(answer.status, path).to.equal(200);
      return `${answer.headers.get('content-type')}: ${await answer.text()}`;
    };
    expect(await file('/robots.txt')).to.match(/^text\/plain; charset=utf-8: User-agent: \*\n[^]*Disallow: \/portal\//);
    const icon = await file('/favicon.ico');
    expect(icon).to.include('image/svg+xml: <svg');
    const manifest = await file('/manifest.webmanifest');
    expect(manifest).to.match(/^application\/manifest\+json: .*"name":"Paper Trading Service"/);
    const [, address = ''] = /"icons":\[\{"src":"([^"]+)"/.exec(manifest) ?? [];
    expect(await file(address)).to.equal(icon);
  });

  it('refuses other methods on a page, and says which it has', async () => {
    for (const method of ['POST', 'PATCH']) {
      const answer = await fetch(`${service.publicUrl}/?x=/api`, { method });
      expect([answer.status, answer.headers.get('allow')], method).to.deep.equal([405, 'GET, HEAD']);
    }
    expect((await fetch(`${service.publicUrl}/nowhere`, { method: 'POST' })).status).to.equal(404);
  });

  it("leads from a market's former address to its page", async () => {
    const { headers, status } = await get(`${service.publicUrl}/market?id=a%2Fb`);
    expect([status, headers.get('location')]).to.deep.equal([301, '/markets/a%2Fb']);
  });

  it('leads from the former addresses of pages to those of today, with their query', async () => {
    for (const [former, present] of [
      ['/automation-key', '/developers'],
      ['/sub-accounts', '/developers'],
      ['/security?company=linked', '/account?company=linked'],
    ] as const) {
      const { headers, status } = await get(service.publicUrl + former);
      expect([status, headers.get('location')], former).to.deep.equal([301, present]);
    }
  });

  it('lets everyone sign up on this machine, at one address alone', async () => {
    const session = async (at: string) => (await (await get(`${at}/portal/session`)).json()) as Record<string, unknown>;
    expect(await session(service.publicUrl)).to.include({ signUp: 'open', reason: null, person: null });
    const elsewhere = await session(service.baseUrl);
    expect(elsewhere['reason']).to.include(service.publicUrl);
  });

  it('is part of the readiness of the process', async () => {
    const ready = await get(service.metricsUrl.replace('/metrics', '/health/ready'));
    expect(ready.status).to.equal(200);
    expect(await ready.json()).to.have.nested.property('checks.portal', 'ok');
  });

  it('counts its requests beside those of the API', async () => {
    expect(await (await get(service.metricsUrl)).text()).to.match(
      /^portal_requests_total\{.*route="\/portal\/session"/m,
    );
  });

  it('has a secret in the data folder that only its owner can read, the same after a restart', async () => {
    const secret = readFileSync(secretFile(), 'utf8');
    expect(secret.trim()).to.match(/^[\w-]{43}$/);
    expect(statSync(secretFile()).mode & 0o777).to.equal(0o600);
    await service.stop();
    service = await startStandalone({
      dataDir: folder.dataDir,
      env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: PROXY },
    });
    expect(readFileSync(secretFile(), 'utf8')).to.equal(secret);
    expect(service.output()).not.to.include(secret.trim());
  });

  it('opens the streams of visitors for their own addresses, not for its own', async function () {
    // Other systems have one loopback address, which the portal uses too.
    if (process.platform !== 'linux') this.skip();
    /** Takes all units of reads that this machine has; whether some were refused. */
    const useUpReads = async (): Promise<boolean> => {
      const reads = Array.from({ length: 80 }, () => get(`${service.baseUrl}/api/markets?limit=500`));
      return (await Promise.all(reads)).some(({ status }) => status === 429);
    };
    const { host, port } = new URL(service.publicUrl);
    /** Opens a stream through the trusted proxy, and gives its first event. */
    const firstEvent = async (visitor: string): Promise<string> => {
      const sent = request({
        host: '127.0.0.1',
        port,
        localAddress: PROXY,
        path: '/portal/live/stream?bookIds=relayed',
        headers: { host, 'x-forwarded-for': visitor },
      });
      sent.end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      let text = '';
      // A comment comes first.
      while (!text.includes('event: ')) text += String(((await once(response, 'data')) as [Buffer])[0]);
      response.destroy();
      return text.slice(text.indexOf('event: '));
    };
    const client = await createCheckedClient(service.baseUrl);
    await operatorClient(client, service.operatorToken).list('relayed');
    await eventually('its market is streamed', async () => (await firstEvent('203.0.113.6')).includes('began'));
    await eventually('this machine has used up its reads', useUpReads);
    for (const visitor of ['203.0.113.7', '203.0.113.8', '203.0.113.9']) {
      const [first] = await Promise.all([firstEvent(visitor), useUpReads()]);
      expect(first.startsWith('event: began'), first).to.equal(true);
    }
  });
});
