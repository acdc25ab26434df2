import type { BacktestBody, StartedBacktestBody } from '@paper/contracts/backtests';
import { eventually } from '@paper/testkit';
import type { Tab } from '@paper/testkit/browser';
import { expect } from 'chai';
import { chromiumForTests, startPortalInBrowser } from './support/portal-in-browser.ts';
import type { PortalInBrowser } from './support/portal-in-browser.ts';

describe('backtests, in a browser', function () {
  this.timeout(120_000);
  let portal: PortalInBrowser;
  let tab: Tab;
  let backtest: StartedBacktestBody;

  before(async function () {
    const chromium = chromiumForTests();
    if (chromium === undefined) this.skip();
    portal = await startPortalInBrowser(chromium, { BACKTESTS_MAX: '2' });
    tab = await portal.open('/');
    await portal.signUp(tab, 'quant');
  });
  after(async () => {
    // Undefined where the suite was skipped.
    await (portal as PortalInBrowser | undefined)?.stop();
  });

  const fits = async (): Promise<void> => {
    for (const [width, colorScheme] of [
      [390, 'dark'],
      [1440, 'light'],
    ] as const) {
      await tab.page.emulateMedia({ colorScheme });
      await tab.page.setViewportSize({ width, height: 900 });
      expect(await tab.violations('all'), `${width}`).to.deep.equal([]);
      expect(await tab.overflow(), `${width}`).to.equal(0);
    }
  };
  /** Calls the exchange of the backtest as its participant. */
  const call = async (path: string, body?: object): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${backtest.baseUrl.replace(portal.origin, portal.service.baseUrl)}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': backtest.participants[0]?.apiKey ?? '' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  };

  it('say how to begin where there is none', async () => {
    await tab.page.goto(`${portal.origin}/backtests`);
    await tab.page.getByText('There is none. A bot starts one').waitFor();
    await fits();
  });

  it('show a running one, then its report: figures, equity, fills, and what it cannot know', async () => {
    const { page } = tab;
    const made = await page.request.post(`${portal.origin}/portal/automation-key`, {
      headers: { origin: portal.origin },
      data: { name: 'my bot' },
    });
    const { apiKey } = (await made.json()) as { apiKey: { rawKey: string } };
    const { rawKey } = apiKey;
    await eventually('the tapes have been read', async () => {
      return (await portal.client.request('GET', '/api/tapes', { key: rawKey })).status === 200;
    });
    backtest = await portal.client.ok<StartedBacktestBody>('POST', '/api/backtests', {
      key: rawKey,
      body: { tape: 'made-news' },
    });
    await page.reload();
    const row = page.locator('tbody tr');
    await row.filter({ hasText: /made-news.*Running/ }).waitFor();
    await row.getByRole('link', { name: 'made-news' }).click();
    await page.getByRole('heading', { name: 'Backtest of made-news' }).waitFor();
    await page.getByText('The report is here once it has ended.').waitFor();
    await page.getByRole('progressbar', { name: 'Events played' }).waitFor();

    const [market] = (await call('/api/markets')) as unknown as { id: string }[];
    const order = { marketId: market?.id, orderType: 'market', outcome: 'yes', quantity: 5, timeInForce: 'IOC' };
    // A book may be empty in the first moments.
    await eventually('an order is filled', async () => {
      await call('/api/clock/advance', { wake: ['book'] });
      const { status } = await call('/api/orders', order);
      return status === 'filled';
    });
    await call('/api/clock/advance', {});
    await eventually('the backtest has ended', async () => {
      const { state } = await portal.client.ok<BacktestBody>('GET', `/api/backtests/${backtest.id}`, { key: rawKey });
      return state === 'ended';
    });

    await page.getByText('Ended', { exact: false }).first().waitFor();
    await page.locator('.tiles').filter({ hasText: 'P&L' }).waitFor();
    await page.getByRole('heading', { name: 'Equity' }).waitFor();
    await page.locator('.chart canvas').nth(1).waitFor();
    await page
      .locator('tbody tr')
      .filter({ hasText: /Bought \d+ Yes at 0\.\d+/ })
      .first()
      .waitFor();
    await page.getByText('Parts of this recording are made up').waitFor();
    await page.getByRole('heading', { name: 'What a backtest cannot know' }).waitFor();
    await fits();
    expect(tab.complaints).to.deep.equal([]);
  });

  it("say that a stranger's address has none", async () => {
    const stranger = await portal.open('/');
    await portal.signUp(stranger, 'stranger');
    await stranger.page.goto(`${portal.origin}/backtests/${backtest.id}`);
    await stranger.page.getByText('Your fleet has no backtest at this address.', { exact: false }).waitFor();
  });
});
