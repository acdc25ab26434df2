import { expect } from 'chai';
import type { Page, Tab } from '@paper/testkit/browser';
import { chromiumForTests, startPortalInBrowser } from './support/portal-in-browser.ts';
import type { PortalInBrowser } from './support/portal-in-browser.ts';

describe('the chart, the ladder and the trades of a market, in a browser', function () {
  this.timeout(120_000);
  let portal: PortalInBrowser;
  let tab: Tab;
  let page: Page;

  before(async function () {
    const chromium = chromiumForTests();
    if (chromium === undefined) this.skip();
    portal = await startPortalInBrowser(chromium);
    const { client, operator } = portal;
    await operator.list('deep', { title: 'Will it be deep?' });
    const { key } = await operator.open('Maker', { startingBalance: 100_000 });
    const levels = Array.from({ length: 12 }, (_, n) => n);
    const quotes = (outcome: 'yes' | 'no', best: number) =>
      levels.map((n) => ({ marketId: 'deep', outcome, price: (best - n) / 100, quantity: 20 + n }));
    for (const orders of [quotes('yes', 45), quotes('no', 50)]) {
      await client.ok('POST', '/api/orders/batch', { key, body: { orders } });
    }
    await client.ok('POST', '/api/operator/signals', {
      key: portal.service.operatorToken,
      body: {
        externalId: 'news',
        source: 'the wire',
        marketId: 'deep',
        headline: 'It deepens',
        citationUrl: 'https://example.com/news',
        publishedAt: new Date().toISOString(),
      },
    });
    tab = await portal.open('/');
    ({ page } = tab);
    await portal.signUp(tab, 'diver');
    await page.request.post(`${portal.origin}/portal/as/me/orders`, {
      headers: { origin: portal.origin },
      data: { marketId: 'deep', outcome: 'yes', side: 'buy', orderType: 'market', quantity: 7 },
    });
    await page.goto(`${portal.origin}/markets/deep`);
    await page.locator('.chart canvas').waitFor();
  });
  after(async () => {
    // Undefined where the suite was skipped.
    await (portal as PortalInBrowser | undefined)?.stop();
  });

  it('the ladder has ten levels of each side and no empty row; a buy has a plus, a sale a minus', async () => {
    await page.locator('.ladder .bid').nth(9).waitFor();
    const { asks, bids, rows } = await page.evaluate<{ asks: number; bids: number; rows: number }>(`({
      asks: document.querySelectorAll('.ladder .ask').length,
      bids: document.querySelectorAll('.ladder .bid').length,
      rows: document.querySelectorAll('.ladder tbody:not(.spread) tr').length,
    })`);
    expect([asks, bids, rows]).to.deep.equal([10, 10, 20]);
    const signs = await page.evaluate<string[]>(
      `['.ask', '.bid'].map((side) => getComputedStyle(document.querySelector('.ladder ' + side + ' .shares'), '::before').content)`,
    );
    expect(signs).to.deep.equal(['"−"', '"+"']);
  });

  it('trades stand in the terms of the outcome that the ladder shows', async () => {
    const trade = page.locator('.trades tbody tr');
    await trade.filter({ hasText: /^Bought70\.50/ }).waitFor();
    const book = page.getByRole('region', { name: 'Order book' });
    await book.getByRole('radio', { name: 'No' }).check();
    await trade.filter({ hasText: /^Sold70\.50/ }).waitFor();
    await book.getByRole('radio', { name: 'Yes' }).check();
    await trade.filter({ hasText: 'Bought' }).waitFor();
  });

  it('the chart has the chance with news and own trades, and a tag with the value at the pointer', async () => {
    const panel = page.locator('.price-panel');
    await panel.getByText('Bars: shares traded · ◆ news · your trades: ▲ for Yes, ▼ for No').waitFor();
    const plot = await panel.locator('.chart-frame canvas').boundingBox();
    expect(plot).not.to.equal(null);
    const { height, width, x, y } = plot!;
    await page.mouse.move(x + width - 22, y + height / 2);
    const tag = panel.locator('.chart-tag');
    await tag.waitFor();
    expect(await tag.textContent()).to.equal(await page.locator('.chance dd').textContent());
    await page.mouse.move(0, 0);
    await tag.waitFor({ state: 'hidden' });
  });

  it('a range is chosen apart from line or candles, and reads what it shows', async () => {
    const [request] = await Promise.all([
      page.waitForRequest((each) => each.url().includes('/candles?period=1&')),
      page.reload(),
    ]);
    await page.getByRole('radio', { name: '1H' }).check();
    // The axis begins with the market.
    const from = new URL(request.url()).searchParams.get('from') ?? '';
    const { createdAt } = await portal.client.ok<{ createdAt: string }>('GET', '/api/markets/deep');
    expect(Date.parse(createdAt) - Date.parse(from)).to.be.within(0, 60_000);
    await page.getByRole('radio', { name: 'Candles' }).check();
    await page.getByRole('heading', { name: 'Price of yes' }).waitFor();
    await page.getByText('The chart as a table').click();
    await page.locator('.chart-table tbody tr').filter({ hasText: '0.50' }).first().waitFor();
    expect(await page.getByRole('radio', { name: '1H' }).isChecked()).to.equal(true);
  });

  for (const [width, colorScheme] of [
    [390, 'dark'],
    [1440, 'light'],
  ] as const) {
    it(`has no fault of accessibility and fits at ${width} px, ${colorScheme}`, async () => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      expect(await tab.violations('all')).to.deep.equal([]);
      expect(await tab.overflow()).to.equal(0);
      expect(tab.complaints).to.deep.equal([]);
    });
  }
});
