import { withClient } from '@paper/runtime';
import { expect } from 'chai';
import type { BrowserAnswer, TestBrowser } from './support/test-browser.ts';
import { startTestPortal } from './support/test-portal.ts';
import type { TestPerson, TestPortal } from './support/test-portal.ts';

interface Overview {
  readonly sessions: readonly { readonly id: string; readonly current: boolean; readonly device: string }[];
}

describe('the security page', function () {
  this.timeout(60_000);
  let portal: TestPortal;
  before(async () => {
    portal = await startTestPortal();
  });
  after(() => portal.stop());

  async function signedIn(name: string, { password }: TestPerson, userAgent?: string): Promise<TestBrowser> {
    const browser = portal.browser();
    await browser.expect(200, 'POST', '/portal/sign-in', {
      body: { name, password },
      headers: { 'user-agent': userAgent },
    });
    return browser;
  }

  const codeOf = ({ body, status }: BrowserAnswer): string => `${status} ${(body as { code?: string }).code ?? ''}`;
  const overview = (browser: TestBrowser) => browser.expect<Overview>(200, 'GET', '/portal/security');
  const unproven = () => portal.db.updateTable('sessions').set({ proven_until: null }).execute();

  it('lists sessions by device, and ends one alone', async () => {
    const ann = await portal.person('ann');
    const phone = await signedIn('ann', ann, 'Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko Firefox/140.0');
    const laptop = await signedIn('ann', ann, 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko Firefox/140.0');
    const { sessions } = await overview(laptop);
    expect(sessions.map(({ current, device }) => [device, current])).to.have.deep.members([
      ['Firefox on Linux', true],
      ['Firefox on Android', false],
    ]);

    const other = sessions.find(({ current }) => !current);
    expect((await laptop.call('DELETE', `/portal/sessions/${other?.id}`)).status).to.equal(204);

    expect((await phone.call('GET', '/portal/security')).status).to.equal(401);
    expect((await laptop.call('GET', '/portal/security')).status).to.equal(200);
  });

  it('tells a browser of the newest sign-in after its own, until that session ends', async () => {
    const nora = await portal.person('nora');
    const first = await signedIn('nora', nora);
    const newest = async (browser: TestBrowser) =>
      (await browser.expect<{ newSignIn: { id: string; device: string } | null }>(200, 'GET', '/portal/session'))
        .newSignIn;
    expect(await newest(first)).to.equal(null);
    const second = await signedIn('nora', nora, 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko Firefox/140.0');
    const told = await newest(first);
    expect(told).to.include({ device: 'Firefox on Linux' });
    expect(await newest(second)).to.equal(null);
    expect(await newest(portal.browser())).to.equal(null);
    expect((await first.call('DELETE', `/portal/sessions/${told?.id}`)).status).to.equal(204);
    expect(await newest(first)).to.equal(null);
  });

  it("ends no other person's session", async () => {
    const [bob, mallory] = [await portal.person('bob'), await portal.person('mallory')];
    const browser = await signedIn('bob', bob);
    const [session] = (await overview(browser)).sessions;
    const foreign = await (await signedIn('mallory', mallory)).call('DELETE', `/portal/sessions/${session?.id}`);
    expect(codeOf(foreign)).to.equal('404 not_found');
    expect((await browser.call('GET', '/portal/security')).status).to.equal(200);
  });

  it('changes the password: every other session ends, and this browser has a new one', async () => {
    const carl = await portal.person('carl');
    const [here, there] = [await signedIn('carl', carl), await signedIn('carl', carl)];
    const former = here.cookies.get('session');

    await here.expect(200, 'POST', '/portal/password', { body: { password: 'a wholly new passphrase' } });

    expect(here.cookies.get('session')).not.to.equal(former);
    expect((await here.call('GET', '/portal/security')).status).to.equal(200);
    expect((await there.call('GET', '/portal/security')).status).to.equal(401);
    const fixed = portal.browser();
    fixed.cookies.set('session', former ?? '');
    expect((await fixed.call('GET', '/portal/security')).status).to.equal(401);
  });

  it('given ten new passwords of a person in 15 minutes, refuses the next one', async () => {
    const browser = await signedIn('finn', await portal.person('finn'));
    const change = (count: number) =>
      browser.call('POST', '/portal/password', { body: { password: `a wholly new passphrase ${count}` } });
    for (let count = 1; count <= 10; count += 1) expect((await change(count)).status, `${count}`).to.equal(200);

    const refused = await change(11);

    expect([codeOf(refused), refused.body]).to.deep.equal([
      '429 rate_limited',
      { code: 'rate_limited', error: 'Too many new passwords: try again in 15 minutes' },
    ]);
    await browser.expect(200, 'GET', '/portal/security');
  });

  it('demands a proof for each change', async () => {
    const browser = await signedIn('dora', await portal.person('dora'));
    await unproven();
    const changes: readonly [method: string, path: string, body?: object][] = [
      ['POST', '/portal/password', { password: 'a wholly new passphrase' }],
      ['POST', '/portal/email', { email: 'dora@paper.example' }],
      ['DELETE', '/portal/email'],
      ['POST', '/portal/recovery-codes'],
      ['DELETE', '/portal/passkeys/x'],
      ['DELETE', '/portal/company'],
      ['DELETE', '/portal/me'],
    ];
    for (const [method, path, body] of changes) {
      const refused = await browser.call(method, path, body === undefined ? {} : { body });
      expect(codeOf(refused), path).to.equal('403 proof_required');
    }
  });

  it('refuses each call that changes something from a page of another origin', async () => {
    const browser = await signedIn('eve', await portal.person('eve'));
    const calls = [
      'POST /portal/password',
      'POST /portal/email',
      'POST /portal/recovery-codes',
      'POST /portal/recover',
      'POST /portal/recover/link',
      'POST /portal/confirm',
      'POST /portal/passkeys/challenge',
      'POST /portal/passkeys/answer',
      'DELETE /portal/me',
      'DELETE /portal/passkeys/x',
      'DELETE /portal/sessions/x',
      'POST /portal/operator/session',
      'POST /portal/operator/api/markets',
    ];
    const { port } = new URL(portal.url);
    const foreign = ['https://attacker.example', `http://localhost:${Number(port) + 1}`, 'null', undefined];
    for (const call of calls) {
      const [method = '', path = ''] = call.split(' ');
      for (const origin of foreign) {
        const refused = await browser.call(method, path, { body: {}, headers: { origin } });
        expect(codeOf(refused), `${call} from ${origin}`).to.equal('403 origin_refused');
      }
    }
  });

  it('shows everything that is stored about the person', async () => {
    const fred = await portal.person('fred', { email: 'fred@paper.example' });
    const browser = await signedIn('fred', fred);
    await browser.expect(200, 'POST', '/portal/recovery-codes');
    const all = await browser.expect<Record<string, unknown>>(200, 'GET', '/portal/me');

    expect(all).to.have.nested.property('person.signInName', 'fred');
    expect(all).to.have.nested.property('person.email', 'fred@paper.example');
    expect(all).to.have.nested.property('recoveryCodes.left', 10);
    expect(all['sessions']).to.have.length(1);
    // No hash, no token and no key is in it.
    expect(JSON.stringify(all)).not.to.match(/\$argon2|"type":"Buffer"/);
  });

  it('has a part for every table that refers to a person', async () => {
    const parts: Readonly<Record<string, string>> = {
      sessions: 'sessions',
      passkeys: 'passkeys',
      recovery_codes: 'recoveryCodes',
      company_links: 'company',
      email_tokens: 'emailLinks',
      account_keys: 'keys',
      sign_up_jobs: 'signUp',
    };
    const { rows } = await withClient({ connectionString: portal.connectionString }, (client) =>
      client.query<{ table_name: string }>(
        `select table_name from information_schema.columns
         where table_schema = 'portal' and column_name = 'person_id' and table_name <> 'deletion_jobs'`,
      ),
    );
    expect(rows.map((row) => row.table_name)).to.have.members(Object.keys(parts));
    const browser = await signedIn('gina', await portal.person('gina'));
    const all = await browser.expect<object>(200, 'GET', '/portal/me');
    expect(all).to.include.keys(Object.values(parts));
  });

  it('leaves nothing usable in a stolen dump of the schema', async () => {
    const hal = await portal.person('hal', { email: 'hal@paper.example' });
    const browser = await signedIn('hal', hal);
    const { recoveryCodes } = await browser.expect<{ recoveryCodes: string[] }>(200, 'POST', '/portal/recovery-codes');
    const secrets = [hal.password, ...recoveryCodes, ...browser.cookies.values()];

    const dump = await dumped(portal.connectionString);

    expect(dump).to.contain('hal@paper.example');
    for (const secret of secrets) {
      expect(dump, 'as text').not.to.contain(secret);
      expect(dump, 'as bytes').not.to.contain(Buffer.from(secret).toString('hex'));
      expect(dump, 'decoded').not.to.contain(Buffer.from(secret, 'base64url').toString('hex'));
    }
    // What is stored of a token opens nothing when it is presented as one.
    const hashes = [...dump.matchAll(/\\x([0-9a-f]{64})\b/g)].map(([, hash = '']) => hash);
    expect(hashes).to.have.length.above(10);
    for (const hash of hashes) {
      for (const form of [hash, Buffer.from(hash, 'hex').toString('base64url')]) {
        const thief = portal.browser();
        thief.cookies.set('session', form);
        expect((await thief.call('GET', '/portal/security')).status).to.equal(401);
      }
    }
  });
});

/** Every row of every table of the portal, as text. */
async function dumped(connectionString: string): Promise<string> {
  return withClient({ connectionString }, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'portal'`,
    );
    const parts: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`select t::text as row from portal.${name} t`);
      parts.push(...rows.map(({ row }) => `${name}: ${row}`));
    }
    return parts.join('\n');
  });
}
