import { isLongSuiteLeftOut } from '@paper/testkit';
import { freePort } from '@paper/supervisor';
import { expect } from 'chai';
import { COMPANY_CLIENT, startCompanyIssuer } from '../support/company-issuer.ts';
import type { CompanyIssuer } from '../support/company-issuer.ts';
import { startMailbox } from '../support/mailbox.ts';
import type { Mailbox } from '../support/mailbox.ts';
import { PortalBrowser, storeCodes } from './portal-browser.ts';

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

  it('an account opens by the link of an e-mail, and a later link gives it back', async () => {
    const { page } = await portal.open('/sign-up');
    await page.getByLabel('Display name').fill('Ada');
    await page.getByLabel('Sign-in name').fill('ada');
    await page.getByLabel('E-mail address').fill(EMAIL);
    await page.getByLabel('Password', { exact: true }).fill('a long and quiet sentence');
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByRole('heading', { name: 'Open the link in your e-mail' }).waitFor();

    await page.goto(await linkTo(EMAIL, 0));
    await page.getByRole('button', { name: 'Confirm' }).click();
    expect(new URL(page.url()).hash).to.equal('');
    expect(await storeCodes(page)).to.have.length(10);

    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
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
    await page.getByRole('heading', { name: 'It is your account again, Ada' }).waitFor();
    await page.getByRole('button', { name: 'Continue to Security' }).click();
    await page.getByText(`Confirmed: ${EMAIL}`).waitFor();
  });

  it('a person whom the company knows signs up with that, and signs in by it', async () => {
    const { page } = await portal.open('/sign-in');
    issuer.subject = 'bob-of-acme';
    await page.getByRole('link', { name: 'Sign in with Acme' }).click();
    await page.getByText('You are known to Acme, and have no account here yet.').waitFor();
    await page.getByLabel('Display name').fill('Bob');
    await page.getByLabel('Sign-in name').fill('bob');
    await page.getByLabel('E-mail address').fill('bob@example.com');
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByRole('heading', { name: 'Open the link in your e-mail' }).waitFor();
    await page.goto(await linkTo('bob@example.com', 0));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await storeCodes(page);

    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.goto(`${portal.service.publicUrl}/sign-in`);
    await page.getByRole('link', { name: 'Sign in with Acme' }).click();
    await page.getByRole('link', { name: 'Security' }).click();
    await page.getByText('You can sign in with Acme.').waitFor();
    await page.getByText('You have no password.').waitFor();
  });
});
