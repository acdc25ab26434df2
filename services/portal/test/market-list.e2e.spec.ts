import { eventually, isLongSuiteLeftOut } from '@paper/testkit';
import { startStandalone } from '@paper/testkit/exchange';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { createCheckedClient, marketBody, operatorClient } from '@paper/testkit/http';
import type { CheckedClient } from '@paper/testkit/http';
import { installedChromium, launchChromium, openTab } from '@paper/testkit/browser';
import type { Tab } from '@paper/testkit/browser';
import { expect } from 'chai';
import { firstLoad } from './support/first-load.ts';

type Browser = Awaited<ReturnType<typeof launchChromium>>;
type Page = Tab['page'];

const MARKETS = 1_000;
const SECTORS = ['energy', 'finance', 'politics', 'sports', 'technology'] as const;
/** The API takes so many commands, and so many orders, in a batch. */
const BATCH = { commands: 250, orders: 50 } as const;

const titleOf = (index: number): string => `Will event ${String(index).padStart(4, '0')} happen?`;

describe('the list of 1,000 markets, in a browser', function () {
  if (isLongSuiteLeftOut()) return;
  this.timeout(180_000);
  const tabs: Tab[] = [];
  let browser: Browser;
  let service: RunningStandalone;
  let client: CheckedClient;
  let keys: readonly [string, string];

  before(async function () {
    if (installedChromium === undefined) {
      if (process.env['REQUIRE_SERVERS'] === '1') throw new Error('no Chromium is installed');
      this.skip();
    }
    [browser, service] = await Promise.all([launchChromium(installedChromium), startStandalone()]);
    client = await createCheckedClient(service.baseUrl);
    for (let at = 0; at < MARKETS; at += BATCH.commands) {
      const commands = Array.from({ length: BATCH.commands }, (_, offset) => {
        const index = at + offset;
        const sector = SECTORS[index % SECTORS.length];
        return { op: 'list-market', ...marketBody(`m${index}`, { title: titleOf(index), sector }) };
      });
      await client.ok('POST', '/api/operator/batch', { key: service.operatorToken, body: { commands } });
    }
    const asOperator = operatorClient(client, service.operatorToken);
    keys = [(await asOperator.open('Ann')).key, (await asOperator.open('Ben')).key];
  });

  afterEach(async () => {
    for (const tab of tabs.splice(0)) await tab.close();
  });

  after(async () => {
    // Both are undefined where the suite was skipped.
    await (browser as Browser | undefined)?.close();
    await (service as RunningStandalone | undefined)?.stop();
  });

  const open = async (path: string, width = 1280, height = 900): Promise<Page> => {
    const tab = await openTab(browser, service.baseUrl + path, { viewport: { width, height } });
    tabs.push(tab);
    if (path !== '/help') await tab.page.locator('.live.is-live').waitFor();
    return tab.page;
  };
  const rows = (page: Page) => page.locator('.virtual-row');
  const titles = (page: Page): Promise<string[]> => rows(page).locator('.market-name a').allTextContents();
  const idsOnPage = (page: Page): Promise<string[]> =>
    page.evaluate(`[...document.querySelectorAll('.market-name a')].map((link) => link.pathname.split('/').at(-1))`);
  /** One trade of a share in each of these markets, at a price in cents. */
  const trade = async (marketIds: readonly string[], cents: number): Promise<void> => {
    for (let at = 0; at < marketIds.length; at += BATCH.orders) {
      const part = marketIds.slice(at, at + BATCH.orders);
      for (const [key, outcome, price] of [
        [keys[0], 'yes', cents / 100],
        [keys[1], 'no', (100 - cents) / 100],
      ] as const) {
        const orders = part.map((marketId) => ({ marketId, outcome, price, quantity: 1 }));
        await client.ok('POST', '/api/orders/batch', { key, body: { orders } });
      }
    }
  };
  const volumeOf = (page: Page, title: string) => rows(page).filter({ hasText: title }).locator('.market-volume');

  it('has the first rows in its HTML, and changes nothing of them when its script starts', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    let before: string[] = [];
    // The trends of markets that were just listed may take longer than a page waits for its data.
    await eventually('the rows are in the HTML', async () => {
      await plain.goto(service.baseUrl);
      before = await titles(plain);
      return before.length === 24;
    });
    await context.close();
    const page = await open('/');
    const after = await titles(page);
    expect(after).to.have.length.greaterThan(10);
    expect(before.slice(0, after.length)).to.deep.equal(after);
    expect(tabs[0]?.complaints).to.deep.equal([]);
  });

  it('follows the prices, and each row stays where it is until the person sorts', async () => {
    const page = await open('/?sort=newest');
    const before = await titles(page);
    const [, second = ''] = await idsOnPage(page);
    await trade([second], 61);
    await volumeOf(page, before[1]!).filter({ hasText: /^\$1$/ }).waitFor();
    expect(await rows(page).nth(1).locator('strong').textContent()).to.equal('61%');
    expect(await titles(page)).to.deep.equal(before);

    await page.getByRole('link', { name: 'Trending' }).click();
    await rows(page).first().filter({ hasText: before[1]! }).waitFor();
    expect(new URL(page.url()).search).to.equal('');
  });

  it('renders again the row whose market has changed, and no other', async () => {
    const page = await open('/?sort=newest');
    const [, , third = '', fourth = ''] = await idsOnPage(page);
    await page.evaluate(`
      globalThis.changed = new Set();
      new MutationObserver((changes) => {
        for (const { target } of changes) {
          const row = (target.closest ? target : target.parentElement).closest('.virtual-row');
          if (row !== null) globalThis.changed.add(row.querySelector('.market-name a').pathname.split('/').at(-1));
        }
      }).observe(document.querySelector('.virtual-rows'), { subtree: true, childList: true, characterData: true, attributes: true });
    `);
    for (const id of [third, fourth]) {
      await trade([id], 64);
      await rows(page)
        .filter({ has: page.locator(`a[href="/markets/${id}"]`), hasText: '64%' })
        .waitFor();
    }
    expect(await page.evaluate('[...globalThis.changed]')).to.have.members([third, fourth]);
  });

  it('leads to a filled ticket by the Yes and the No of a row', async () => {
    const page = await open('/');
    const [first = ''] = await idsOnPage(page);
    const links = rows(page).first().locator('.price');
    expect(
      await links.evaluateAll((all) => all.map((link) => (link as unknown as { href: string }).href)),
    ).to.deep.equal([
      `${service.baseUrl}/markets/${first}?outcome=yes`,
      `${service.baseUrl}/markets/${first}?outcome=no`,
    ]);
    await links.nth(1).click();
    await page.locator('.ticket').waitFor();
    expect(new URL(page.url()).search).to.equal('?outcome=no');
    // Who signs in there comes back to it.
    const signIn = page.getByRole('banner').getByRole('link', { name: 'Sign in' });
    expect(await signIn.getAttribute('href')).to.equal(`/sign-in?next=%2Fmarkets%2F${first}%3Foutcome%3Dno`);
  });

  it('says at the first visit what this is, and never again', async () => {
    const page = await open('/');
    const welcome = page.getByRole('region', { name: 'What this is' });
    expect(await welcome.innerText()).to.include('$10,000 of simulated money');
    expect(await welcome.getByRole('link', { name: 'Sign up' }).getAttribute('href')).to.equal('/sign-up');
    await page.reload();
    await page.locator('.live.is-live').waitFor();
    expect(await welcome.count()).to.equal(0);
    await page.getByRole('banner').getByRole('link', { name: 'Sign up' }).waitFor();
  });

  it('is searched from every page by one key, and another shows the keys', async () => {
    const page = await open('/help');
    // The script of the page runs.
    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).waitFor();
    await page.keyboard.press('/');
    await page.locator('.search input:focus').waitFor();
    // No title has words like it, so that nothing is found where typos are understood either.
    await page.keyboard.type('zzzz?');
    await page.getByText('No market matches.').waitFor();
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('has four markets on the first screen of a phone, at the first visit too, and nothing overlaps at 320 px', async () => {
    const isWhole = '({ bottom }) => bottom <= innerHeight';
    const boxes = `[...document.querySelectorAll('.virtual-row')].map((row) => row.getBoundingClientRect())`;
    const page = await open('/', 390, 844);
    expect(await page.evaluate(`${boxes}.filter(${isWhole}).length`)).to.be.at.least(4);
    const narrow = await open('/', 320, 640);
    const overlapping = await narrow.evaluate(`
      [...document.querySelectorAll('.virtual-row')].flatMap((row) => {
        const boxes = [...row.querySelectorAll('.market-name a, .market-chance strong, .price, .figure')].map((part) => {
          const range = document.createRange();
          range.selectNodeContents(part);
          return range.getBoundingClientRect();
        });
        return boxes.filter((a, i) => boxes.some((b, j) =>
          i < j && a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1));
      }).length
    `);
    expect(overlapping).to.equal(0);
    expect(await tabs.at(-1)!.overflow()).to.be.at.most(0);
  });

  it('is searched and filtered, and its address says so', async () => {
    const page = await open('/');
    await page.getByLabel('Search').fill('event 012');
    await page.getByText('10 markets', { exact: true }).waitFor();
    await page.getByRole('navigation', { name: 'Sectors' }).getByRole('link', { name: 'Finance' }).click();
    await page.getByText('2 markets', { exact: true }).waitFor();
    expect((await titles(page)).sort()).to.deep.equal([titleOf(121), titleOf(126)]);
    expect(new URL(page.url()).search).to.equal('?q=event+012&sector=finance');
    await page.getByLabel('Search').fill('nothing like this');
    await page.getByText('No market matches.').waitFor();
    const again = await open('/?q=event+012&sector=finance');
    expect(await rows(again).count()).to.equal(2);
  });

  it('is read page after page while it is scrolled, with few rows as elements, and is live wherever it is', async () => {
    const page = await open('/?sort=closing');
    await scrollToEnd(page);
    expect(await page.locator('[role=table]').getAttribute('aria-rowcount')).to.equal(String(MARKETS + 1));
    expect(await rows(page).count()).to.be.below(60);
    const last = (await titles(page)).at(-1)!;
    await trade([(await idsOnPage(page)).at(-1)!], 62);
    await volumeOf(page, last).filter({ hasText: /^\$1$/ }).waitFor();
  });

  it('is as it was when the person comes back to it from a market', async () => {
    const page = await open('/?sort=closing');
    await scrollToEnd(page);
    await page.evaluate('scrollTo(0, 20_000)');
    const link = page.locator('.virtual-row[aria-rowindex="300"] .market-name a');
    const title = await link.textContent();
    await link.click();
    await page.getByRole('heading', { level: 1, name: title! }).waitFor();
    await page.goBack();
    await rows(page).filter({ hasText: title! }).waitFor();
    await eventually('the place is the same', async () => (await page.evaluate<number>('scrollY')) === 20_000);
  });

  it('loads at most 60 KB until it is idle, with 100 markets and their last day', async () => {
    const tab = await openTab(browser, `${service.baseUrl}/help`);
    tabs.push(tab);
    const { bytes, files } = await firstLoad(tab, service.baseUrl, () => tab.page.locator('.live.is-live').waitFor());
    expect(bytes, files.join(', ')).to.be.within(20_000, 60 * 1024);
  });

  it('has no finding of axe, and is not wider than its window, on a phone and a desktop', async () => {
    for (const width of [360, 1280]) {
      await open('/', width);
      const tab = tabs.at(-1)!;
      expect(await tab.violations('all'), String(width)).to.deep.equal([]);
      expect(await tab.overflow(), String(width)).to.be.at.most(0);
      expect(tab.complaints).to.deep.equal([]);
      expect(tab.foreign).to.deep.equal([]);
    }
  });
});

/** Scrolls until all pages were read. */
async function scrollToEnd(page: Page): Promise<void> {
  await eventually('all pages are read', async () => {
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    return (await page.getByText('The first').count()) === 0;
  });
}
