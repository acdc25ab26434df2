import { IS_LONG_RUN } from '@paper/testkit';
import { startStandalone } from '@paper/testkit/exchange';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { installedChromium, launchChromium, openTab } from '@paper/testkit/browser';
import type { Browser, Tab } from '@paper/testkit/browser';
import { expect } from 'chai';
import { PAGE_NAMES, PAGES } from '../src/pages/paths.ts';
import type { PageName } from '../src/pages/paths.ts';
import { firstLoad } from './support/first-load.ts';
import { prepareExchange, MARKET } from './support/prepared-exchange.ts';
import { SignedIn } from './support/signed-in.ts';

const WIDTHS = [360, 768, 1280];
const SCHEMES = ['light', 'dark'] as const;

/** Pages that are for visitors; a person who has signed in sees the others, and the market's. */
const FOR_VISITORS: ReadonlySet<string> = new Set([
  'markets',
  'market',
  'leaderboard',
  'activity',
  'proof',
  'sign-up',
  'sign-in',
  'recover',
  'confirm',
]);

describe('every page of the portal, in a browser', function () {
  this.timeout(120_000);
  const tabs: Tab[] = [];
  let service: RunningStandalone;
  let browser: Browser;
  let visitor: Tab;
  let person: Tab;
  let subAccountId: string;
  /** An order of the person. */
  let placed: { readonly id: string; readonly userId: string };

  before(async function () {
    if (installedChromium === undefined) {
      if (process.env['REQUIRE_SERVERS'] === '1') throw new Error('no Chromium is installed');
      this.skip();
    }
    [browser, service] = await Promise.all([launchChromium(installedChromium), startStandalone()]);
    const { publicUrl } = service;
    await prepareExchange(service);
    const ada = await SignedIn.up(publicUrl, 'Ada');
    await ada.call('POST', '/portal/operator/session', { token: service.operatorToken });
    const { subAccount } = await ada.call<{ subAccount: { id: string } }>('POST', '/portal/sub-accounts', {
      displayName: 'Second',
    });
    subAccountId = subAccount.id;
    for (const [outcome, price] of [
      ['yes', 0.7],
      ['yes', 0.3],
    ] as const) {
      const order = { marketId: MARKET.id, outcome, price, quantity: 3 };
      placed = await ada.call<typeof placed>('POST', '/portal/as/me/orders', order);
    }
    visitor = await openTab(browser, publicUrl);
    person = await openTab(browser, publicUrl, ada.profile);
    tabs.push(visitor, person);
  });

  after(async () => {
    for (const tab of tabs) await tab.close();
    // Both are undefined where the suite was skipped.
    await (browser as Browser | undefined)?.close();
    await (service as RunningStandalone | undefined)?.stop();
  });

  const addressOf = (name: PageName): string => {
    const id = name === 'trader' ? placed.userId : name === 'order-proof' ? placed.id : MARKET.id;
    return service.publicUrl + PAGES[name].path.replace(':id', id).replace(':accountId', subAccountId);
  };

  const check = async (tab: Tab, name: PageName): Promise<void> => {
    await tab.page.goto(addressOf(name));
    await tab.settled();
    expect(await tab.page.locator('h1').count(), 'headings of the first level').to.equal(1);
    for (const colorScheme of SCHEMES) {
      await tab.page.emulateMedia({ colorScheme });
      for (const width of WIDTHS) {
        // The rules look at colours and at the size of targets: these two differ most.
        const isExtreme = (colorScheme === 'light' && width === 1280) || (colorScheme === 'dark' && width === 360);
        // Colours move nothing, so one scheme shows what fits.
        if (!IS_LONG_RUN && colorScheme === 'dark' && !isExtreme) continue;
        await tab.page.setViewportSize({ width, height: 900 });
        const at = `${name}, ${colorScheme}, ${width} px`;
        expect(await tab.overflow(), at).to.be.at.most(0);
        if (IS_LONG_RUN || isExtreme) expect(await tab.violations('all'), at).to.deep.equal([]);
      }
    }
    expect(tab.foreign, 'requests elsewhere').to.deep.equal([]);
    expect(tab.complaints, 'errors in the console').to.deep.equal([]);
  };

  // A backtest's page needs one: backtests.e2e.spec.ts has it.
  for (const name of PAGE_NAMES.filter((one) => one !== 'backtest')) {
    it(`${PAGES[name].path} is accessible and fits, at 360, 768 and 1280 px, light and dark`, async () => {
      if (FOR_VISITORS.has(name)) await check(visitor, name);
      if (!FOR_VISITORS.has(name) || PAGES[name].path === '/markets/:id') await check(person, name);
    });
  }

  it('a market loads at most 60 KB until it is idle: everything that is transferred, but the events of streams', async () => {
    const tab = await openTab(browser, `${service.publicUrl}/proof`);
    tabs.push(tab);
    const { bytes, files } = await firstLoad(tab, addressOf('market'), async () => {
      await tab.page.locator('.live.is-live').waitFor();
      await tab.page.locator('.chart canvas').waitFor();
      await tab.page.locator('.timeline li').waitFor();
    });
    // The chart and the code of streams are there, so nothing is left to come.
    expect(
      files.filter((line) => line.startsWith('/assets/')),
      files.join(', '),
    ).to.have.length.at.least(6);
    expect(bytes, files.join(', ')).to.be.within(30_000, 60 * 1024);
  });
});
