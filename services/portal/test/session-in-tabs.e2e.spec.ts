import { isLongSuiteLeftOut } from '@paper/testkit';
import { startStandalone } from '@paper/testkit/exchange';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { installedChromium, launchChromium, openTab } from '@paper/testkit/browser';
import type { Browser, Page, Tab } from '@paper/testkit/browser';
import { expect } from 'chai';
import { PASSWORD, SignedIn } from './support/signed-in.ts';
import { signOut } from './support/menu.ts';

describe("a person's session in several tabs, in a browser", function () {
  if (isLongSuiteLeftOut()) return;
  this.timeout(120_000);
  const tabs: Tab[] = [];
  let browser: Browser;
  let service: RunningStandalone;

  before(async function () {
    if (installedChromium === undefined) {
      if (process.env['REQUIRE_SERVERS'] === '1') throw new Error('no Chromium is installed');
      this.skip();
    }
    [browser, service] = await Promise.all([launchChromium(installedChromium), startStandalone()]);
  });

  afterEach(async () => {
    for (const tab of tabs.splice(0)) await tab.close();
  });

  after(async () => {
    // Both are undefined where the suite was skipped.
    await (browser as Browser | undefined)?.close();
    await (service as RunningStandalone | undefined)?.stop();
  });

  /** Two tabs of one person, at pages with what is theirs. */
  const openTwo = async (person: SignedIn, name: string): Promise<readonly [Page, Page]> => {
    const tab = await openTab(browser, `${service.publicUrl}/account`, person.profile);
    tabs.push(tab);
    const second = await tab.page.context().newPage();
    await second.goto(`${service.publicUrl}/account`);
    for (const page of [tab.page, second]) {
      await page.getByRole('button', { name }).waitFor();
      await page.getByText('this browser').first().waitFor();
    }
    return [tab.page, second];
  };
  const expectSignedOut = async (page: Page, name: string): Promise<void> => {
    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).waitFor();
    expect(await page.locator('body').innerText()).not.to.include(name);
    expect(await page.getByText('this browser').count()).to.equal(0);
  };

  const lostNotice = (page: Page) => page.getByRole('status').filter({ hasText: 'You are signed out: your session' });

  it('ends in all of them when the person signs out in one, and what is private is gone', async () => {
    const [first, second] = await openTwo(await SignedIn.up(service.publicUrl, 'Ann'), 'Ann');
    await signOut(first);
    for (const page of [first, second]) await expectSignedOut(page, 'Ann');
    await lostNotice(second).waitFor();
    expect(await lostNotice(first).count()).to.equal(0);
  });

  it('ends in all of them when it was ended elsewhere, as soon as a page reads again', async () => {
    const person = await SignedIn.up(service.publicUrl, 'Ben');
    const pages = await openTwo(person, 'Ben');
    await person.call('POST', '/portal/sign-out-everywhere');
    for (const page of pages) await expectSignedOut(page, 'Ben');
    for (const page of pages) await lostNotice(page).waitFor();
    const again = lostNotice(pages[0]).getByRole('link', { name: 'Sign in again' });
    expect(await again.getAttribute('href')).to.equal('/sign-in?next=%2Faccount');
  });

  it('is told of a sign-in on another device, until the person says that it was theirs', async () => {
    const person = await SignedIn.up(service.publicUrl, 'Cat');
    await new SignedIn(service.publicUrl).call('POST', '/portal/sign-in', { name: 'Cat', password: PASSWORD });
    const [page, second] = await openTwo(person, 'Cat');
    const notice = page.getByRole('status').filter({ hasText: 'You signed in on another device' });
    await notice.getByRole('button', { name: 'It was me' }).click();
    await notice.waitFor({ state: 'detached' });
    await second.reload();
    await second.getByText('this browser').first().waitFor();
    expect(await second.getByRole('button', { name: 'It was me' }).count()).to.equal(0);
  });
});
