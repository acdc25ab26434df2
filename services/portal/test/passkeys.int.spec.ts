import { expect } from 'chai';
import { PASSKEYS_MAX } from '../src/identity/passkeys.ts';
import { SoftwareAuthenticator } from './support/software-authenticator.ts';
import type { BrowserAnswer, TestBrowser } from './support/test-browser.ts';
import { startTestPortal } from './support/test-portal.ts';
import type { TestPerson, TestPortal } from './support/test-portal.ts';

type Purpose = 'sign-in' | 'prove' | 'add';

describe('passkeys', function () {
  this.timeout(60_000);
  let portal: TestPortal;
  let ann: TestPerson;
  let bob: TestPerson;

  before(async () => {
    portal = await startTestPortal();
    ann = await portal.person('ann');
    bob = await portal.person('bob');
  });
  after(() => portal.stop());

  /** A browser in which the person has signed in by the password, which is a proof. */
  async function signedIn(name: string, { password }: TestPerson): Promise<TestBrowser> {
    const browser = portal.browser();
    await browser.expect(200, 'POST', '/portal/sign-in', { body: { name, password } });
    return browser;
  }

  const challenge = <T>(browser: TestBrowser, purpose: Purpose) =>
    browser.expect<T>(200, 'POST', '/portal/passkeys/challenge', { body: { purpose } });

  const answer = (browser: TestBrowser, purpose: Purpose, response: object, more: object = {}) =>
    browser.call('POST', '/portal/passkeys/answer', { body: { purpose, response, ...more } });

  async function add(browser: TestBrowser, device: SoftwareAuthenticator, name = 'my phone'): Promise<BrowserAnswer> {
    return answer(browser, 'add', device.create(await challenge(browser, 'add')), { name });
  }

  async function signInBy(device: SoftwareAuthenticator, browser = portal.browser()): Promise<BrowserAnswer> {
    return answer(browser, 'sign-in', device.get(await challenge(browser, 'sign-in')));
  }

  const codeOf = ({ body, status }: BrowserAnswer): string => `${status} ${(body as { code?: string }).code ?? ''}`;

  it('lets a person in who has added one', async () => {
    const device = new SoftwareAuthenticator(portal.url);
    const added = await add(await signedIn('ann', ann), device);
    expect(added.status, added.text).to.equal(200);

    const browser = portal.browser();
    const entered = await signInBy(device, browser);

    expect(entered.body).to.have.nested.property('person.signInName', 'ann');
    expect(entered.body).to.have.nested.property('person.provenUntil').that.is.a('string');
    const { passkeys } = await browser.expect<{ passkeys: { name: string; lastUsedAt: string | null }[] }>(
      200,
      'GET',
      '/portal/security',
    );
    expect(passkeys.at(-1)).to.include({ name: 'my phone' });
    expect(passkeys.at(-1)?.lastUsedAt).to.be.a('string');
  });

  it('proves its person again, and no other', async () => {
    const [phone, key] = [new SoftwareAuthenticator(portal.url), new SoftwareAuthenticator(portal.url)];
    const [anns, bobs] = [await signedIn('ann', ann), await signedIn('bob', bob)];
    await add(anns, phone);
    await add(bobs, key);
    await portal.db.updateTable('sessions').set({ proven_until: null }).execute();
    expect(codeOf(await anns.call('POST', '/portal/recovery-codes'))).to.equal('403 proof_required');

    const proven = await answer(anns, 'prove', phone.get(await challenge(anns, 'prove')));
    expect(proven.status, proven.text).to.equal(200);
    expect((await anns.call('POST', '/portal/recovery-codes')).status).to.equal(200);

    const options = await challenge<{ allowCredentials: unknown }>(bobs, 'prove');
    const foreign = phone.get({ ...options, allowCredentials: [] } as never);
    expect(codeOf(await answer(bobs, 'prove', foreign))).to.equal('401 wrong_credentials');
  });

  it('refuses an answer that is used again', async () => {
    const device = new SoftwareAuthenticator(portal.url);
    await add(await signedIn('ann', ann), device);
    const browser = portal.browser();
    const response = device.get(await challenge(browser, 'sign-in'));
    expect((await answer(browser, 'sign-in', response)).status).to.equal(200);

    expect(codeOf(await answer(browser, 'sign-in', response))).to.equal('401 wrong_credentials');
  });

  it("refuses an answer to another browser's challenge", async () => {
    const device = new SoftwareAuthenticator(portal.url);
    await add(await signedIn('ann', ann), device);
    const [asking, other] = [portal.browser(), portal.browser()];
    await challenge(other, 'sign-in');
    const response = device.get(await challenge(asking, 'sign-in'));

    expect(codeOf(await answer(other, 'sign-in', response))).to.equal('401 wrong_credentials');
    expect(codeOf(await answer(portal.browser(), 'sign-in', response))).to.equal('401 wrong_credentials');
  });

  it('refuses an answer to a challenge for something else', async () => {
    const device = new SoftwareAuthenticator(portal.url);
    const browser = await signedIn('ann', ann);
    await add(browser, device);
    const response = device.get(await challenge(browser, 'prove'));

    expect(codeOf(await answer(browser, 'sign-in', response))).to.equal('401 wrong_credentials');

    // The same session asks for both.
    const options = await challenge<Parameters<typeof device.get>[0]>(browser, 'prove');
    const { challenge: ofAnother } = await challenge<{ challenge: string }>(browser, 'add');
    const proof = device.get({ ...options, challenge: ofAnother });
    expect(codeOf(await answer(browser, 'prove', proof))).to.equal('401 wrong_credentials');
  });

  it('refuses what a page of another origin, an unlocked device or a copied device made', async () => {
    const device = new SoftwareAuthenticator(portal.url);
    await add(await signedIn('ann', ann), device);
    expect((await signInBy(device)).status).to.equal(200);

    device.origin = 'https://paper.example.attacker.example';
    expect(codeOf(await signInBy(device))).to.equal('401 wrong_credentials');
    device.origin = portal.url;
    device.verifiesUser = false;
    expect(codeOf(await signInBy(device))).to.equal('401 wrong_credentials');
    device.verifiesUser = true;
    device.resetCounters();
    expect(codeOf(await signInBy(device))).to.equal('401 wrong_credentials');
  });

  it('given data of the client that no browser makes, refuses it like any other wrong answer', async () => {
    const device = new SoftwareAuthenticator(portal.url);
    await add(await signedIn('ann', ann), device);
    const browser = portal.browser();
    const right = device.get(await challenge(browser, 'sign-in'));
    const refused = '401 wrong_credentials';
    for (const text of ['null', '7', '"text"', '[]', '{"challenge":null}', '{"challenge":"\\u0000"}', 'no JSON']) {
      const clientDataJSON = Buffer.from(text).toString('base64url');
      const response = { ...right, response: { ...right.response, clientDataJSON } };
      expect(codeOf(await answer(browser, 'sign-in', response)), text).to.equal(refused);
    }
  });

  it('refuses a challenge that is older than five minutes', async () => {
    const device = new SoftwareAuthenticator(portal.url);
    await add(await signedIn('ann', ann), device);
    const browser = portal.browser();
    const response = device.get(await challenge(browser, 'sign-in'));
    await portal.db.updateTable('challenges').set({ expires_at: new Date() }).execute();

    expect(codeOf(await answer(browser, 'sign-in', response))).to.equal('401 wrong_credentials');
  });

  it('says the same of an unknown passkey as of a wrong one', async () => {
    const [known, stranger] = [new SoftwareAuthenticator(portal.url), new SoftwareAuthenticator(portal.url)];
    await add(await signedIn('ann', ann), known);
    stranger.create(await challenge(await signedIn('ann', ann), 'add'));
    known.origin = 'https://attacker.example';

    const [unknown, wrong] = [await signInBy(stranger), await signInBy(known)];
    expect(unknown.body).to.deep.equal(wrong.body);
    expect(unknown.status).to.equal(wrong.status);
  });

  it('adds one only with proof', async () => {
    const device = new SoftwareAuthenticator(portal.url);
    const browser = await signedIn('ann', ann);
    const response = device.create(await challenge(browser, 'add'));
    await portal.db.updateTable('sessions').set({ proven_until: null }).execute();
    expect(codeOf(await answer(browser, 'add', response, { name: 'x' }))).to.equal('403 proof_required');
    expect(codeOf(await browser.call('POST', '/portal/passkeys/challenge', { body: { purpose: 'add' } }))).to.equal(
      '403 proof_required',
    );
  });

  it('has a limit for a person', async () => {
    const browser = await signedIn('dora', await portal.person('dora'));
    for (let made = 0; made < PASSKEYS_MAX; made++) {
      expect((await add(browser, new SoftwareAuthenticator(portal.url))).status, `passkey ${made + 1}`).to.equal(200);
    }

    const refused = await add(browser, new SoftwareAuthenticator(portal.url));

    expect(codeOf(refused)).to.equal('400 limit_reached');
  });

  it('keeps the last way in of a person without a password', async () => {
    const carol = await portal.person('carol');
    const device = new SoftwareAuthenticator(portal.url);
    const browser = await signedIn('carol', carol);
    await add(browser, device);
    await portal.db.updateTable('people').set({ password_hash: null }).where('id', '=', carol.id).execute();
    const { passkeys } = await browser.expect<{ passkeys: { id: string }[] }>(200, 'GET', '/portal/security');

    const only = await browser.call('DELETE', `/portal/passkeys/${passkeys[0]?.id}`);
    expect(codeOf(only)).to.equal('400 validation_failed');

    await add(browser, new SoftwareAuthenticator(portal.url));
    expect((await browser.call('DELETE', `/portal/passkeys/${passkeys[0]?.id}`)).status).to.equal(204);
    expect(codeOf(await signInBy(device))).to.equal('401 wrong_credentials');
  });

  describe('of new people', () => {
    const person = (name: string, more: object = {}) => ({ signInName: name, displayName: `Trader ${name}`, ...more });
    const ask = (browser: TestBrowser, name: string, more: object = {}) =>
      browser.call('POST', '/portal/sign-up/passkey', { body: person(name, more) });

    it('are asked for only where the names can be had', async () => {
      expect(codeOf(await ask(portal.browser(), 'ann'))).to.equal('409 name_taken');
      expect(codeOf(await ask(portal.browser(), 'eve', { displayName: 'House' }))).to.equal('400 validation_failed');
      expect(codeOf(await ask(portal.browser(), 'eve', { invite: 'no-such-invite' }))).to.equal('403 sign_up_closed');
    });

    it("are refused by the answer to another browser's challenge, and nothing is stored", async () => {
      const device = new SoftwareAuthenticator(portal.url);
      const [asking, other] = [portal.browser(), portal.browser()];
      await ask(other, 'frank');
      const passkey = device.create((await ask(asking, 'frank')).body as never);
      const body = { ...person('frank'), passkey, idempotencyKey: 'the sign-up of frank'.replaceAll(' ', '-') };
      for (const browser of [other, portal.browser()]) {
        expect(codeOf(await browser.call('POST', '/portal/sign-up', { body }))).to.equal('400 expired');
      }
      const stored = portal.db.selectFrom('people').select('id').where('sign_in_name', '=', 'frank');
      expect(await stored.execute()).to.deep.equal([]);
    });
  });

  it('are not offered where browsers have none', async () => {
    const insecure = await startTestPortal({
      connectionString: portal.connectionString,
      env: { PUBLIC_URL: 'http://paper.example', PORTAL_INSECURE: 'on' },
    });
    try {
      const browser = insecure.browser();
      const refused = await browser.call('POST', '/portal/passkeys/challenge', { body: { purpose: 'sign-in' } });
      expect(codeOf(refused)).to.equal('403 sign_in_unavailable');
      expect(refused.text).to.contain('https');
      const names = { signInName: 'gus', displayName: 'Trader gus' };
      const unasked = await browser.call('POST', '/portal/sign-up/passkey', { body: names });
      expect(codeOf(unasked)).to.equal('403 sign_in_unavailable');
    } finally {
      await insecure.stop();
    }
  });
});
