import { createRateLimiter } from '@paper/http';
import { expect } from 'chai';
import { startTestPortal } from './support/test-portal.ts';
import type { TestPerson, TestPortal } from './support/test-portal.ts';
import type { TestBrowser } from './support/test-browser.ts';

describe('the rules of every call of the portal', function () {
  this.timeout(60_000);
  let portal: TestPortal;
  let ann: TestPerson;
  let browser: TestBrowser;

  before(async () => {
    portal = await startTestPortal();
    ann = await portal.person('Ann');
    browser = portal.browser();
    await browser.expect(200, 'POST', '/portal/sign-in', { body: { name: 'ann', password: ann.password } });
  });
  after(() => portal.stop());

  const CHANGES = [
    ['POST', '/portal/sign-up'],
    ['POST', '/portal/sign-in'],
    ['POST', '/portal/sign-out'],
    ['POST', '/portal/prove'],
    ['POST', '/portal/sub-accounts'],
    ['DELETE', '/portal/sub-accounts/some-id'],
    ['PUT', '/portal/display-name'],
    ['POST', '/portal/automation-key'],
    ['DELETE', '/portal/keys/some-key'],
    ['PUT', '/portal/keys/some-key/mandate'],
    ['POST', '/portal/as/me/orders'],
    ['DELETE', '/portal/as/me/orders'],
    ['POST', '/portal/no-such-call'],
  ] as const;

  it('refuses every change from another origin, and without one', async () => {
    const { port } = new URL(portal.url);
    const others = [
      undefined,
      'null',
      'https://evil.example',
      `https://localhost:${port}`,
      `http://127.0.0.1:${port}`,
      `http://localhost:${Number(port) + 1}`,
      `http://localhost:${port}.evil.example`,
      `http://sub.localhost:${port}`,
    ];
    for (const [method, path] of CHANGES) {
      for (const origin of others) {
        const { body, status } = await browser.call(method, path, { body: {}, headers: { origin } });
        expect([status, body], `${method} ${path} from ${origin}`).to.deep.equal([
          403,
          { error: `Only pages of ${portal.url} may do this`, code: 'origin_refused' },
        ]);
      }
    }
    expect(await browser.expect(200, 'GET', '/portal/session')).to.have.nested.property('person.signInName', 'ann');
  });

  it('answers another Host with 421', async () => {
    for (const host of ['evil.example', `evil.example:${new URL(portal.url).port}`, 'localhost', 'localhost:1']) {
      const { body, status } = await browser.call('GET', '/portal/session', { headers: { host } });
      expect([status, (body as { code: string }).code], host).to.deep.equal([421, 'unknown_host']);
    }
  });

  it('at another loopback address offers no sign-in, and says where it is', async () => {
    const headers = { host: `127.0.0.1:${new URL(portal.url).port}` };
    expect(await browser.expect(200, 'GET', '/portal/session', { headers })).to.deep.include({
      person: null,
      reason: `Sign in at ${portal.url}: this address only shows the markets.`,
    });
    const { body } = await browser.call('POST', '/portal/sign-in', {
      headers,
      body: { name: 'ann', password: ann.password },
    });
    expect(body).to.have.property('code', 'sign_in_unavailable');
  });

  it('closes bodies: an unknown field, a wrong type, no JSON, too many bytes', async () => {
    const answer = async (body: unknown, headers = {}) => {
      const found = await browser.call('POST', '/portal/sign-in', { body, headers });
      return [found.status, (found.body as { code: string }).code];
    };
    expect(await answer({ name: 'a', password: 'b', more: 1 })).to.deep.equal([400, 'validation_failed']);
    expect(await answer({ name: 1, password: 'b' })).to.deep.equal([400, 'validation_failed']);
    expect(await answer({ name: 'a\u0000', password: 'b' })).to.deep.equal([400, 'validation_failed']);
    expect(await answer({}, { 'content-type': 'text/plain' })).to.deep.equal([415, 'unsupported_media_type']);
    expect(await answer({ name: 'a', password: 'x'.repeat(70_000) })).to.deep.equal([413, 'payload_too_large']);
  });

  it('answers with {error, code} on unknown paths and methods', async () => {
    expect(await browser.call('GET', '/portal/none')).to.deep.include({
      status: 404,
      body: { error: 'No such route', code: 'not_found' },
    });
    const { body, headers, status } = await browser.call('GET', '/portal/sign-in');
    expect([status, headers['allow'], (body as { code: string }).code]).to.deep.equal([
      405,
      'POST',
      'method_not_allowed',
    ]);
  });

  it('needs a session where one is needed', async () => {
    for (const path of ['/portal/sub-accounts', '/portal/keys', '/portal/as/me/portfolio']) {
      expect((await portal.browser().call('GET', path)).body, path).to.have.property('code', 'not_signed_in');
    }
  });

  it('can be framed, cached and guessed by no site', async () => {
    const { headers } = await browser.call('GET', '/portal/session');
    expect(headers).to.deep.include({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers).not.to.have.property('access-control-allow-origin');
  });
});

describe('the rate of calls', function () {
  this.timeout(60_000);

  it('is limited for an address without a session, and leaves signed-in people their own', async () => {
    const portal = await startTestPortal({ rateLimiter: createRateLimiter({ readsPerSecond: 5, now: () => 0 }) });
    try {
      const ann = await portal.person('Ann');
      const browser = portal.browser();
      await browser.expect(200, 'POST', '/portal/sign-in', { body: { name: 'ann', password: ann.password } });
      for (let count = 0; count < 9; count += 1) await browser.expect(200, 'GET', '/portal/session');
      const statuses: number[] = [];
      for (let count = 0; count < 12; count += 1) {
        statuses.push((await portal.browser().call('GET', '/portal/session')).status);
      }
      expect(statuses.filter((status) => status === 200)).to.have.length(9);
      expect(statuses.slice(9)).to.deep.equal([429, 429, 429]);
      // Invented tokens are no way around it, and each of them is paid for.
      const guesser = portal.browser();
      for (let count = 0; count < 5; count += 1) {
        guesser.cookies.set('session', `guess-${count}`);
        statuses.push((await guesser.call('GET', '/portal/session')).status);
      }
      expect(statuses.slice(-4)).to.deep.equal([429, 429, 429, 429]);
      // The address is used up, and its person still gets an answer.
      expect((await browser.call('GET', '/portal/session')).status).to.equal(200);
    } finally {
      await portal.stop();
    }
  });

  it('given a person in several browsers, is one limit for all of them', async () => {
    const portal = await startTestPortal({ rateLimiter: createRateLimiter({ readsPerSecond: 5, now: () => 0 }) });
    try {
      const signedIn = async (name: string, { password }: TestPerson): Promise<TestBrowser> => {
        const browser = portal.browser();
        await browser.expect(200, 'POST', '/portal/sign-in', { body: { name, password } });
        return browser;
      };
      const ann = await portal.person('Ann');
      const browsers = [await signedIn('ann', ann), await signedIn('ann', ann)];
      const other = await signedIn('bob', await portal.person('Bob'));

      const statuses: number[] = [];
      for (let count = 0; count < 6; count += 1) {
        for (const browser of browsers) statuses.push((await browser.call('GET', '/portal/session')).status);
      }

      expect(statuses).to.deep.equal([...Array<number>(10).fill(200), 429, 429]);
      const { body, headers } = await browsers[0]!.call('GET', '/portal/session');
      expect(body).to.deep.equal({ error: 'Too many calls: try again in 1 s', code: 'rate_limited' });
      expect(headers['retry-after']).to.equal('1');
      expect((await other.call('GET', '/portal/session')).status).to.equal(200);
    } finally {
      await portal.stop();
    }
  });

  it('given calls that are passed to the API, is as large as the limit of a fleet there', async () => {
    const portal = await startTestPortal({ rateLimiter: createRateLimiter({ readsPerSecond: 5, now: () => 0 }) });
    try {
      const { password } = await portal.person('Ann');
      const browser = portal.browser();
      await browser.expect(200, 'POST', '/portal/sign-in', { body: { name: 'ann', password } });
      const statuses: number[] = [];
      for (let count = 0; count < 60; count += 1) {
        statuses.push((await browser.call('GET', '/portal/as/me/no-such-route')).status);
      }
      // The tokens of a bucket are binary fractions, so the last call may be refused.
      expect(statuses.filter((status) => status === 404).length).to.be.within(49, 50);
      expect(statuses.slice(50)).to.deep.equal(Array<number>(10).fill(429));
    } finally {
      await portal.stop();
    }
  });

  it('is limited also for requests by another Host or from another Origin, before they are refused for it', async () => {
    const wrong = [
      ['GET', '/', { host: 'evil.example' }, 421],
      ['GET', '/portal/session', { host: 'evil.example' }, 421],
      ['POST', '/portal/sign-in', { origin: 'https://evil.example' }, 403],
    ] as const;
    for (const [method, path, headers, refused] of wrong) {
      const portal = await startTestPortal({ rateLimiter: createRateLimiter({ readsPerSecond: 1, now: () => 0 }) });
      try {
        const statuses: number[] = [];
        for (let count = 0; count < 4; count += 1) {
          statuses.push((await portal.browser().call(method, path, { headers })).status);
        }
        expect(statuses, `${method} ${path}`).to.deep.equal([refused, refused, 429, 429]);
      } finally {
        await portal.stop();
      }
    }
  });

  it('and their outcomes are counted', async () => {
    const portal = await startTestPortal();
    try {
      await portal.browser().call('POST', '/portal/sign-in', { body: { name: 'no', password: 'one' } });
      const { text } = await portal.metrics.expose();
      expect(text).to.match(/^portal_requests_total\{route="\/portal\/sign-in",method="POST",status="401"\} 1$/m);
      for (const gauge of ['portal_streams', 'portal_passwords_waiting', 'portal_sign_ups_open']) {
        expect(text).to.match(new RegExp(`^${gauge} 0$`, 'm'));
      }
    } finally {
      await portal.stop();
    }
  });
});

describe('the address of a portal', function () {
  this.timeout(60_000);

  const sessionAt = async (env: Record<string, string>): Promise<Record<string, unknown>> => {
    const portal = await startTestPortal({ env });
    try {
      return await portal.browser().expect(200, 'GET', '/portal/session');
    } finally {
      await portal.stop();
    }
  };

  it('under https has passkeys, and open sign-up only where it is set', async () => {
    expect(await sessionAt({ PUBLIC_URL: 'https://paper.example' })).to.include({
      passkeysEnabled: true,
      signUp: 'invite',
      reason: null,
      insecure: false,
    });
    expect(await sessionAt({ PUBLIC_URL: 'https://paper.example', SIGN_UP: 'open' })).to.include({ signUp: 'open' });
  });

  it('under http elsewhere than at loopback has no sign-in, and says why', async () => {
    const portal = await startTestPortal({ env: { PUBLIC_URL: 'http://paper.example' } });
    try {
      const ann = await portal.person('Ann');
      const browser = portal.browser();
      const { reason } = await browser.expect<{ reason: string }>(200, 'GET', '/portal/session');
      expect(reason).to.include('unencrypted').and.include('PORTAL_INSECURE=on');
      const body = { name: 'ann', password: ann.password };
      expect((await browser.call('POST', '/portal/sign-in', { body })).body).to.deep.equal({
        error: reason,
        code: 'sign_in_unavailable',
      });
    } finally {
      await portal.stop();
    }
  });

  it('under PORTAL_INSECURE has sign-in, and a warning for every page', async () => {
    expect(await sessionAt({ PUBLIC_URL: 'http://paper.example', PORTAL_INSECURE: 'on' })).to.include({
      passkeysEnabled: false,
      reason: null,
      insecure: true,
    });
  });

  it('under https sets cookies that no other host and no http can set', async () => {
    const portal = await startTestPortal({ env: { PUBLIC_URL: 'https://paper.example' } });
    try {
      const ann = await portal.person('Ann');
      const { headers } = await portal.browser().call('POST', '/portal/sign-in', {
        body: { name: 'ann', password: ann.password },
      });
      expect(String(headers['set-cookie']))
        .to.match(/^__Host-session=[\w-]{43};/)
        .and.match(/; Secure/)
        .and.match(/; HttpOnly/)
        .and.match(/; Path=\//)
        .and.not.match(/Domain/);
    } finally {
      await portal.stop();
    }
  });
});
