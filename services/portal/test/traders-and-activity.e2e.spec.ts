import { eventually } from '@paper/testkit';
import { expect } from 'chai';
import type { Tab } from '@paper/testkit/browser';
import { chromiumForTests, startPortalInBrowser } from './support/portal-in-browser.ts';
import type { PortalInBrowser } from './support/portal-in-browser.ts';

describe('leaderboard, traders and activity, in a browser', function () {
  this.timeout(120_000);
  let portal: PortalInBrowser;
  let tab: Tab;
  let accountId: string;
  let rivalId: string;

  before(async function () {
    const chromium = chromiumForTests();
    if (chromium === undefined) this.skip();
    portal = await startPortalInBrowser(chromium);
    tab = await portal.open('/');
    accountId = await portal.signUp(tab, 'trader', 'Same Name');
    const rival = await portal.operator.open('Same Name');
    rivalId = rival.id;
    for (const id of ['first', 'second']) await portal.operator.list(id, { title: `Will ${id} happen?` });
    const order = (price: number, outcome: 'yes' | 'no') => ({ marketId: 'first', outcome, price, quantity: 10 });
    // The rival gains: the market's mark ends above its price.
    await portal.client.ok('POST', '/api/orders', { key: rival.key, body: order(0.4, 'yes') });
    await tab.page.request.post(`${portal.origin}/portal/as/me/orders`, {
      headers: { origin: portal.origin },
      data: order(0.6, 'no'),
    });
    for (const quote of [order(0.5, 'yes'), order(0.4, 'no')]) {
      await portal.client.ok('POST', '/api/orders', { key: rival.key, body: quote });
    }
    await portal.client.ok('POST', '/api/operator/markets/second/void', {
      key: portal.service.operatorToken,
      body: { reason: 'The question had two meanings', price: 0.5 },
    });
    await eventually('the second market is void', async () => {
      const { body } = await portal.client.request('GET', '/api/markets/second');
      return (body as { phase?: unknown }).phase === 'void';
    });
  });
  after(async () => {
    // Undefined where the suite was skipped.
    await (portal as PortalInBrowser | undefined)?.stop();
  });

  const fits = async (shown: Tab): Promise<void> => {
    const { page } = shown;
    for (const [width, colorScheme] of [
      [390, 'dark'],
      [1440, 'light'],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      expect(await shown.violations('all'), `${width}`).to.deep.equal([]);
      expect(await shown.overflow(), `${width}`).to.equal(0);
    }
    expect(shown.complaints).to.deep.equal([]);
  };

  it('tells two traders of one name apart, pins the own row, and leads to what a trader did', async () => {
    const { page } = tab;
    await page.goto(`${portal.origin}/leaderboard`);
    const rows = page.locator('tbody tr');
    const own = `Same Name ${accountId.slice(-4)}you`;
    const rivals = `Same Name ${rivalId.slice(-4)}`;
    await eventually('both are ranked, and the own row is pinned above the first', async () => {
      const names = await rows.locator('td:nth-child(2)').allTextContents();
      return names.join() === [own, rivals, own].join();
    });
    await fits(tab);
    await rows.first().getByRole('link', { name: 'Same Name' }).click();
    await page.waitForURL(`**/traders/${accountId}`);
    await page.getByRole('heading', { name: `Same Name ${accountId.slice(-4)}` }).waitFor();
    await page.locator('.tiles').filter({ hasText: 'Volume$6.00' }).waitFor();
    await page.locator('.chart canvas').waitFor();
    await page.getByText('The chart as a table').click();
    await page.locator('.chart-table td', { hasText: '$10,000.00' }).first().waitFor();
    await page.getByRole('link', { name: 'Your portfolio' }).waitFor();
    await fits(tab);
  });

  it('is 404 for a trader that there is not', async () => {
    const visitor = await portal.open('/traders/nobody');
    expect((await visitor.page.request.get(`${portal.origin}/traders/nobody`)).status()).to.equal(404);
    await visitor.page.getByRole('heading', { name: 'No such trader' }).waitFor();
    await visitor.page.waitForFunction("document.title.startsWith('No such trader')");
  });

  it('says who bought and who sold, and is filtered by kind and market, which the address has', async () => {
    const visitor = await portal.open('/activity');
    const { page } = visitor;
    const entries = page.locator('.feed > li');
    await entries.filter({ hasText: 'Bought 10 No at 0.60 for $6.00' }).waitFor();
    await page.getByRole('radio', { name: 'Settled' }).check({ force: true });
    await entries.filter({ hasText: 'Will second happen?' }).waitFor();
    expect(await entries.count()).to.equal(1);
    expect(new URL(page.url()).search).to.equal('?kind=resolution');
    await page.getByRole('combobox', { name: 'Market' }).selectOption({ label: 'Will first happen?' });
    await page.getByText('There is none in this market.').waitFor();
    await page.getByRole('radio', { name: 'All' }).check({ force: true });
    await entries.filter({ hasText: 'Bought 10 No' }).waitFor();
    expect(new URL(page.url()).search).to.equal('?market=first');
    await page.reload();
    await entries.filter({ hasText: 'Bought 10 No' }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Market' }).inputValue()).to.equal('first');
    await fits(visitor);
  });
});
