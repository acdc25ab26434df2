import { isLongSuiteLeftOut } from '@paper/testkit';
import { freePort } from '@paper/runtime';
import { expect } from 'chai';
import { COMPANY_CLIENT, startCompanyIssuer } from '../support/company-issuer.ts';
import type { CompanyIssuer } from '../support/company-issuer.ts';
import { startMailbox } from '../support/mailbox.ts';
import type { Mailbox } from '../support/mailbox.ts';
import type { Page } from '@paper/testkit/browser';
import { PortalBrowser, proveByPassword } from './portal-browser.ts';
import { openFromMenu, signOut, whenSignedIn } from '../support/menu.ts';

const EMAIL = 'ada@example.com';

describe('people whose service sends e-mails and knows a company, in a browser', function () {
  if (isLongSuiteLeftOut()) return;
  this.timeout(180_000);
  let portal: PortalBrowser;
  let mailbox: Mailbox;
  let issuer: CompanyIssuer;

  before(async function () {
    // The issuer has to know the portal's address before the portal starts.
    const port = await freePort();
    mailbox = await startMailbox();
    issuer = await startCompanyIssuer(`http://localhost:${port}/portal/company/return`);
    const started = await PortalBrowser.start({
      PORT: String(port),
      SIGN_UP: 'invite',
      SMTP_URL: mailbox.url,
      SMTP_FROM: 'Paper Trading <paper@example.com>',
      COMPANY_ISSUER: issuer.url,
      COMPANY_NAME: 'Acme',
      COMPANY_CLIENT_ID: COMPANY_CLIENT.id,
      COMPANY_CLIENT_SECRET: COMPANY_CLIENT.secret,
    });
    if (started === undefined) return this.skip();
    portal = started;
  });

  afterEach(() => (portal as PortalBrowser | undefined)?.closeTabs());

  after(async () => {
    await (portal as PortalBrowser | undefined)?.stop();
    await issuer.close();
    await mailbox.close();
  });

  const linkTo = async (address: string, after: number): Promise<string> => {
    const { text } = await mailbox.letterTo(address, after);
    return /^http\S+#\S+$/m.exec(text)?.[0] ?? '';
  };

  const PASSWORD = 'a long and quiet sentence';

  const fillSignUp = async (page: Page, name: string): Promise<void> => {
    await page.getByLabel('Display name').fill(`Trader ${name}`);
    await page.getByLabel('Sign-in name').fill(name);
    await page.getByLabel('E-mail address').fill(`${name}@example.com`);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  };

  /** Confirms the address of a sign-up. */
  const confirm = async (page: Page, address: string): Promise<void> => {
    await page.getByRole('heading', { name: 'Open the link in your e-mail' }).waitFor();
    await page.goto(await linkTo(address, 0));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await whenSignedIn(page);
  };

  /** Signs a person up, and opens the page Account. */
  const onSecurity = async (name: string): Promise<Page> => {
    const { page } = await portal.open(new URL(await portal.invite(1)).pathname);
    await page.getByLabel('Invite').fill(await portal.invite(1));
    await fillSignUp(page, name);
    await page.getByRole('button', { name: 'Sign up' }).click();
    await confirm(page, `${name}@example.com`);
    await openFromMenu(page, 'Account');
    return page;
  };

  it('an invite lets so many people in as it says: by its link, or pasted as link or code', async () => {
    const invite = await portal.invite(2);
    const { page } = await portal.open('/sign-up');
    await fillSignUp(page, 'ivy');
    const send = () => page.getByRole('button', { name: 'Sign up' }).click();
    const refused = page.getByLabel('Invite').and(page.locator('[aria-invalid="true"]'));
    await page.getByLabel('Invite').fill('no-such-invite');
    await send();
    await page.getByRole('alert').filter({ hasText: 'This invite is unknown, used up, or has expired' }).waitFor();
    expect(await refused.and(page.locator(':focus')).count()).to.equal(1);
    await page.getByLabel('Invite').fill(invite);
    await send();
    await page.getByRole('heading', { name: 'Open the link in your e-mail' }).waitFor();

    for (const [name, isIn] of [
      ['igor', true],
      ['iris', false],
    ] as const) {
      await page.goto('about:blank');
      await page.goto(invite);
      expect(await page.getByLabel('Invite').inputValue()).to.equal(new URL(invite).searchParams.get('invite'));
      await fillSignUp(page, name);
      await send();
      if (isIn) await page.getByRole('heading', { name: 'Open the link in your e-mail' }).waitFor();
      else await refused.waitFor();
    }
  });

  it('a new address counts once its link was opened; the former one hears of it; and it can be removed', async () => {
    const page = await onSecurity('eve');
    await page.getByText('Confirmed: eve@example.com').waitFor();
    await portal.endProofs();
    const before = mailbox.letters.length;
    await page.getByText('Change the e-mail address', { exact: true }).click();
    await page.getByLabel('New e-mail address').fill('eve@elsewhere.example');
    await page.getByRole('button', { name: 'Send a link to confirm it' }).click();
    await proveByPassword(page, PASSWORD);
    await page.getByText('A link was sent to eve@elsewhere.example.').waitFor();
    await page.getByText('Confirmed: eve@example.com').waitFor();

    await page.goto(await linkTo('eve@elsewhere.example', before));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('eve@elsewhere.example is confirmed.').waitFor();
    const notice = await mailbox.letterTo('eve@example.com', before);
    expect(notice.subject).to.equal('Your e-mail address was changed');

    await page.getByRole('link', { name: 'Go to your account' }).click();
    await page.getByText('Confirmed: eve@elsewhere.example').waitFor();
    await page.getByRole('button', { name: 'Remove the present address' }).click();
    await page.getByText('No address is confirmed.').waitFor();
  });

  it('the sign-in of a company is linked to an account by its person alone, and taken away again', async () => {
    const page = await onSecurity('lin');
    issuer.subject = 'lin-of-acme';
    await portal.endProofs();
    await page.getByRole('button', { name: 'Link Acme' }).click();
    await proveByPassword(page, PASSWORD);
    await page.getByText('Your account is linked.').waitFor();
    await page.getByText('You can sign in with Acme.').waitFor();

    const other = await onSecurity('lou');
    await other.getByRole('button', { name: 'Link Acme' }).click();
    await other.getByText('This identity, or your account, is linked already, and not to each other.').waitFor();
    await other.getByText('Your account is not linked.').waitFor();

    await page.getByRole('button', { name: 'Take the link away' }).click();
    await page.getByText('Your account is not linked.').waitFor();
    await signOut(page);
    await page.goto(`${portal.service.publicUrl}/sign-in`);
    await page.getByRole('link', { name: 'Sign in with Acme' }).click();
    await page.getByText('You are known to Acme, and have no account here yet.').waitFor();
  });

  it('an account opens by the link of an e-mail, and a later link gives it back', async () => {
    const { page } = await portal.open(`/sign-up?next=${encodeURIComponent('/help?as=it#was')}`);
    await page.getByLabel('Invite').fill(await portal.invite(1));
    await fillSignUp(page, 'ada');
    await page.getByRole('button', { name: 'Sign up' }).click();
    await confirm(page, EMAIL);
    await page.waitForURL(`${portal.service.publicUrl}/help?as=it#was`);

    await signOut(page);
    await page.goto(`${portal.service.publicUrl}/recover`);
    await page.getByLabel('With a link by e-mail').check();
    await page.getByLabel('E-mail address').fill(EMAIL);
    const before = mailbox.letters.length;
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByRole('heading', { name: 'Look into your e-mail' }).waitFor();
    const link = await linkTo(EMAIL, before);
    // A link to another fragment of the same page would not load it anew.
    await page.goto('about:blank');
    await page.goto(link);
    await page.getByLabel('New password', { exact: true }).fill('another long sentence');
    await page.getByRole('button', { name: 'Set the new password' }).click();
    await page.getByRole('heading', { name: 'It is your account again, Trader ada' }).waitFor();
    await page.getByRole('button', { name: 'Continue to your account' }).click();
    await page.getByText(`Confirmed: ${EMAIL}`).waitFor();
  });

  it('a person whom the company knows signs up with that, and signs in by it', async () => {
    const { page } = await portal.open('/sign-in');
    issuer.subject = 'bob-of-acme';
    await page.getByRole('link', { name: 'Sign in with Acme' }).click();
    await page.getByText('You are known to Acme, and have no account here yet.').waitFor();
    await page.getByLabel('Invite').fill(await portal.invite(1));
    await page.getByLabel('Display name').fill('Bob');
    await page.getByLabel('Sign-in name').fill('bob');
    await page.getByLabel('E-mail address').fill('bob@example.com');
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByRole('heading', { name: 'Open the link in your e-mail' }).waitFor();
    await page.goto(await linkTo('bob@example.com', 0));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await whenSignedIn(page);

    await signOut(page);
    await page.goto(`${portal.service.publicUrl}/sign-in?next=${encodeURIComponent('/help?as=it#was')}`);
    await page.getByRole('link', { name: 'Sign in with Acme' }).click();
    await page.waitForURL(`${portal.service.publicUrl}/help?as=it#was`);
    await openFromMenu(page, 'Account');
    await page.getByText('You can sign in with Acme.').waitFor();
    await page.getByText('You have no password.').waitFor();
  });
});
