import { eventually } from '@paper/testkit';
import { expect } from 'chai';
import { sql } from 'kysely';
import { createMailer } from '../src/identity/mailer.ts';
import { startMailbox } from './support/mailbox.ts';
import type { Mailbox, ReceivedLetter } from './support/mailbox.ts';
import type { BrowserAnswer, TestBrowser } from './support/test-browser.ts';
import { startTestPortal } from './support/test-portal.ts';
import type { TestPortal } from './support/test-portal.ts';

const FROM = 'Paper Trading <portal@paper.example>';

describe('e-mail', function () {
  this.timeout(60_000);
  let mailbox: Mailbox;
  let portal: TestPortal;

  before(async () => {
    mailbox = await startMailbox();
    portal = await startTestPortal({ env: { SMTP_URL: mailbox.url, SMTP_FROM: FROM } });
  });
  after(async () => {
    await portal.stop();
    await mailbox.close();
  });

  async function signedIn(name: string, email?: string): Promise<TestBrowser> {
    const { password } = await portal.person(name, email === undefined ? {} : { email });
    const browser = portal.browser();
    await browser.expect(200, 'POST', '/portal/sign-in', { body: { name, password } });
    return browser;
  }

  /** The token of the link in a letter. */
  function tokenIn({ text }: ReceivedLetter, page: string): string {
    const [, token] = new RegExp(`${portal.url}${page}#([\\w-]{43})\\n`).exec(text) ?? [];
    if (token === undefined) throw new Error(`no link to ${page} in: ${text}`);
    return token;
  }

  const codeOf = ({ body, status }: BrowserAnswer): string => `${status} ${(body as { code?: string }).code ?? ''}`;
  const confirm = (token: string) => portal.browser().call('POST', '/portal/confirm', { body: { token } });
  const emailOf = async (browser: TestBrowser) =>
    (await browser.expect<{ email: string | null }>(200, 'GET', '/portal/security')).email;

  const isConfigured = async (): Promise<boolean | undefined> =>
    (await portal.db.selectFrom('mail_settings').select('configured').executeTakeFirst())?.configured;

  it('is reported as configured while the mail server takes letters', async () => {
    await eventually('the portal has tried the mail server', async () => (await isConfigured()) === true);
  });

  for (const [what, url] of [
    ['a wrong password', (right: string) => right.replace('of-the-mailbox', 'wrong')],
    ['no server', () => 'smtp://127.0.0.1:9'],
  ] as const) {
    it(`is reported as not configured with ${what}`, async () => {
      const other = await startTestPortal({ env: { SMTP_URL: url(mailbox.url), SMTP_FROM: FROM } });
      try {
        const row = () => other.db.selectFrom('mail_settings').select('configured').executeTakeFirst();
        await eventually('the portal has tried the mail server', async () => (await row()) !== undefined);
        expect(await row()).to.deep.equal({ configured: false });
      } finally {
        await other.stop();
      }
    });
  }

  it('given an address that cannot be read, throws where an e-mail is sent, and nowhere else', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      const mailer = createMailer({ url: 'smtp://user:pa/ss@host:587', from: FROM });
      mailer.close();
      const failed: unknown = await mailer.verify().catch((error: unknown) => error);
      expect(failed).to.be.instanceOf(TypeError);
      // Node reports a rejection once the microtasks of its turn are done.
      await new Promise(setImmediate);
      expect(unhandled).to.deep.equal([]);
    } finally {
      process.off('unhandledRejection', note);
    }
  });

  it('is reported as not configured without settings', async () => {
    const other = await startTestPortal();
    try {
      const row = () => other.db.selectFrom('mail_settings').select('configured').executeTakeFirst();
      await eventually('the portal has written it', async () => (await row()) !== undefined);
      expect(await row()).to.deep.equal({ configured: false });
      const { password } = await other.person('ann');
      const browser = other.browser();
      await browser.expect(200, 'POST', '/portal/sign-in', { body: { name: 'ann', password } });
      const refused = await browser.call('POST', '/portal/email', { body: { email: 'ann@paper.example' } });
      expect(codeOf(refused)).to.equal('400 validation_failed');
    } finally {
      await other.stop();
    }
  });

  it('changes an address when the link that was sent there is opened', async () => {
    const browser = await signedIn('ann');
    const asked = await browser.call('POST', '/portal/email', { body: { email: 'Ann@Paper.Example' } });
    expect(asked.status, asked.text).to.equal(202);
    expect(await emailOf(browser)).to.equal(null);

    const letter = await mailbox.letterTo('ann@paper.example');
    expect(letter.from).to.equal('portal@paper.example');
    expect((await confirm(tokenIn(letter, '/confirm'))).status).to.equal(200);

    expect(await emailOf(browser)).to.equal('ann@paper.example');
  });

  it('takes a link once, by POST, for 30 minutes', async () => {
    const browser = await signedIn('once');
    const ask = async (email: string): Promise<string> => {
      await browser.expect(202, 'POST', '/portal/email', { body: { email } });
      return tokenIn(await mailbox.letterTo(email), '/confirm');
    };
    const first = await ask('once@paper.example');
    expect((await portal.browser().call('GET', `/portal/confirm?token=${first}`)).status).to.be.within(404, 405);
    expect((await confirm(first)).status).to.equal(200);
    expect(codeOf(await confirm(first))).to.equal('400 expired');

    const late = await ask('late@paper.example');
    await portal.db.updateTable('email_tokens').set({ expires_at: new Date() }).execute();
    expect(codeOf(await confirm(late))).to.equal('400 expired');

    const replaced = await ask('replaced@paper.example');
    const newest = await ask('newest@paper.example');
    expect(codeOf(await confirm(replaced))).to.equal('400 expired');
    expect((await confirm(newest)).status).to.equal(200);
  });

  it('says the same of an address that another person has, and writes to that person', async () => {
    await portal.person('owner', { email: 'owner@paper.example' });
    const browser = await signedIn('curious');
    const free = await browser.call('POST', '/portal/email', { body: { email: 'free@paper.example' } });
    const taken = await browser.call('POST', '/portal/email', { body: { email: 'owner@paper.example' } });

    expect([taken.status, taken.body]).to.deep.equal([free.status, free.body]);
    const letter = await mailbox.letterTo('owner@paper.example');
    expect(letter.subject).to.equal('You have an account already');
    expect(letter.text).not.to.contain('#');
  });

  it('refuses the second of two people who confirm one address at once, and its link works on', async () => {
    const [first, second] = [await signedIn('first'), await signedIn('second')];
    const email = 'both@paper.example';
    const tokens: string[] = [];
    for (const browser of [first, second]) {
      const before = mailbox.letters.length;
      await browser.expect(202, 'POST', '/portal/email', { body: { email } });
      tokens.push(tokenIn(await mailbox.letterTo(email, before), '/confirm'));
    }
    const [ofFirst = '', ofSecond = ''] = tokens;
    // The first has stored the address, and has not committed yet.
    const held = await portal.db.startTransaction().execute();
    await held.updateTable('people').set({ email }).where('sign_in_name', '=', 'first').execute();
    const asked = confirm(ofSecond);
    await eventually('the second waits for the first', async () => {
      const { rows } = await sql`select from pg_locks where not granted`.execute(portal.db);
      return rows.length > 0;
    });
    await held.commit().execute();

    const refused = await asked;
    expect([codeOf(refused), refused.body]).to.deep.equal([
      '400 validation_failed',
      { code: 'validation_failed', error: 'validation failure: email: another account has confirmed this address' },
    ]);
    await first.expect(204, 'DELETE', '/portal/email');
    expect((await confirm(ofSecond)).status).to.equal(200);
    expect(codeOf(await confirm(ofFirst))).to.equal('400 validation_failed');
  });

  it('takes a link once, also where one person opens it several times at once', async () => {
    const browser = await signedIn('several');
    await browser.expect(202, 'POST', '/portal/email', { body: { email: 'several@paper.example' } });
    const token = tokenIn(await mailbox.letterTo('several@paper.example'), '/confirm');
    const answers = await Promise.all(Array.from({ length: 5 }, () => confirm(token)));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400, 400, 400, 400]);
    expect(await emailOf(browser)).to.equal('several@paper.example');
  });

  it('tells the former address of a change', async () => {
    const browser = await signedIn('mover', 'former@paper.example');
    await browser.expect(202, 'POST', '/portal/email', { body: { email: 'latter@paper.example' } });
    await confirm(tokenIn(await mailbox.letterTo('latter@paper.example'), '/confirm'));

    expect((await mailbox.letterTo('former@paper.example')).subject).to.equal('Your e-mail address was changed');
  });

  it('goes to one address only, and holds no text of the person', async () => {
    const browser = await signedIn('injector');
    for (const email of ['a@x.example, b@x.example', 'a@x.example\r\nBcc: b@x.example', '<a@x.example>']) {
      const refused = await browser.call('POST', '/portal/email', { body: { email } });
      expect(codeOf(refused), email).to.equal('400 validation_failed');
    }
    expect(mailbox.letters.every(({ text, to }) => to.length === 1 && !text.includes('injector'))).to.equal(true);
  });

  it('sends few letters for a person in an hour', async () => {
    const browser = await signedIn('eager');
    const answers: number[] = [];
    for (let count = 1; count <= 6; count++) {
      const { status } = await browser.call('POST', '/portal/email', {
        body: { email: `eager${count}@paper.example` },
      });
      answers.push(status);
    }
    expect(answers).to.deep.equal([202, 202, 202, 202, 202, 429]);
  });

  it('links by PUBLIC_URL, whatever Host a request has', async () => {
    const browser = await signedIn('hosted');
    const refused = await browser.call('POST', '/portal/email', {
      body: { email: 'hosted@paper.example' },
      headers: { host: 'attacker.example' },
    });
    expect(refused.status).to.equal(421);
    await browser.expect(202, 'POST', '/portal/email', { body: { email: 'hosted@paper.example' } });
    expect((await mailbox.letterTo('hosted@paper.example')).text).to.contain(`${portal.url}/confirm#`);
  });
});
