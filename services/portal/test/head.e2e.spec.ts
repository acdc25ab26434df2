import { eventually } from '@paper/testkit';
import { startStandalone } from '@paper/testkit/exchange';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { installedChromium, launchChromium, openTab } from '@paper/testkit/browser';
import type { Browser, Tab } from '@paper/testkit/browser';
import { expect } from 'chai';
import { openFromMenu, openMenu } from './support/menu.ts';
import { MARKET, prepareExchange } from './support/prepared-exchange.ts';
import { SignedIn } from './support/signed-in.ts';

describe('the head of every page, in a browser', function () {
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
    await prepareExchange(service);
  });

  afterEach(async () => {
    for (const tab of tabs.splice(0)) await tab.close();
  });

  after(async () => {
    // Both are undefined where the suite was skipped.
    await (browser as Browser | undefined)?.close();
    await (service as RunningStandalone | undefined)?.stop();
  });

  const open = async (path: string, person?: SignedIn, width = 1280): Promise<Tab> => {
    const options = { ...person?.profile, viewport: { width, height: 900 } };
    const tab = await openTab(browser, service.publicUrl + path, options);
    tabs.push(tab);
    return tab;
  };

  it('shows cash and value of who is signed in, as they change', async () => {
    const ada = await SignedIn.up(service.publicUrl, 'Ada');
    const { page } = await open('/leaderboard', ada);
    const worth = page.getByRole('banner').locator('.worth');
    await worth.filter({ hasText: /Cash\$10,000\.00Portfolio\$10,000\.00/ }).waitFor();
    await ada.call('POST', '/portal/as/me/orders', { marketId: MARKET.id, outcome: 'yes', price: 0.66, quantity: 10 });
    // Ten at 0.66 are worth the middle of 0.60 and 0.66 each.
    await worth.filter({ hasText: /Cash\$9,993\.40Portfolio\$9,999\.70/ }).waitFor();
  });

  it('keeps its parts beside each other at 1024 and 1280 px, with a long name too', async () => {
    const longest = await SignedIn.up(service.publicUrl, 'Wilhelmina Wolkenstein');
    for (const width of [1024, 1280]) {
      const { page } = await open('/leaderboard', longest, width);
      await page.getByRole('banner').locator('.worth').getByText('$10,000.00').first().waitFor();
      const box = async (part: string) => (await page.locator(part).last().boundingBox())!;
      // The fonts and the name come a moment after the amounts.
      await eventually(`the pages end before the amounts at ${width} px`, async () => {
        const [last, worth] = [await box('.masthead .pages a'), await box('.who > .worth')];
        return last.x + last.width <= worth.x;
      });
    }
  });

  it('has a menu that is worked by the keyboard, without a fault, on a phone with the cash in it', async () => {
    const bea = await SignedIn.up(service.publicUrl, 'Bea');
    const tab = await open('/help', bea, 390);
    const { page } = tab;
    const worth = page.getByRole('banner').locator('.who > .worth');
    await worth.getByText('Portfolio').waitFor();
    expect(await worth.innerText()).not.to.include('Cash');
    const menu = await openMenu(page);
    await menu.getByText('Cash').waitFor();
    expect(await tab.violations('all')).to.deep.equal([]);
    expect(await tab.overflow()).to.be.at.most(0);
    await page.keyboard.press('Tab');
    await menu.getByRole('link').first().and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'hidden' });
    await page.locator('.menu-button:focus').waitFor();
    await openFromMenu(page, 'Account');
    await page.getByText('this browser').first().waitFor();
    await menu.waitFor({ state: 'hidden' });
    expect(tab.complaints).to.deep.equal([]);
  });

  it('changes the colors, also of the pages that are sent later', async () => {
    const { page } = await open('/help');
    const paper = (): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await paper();
    await (await openMenu(page)).getByLabel('Dark').check();
    const dark = await paper();
    expect(dark).not.to.equal(light);
    const answer = await page.reload();
    expect(await answer?.text()).to.include('data-theme="dark"');
    expect(await paper()).to.equal(dark);
  });

  it("tells of a clock that differs from the service's, and counts by the service's", async () => {
    const { page } = await open('/help');
    expect(await page.getByText('The clock of this device').count()).to.equal(0);
    await page.addInitScript('const now = Date.now; Date.now = () => now() + 2 * 3_600_000;');
    await page.goto(`${service.publicUrl}/activity`);
    await page.getByText("The clock of this device is 2 h ahead of the service's.").waitFor();
    await page
      .getByText(/^(just now|\d+ min ago)$/)
      .first()
      .waitFor();
  });
});
