import { randomUUID } from 'node:crypto';
import { eventually } from '@paper/testkit';
import { startStandalone } from '@paper/testkit/exchange';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { expect } from 'chai';
import { startMailbox } from './support/mailbox.ts';
import type { Mailbox } from './support/mailbox.ts';
import { TestBrowser } from './support/test-browser.ts';

interface Health {
  readonly emailConfigured: boolean;
}

describe('a service with a mail server', function () {
  this.timeout(120_000);
  let mailbox: Mailbox;
  let service: RunningStandalone;
  let publicUrl: string;

  before(async () => {
    mailbox = await startMailbox();
    service = await startStandalone({ env: { SMTP_URL: mailbox.url, SMTP_FROM: 'portal@paper.example' } });
    ({ publicUrl } = service);
  });
  after(async () => {
    await service.stop();
    await mailbox.close();
  });

  const browser = (): TestBrowser => new TestBrowser(publicUrl, Number(new URL(service.baseUrl).port));

  it('says so in its health', async () => {
    await eventually('emailConfigured', async () => {
      const answer = await fetch(`${service.baseUrl}/api/health`);
      return ((await answer.json()) as Health).emailConfigured;
    });
  });

  it('opens an account once the address is confirmed, and not before', async () => {
    const body = {
      signInName: 'ann',
      displayName: 'Ann A',
      password: 'a passphrase of hers',
      email: 'Ann@Paper.example',
      cameFrom: '/markets/one?outcome=no&amount=12',
      idempotencyKey: randomUUID(),
    };
    const page = browser();
    expect(await page.expect(202, 'POST', '/portal/sign-up', { body })).to.deep.equal({ confirm: 'email' });
    const early = await page.call('POST', '/portal/sign-in', { body: { name: 'ann', password: body.password } });
    expect(early.status).not.to.equal(200);

    const { text } = await mailbox.letterTo('ann@paper.example');
    const [, token] = new RegExp(`${publicUrl}/confirm#([\\w-]{43})\\n`).exec(text) ?? [];
    const other = browser();
    const { cameFrom, person } = await other.expect<{ person: object; cameFrom: string | null }>(
      201,
      'POST',
      '/portal/confirm',
      { body: { token } },
    );

    expect(person).to.include({ signInName: 'ann', email: 'ann@paper.example' });
    expect(cameFrom).to.equal(body.cameFrom);
    // What the letter has is nothing that the person wrote.
    expect(text).not.to.include('markets');
    const stored = await other.expect(200, 'GET', '/portal/me');
    expect(stored).to.have.nested.property('signUp.cameFrom', null);
    expect((await other.call('GET', '/portal/as/me/portfolio')).status).to.equal(200);
    const used = await browser().call('POST', '/portal/confirm', { body: { token } });
    expect(used.body).to.include({ code: 'expired' });
    expect(
      (await page.call('POST', '/portal/sign-in', { body: { name: 'ann', password: body.password } })).status,
    ).to.equal(200);
  });

  it('answers a sign-up with an address that is in use as any other, and writes to its owner', async () => {
    const body = {
      signInName: 'mallory',
      displayName: 'Mallory',
      password: 'a passphrase of theirs',
      email: 'ann@paper.example',
      idempotencyKey: randomUUID(),
    };
    const sent = mailbox.letters.length;
    expect(await browser().expect(202, 'POST', '/portal/sign-up', { body })).to.deep.equal({ confirm: 'email' });
    expect((await mailbox.letterTo('ann@paper.example', sent)).subject).to.equal('You have an account already');
  });

  it('tells the keys that live to a person who recovered the account', async () => {
    const sent = mailbox.letters.length;
    await browser().expect(202, 'POST', '/portal/recover', { body: { email: 'ann@paper.example' } });
    const { text } = await mailbox.letterTo('ann@paper.example', sent);
    const [, token] = new RegExp(`${publicUrl}/recover#([\\w-]{43})\\n`).exec(text) ?? [];
    const body = { token, password: 'another passphrase of hers' };
    const { keys } = await browser().expect<{ keys: { name: string; revokedAt: string | null }[] }>(
      200,
      'POST',
      '/portal/recover/link',
      { body },
    );
    expect(keys).to.have.length(2);
    expect(keys.every(({ name, revokedAt }) => name === 'portal' && revokedAt === null)).to.equal(true);
  });
});
