import { eventually, isLongSuiteLeftOut } from '@paper/testkit';
import { startStandalone, temporaryDataDir } from '@paper/testkit/exchange';
import type { RunningStandalone } from '@paper/testkit/exchange';
import type { CheckedClient } from '@paper/testkit/http';
import { createCuttableProxy } from '@paper/testkit/servers';
import type { CuttableProxy } from '@paper/testkit/servers';
import { installedChromium, launchChromium, openTab } from '@paper/testkit/browser';
import type { Browser, BrowserContext, Page, Tab } from '@paper/testkit/browser';
import { freePort } from '@paper/runtime';
import { expect } from 'chai';
import { prepareExchange, MARKET } from './support/prepared-exchange.ts';

describe('the live figures of the portal, in a browser', function () {
  if (isLongSuiteLeftOut()) return;
  this.timeout(120_000);
  const folder = temporaryDataDir();
  const tabs: Tab[] = [];
  let browser: Browser;
  let network: CuttableProxy;
  let service: RunningStandalone;
  let client: CheckedClient;
  let key: string;

  const start = (port: number): Promise<RunningStandalone> => {
    const publicUrl = `http://localhost:${new URL(network.url).port}`;
    return startStandalone({ dataDir: folder.dataDir, env: { PORT: String(port), PUBLIC_URL: publicUrl } });
  };

  before(async function () {
    if (installedChromium === undefined) {
      if (process.env['REQUIRE_SERVERS'] === '1') throw new Error('no Chromium is installed');
      this.skip();
    }
    // A port that no outgoing connection can take while the service is away.
    const port = await freePort();
    network = await createCuttableProxy(`http://127.0.0.1:${port}`);
    [browser, service] = await Promise.all([launchChromium(installedChromium), start(port)]);
    client = await prepareExchange(service);
    const { apiKey } = await client.ok<{ apiKey: { rawKey: string } }>('POST', '/api/operator/accounts', {
      key: service.operatorToken,
      body: { displayName: 'Cleo' },
    });
    key = apiKey.rawKey;
  });

  afterEach(async () => {
    for (const tab of tabs.splice(0)) await tab.close();
  });

  after(async () => {
    // They are undefined where the suite was skipped.
    await (browser as Browser | undefined)?.close();
    await (service as RunningStandalone | undefined)?.stop();
    await (network as CuttableProxy | undefined)?.close();
    folder.remove();
  });

  const open = async (path: string): Promise<Tab> => {
    const tab = await openTab(browser, service.publicUrl + path);
    tabs.push(tab);
    return tab;
  };
  const says = (page: Page, state: 'live' | 'reconnecting'): Promise<void> =>
    page.locator(`.live.is-${state}`).first().waitFor();
  const showsBid = (page: Page, price: number): Promise<void> =>
    page.locator('.ladder tbody.bids tr', { hasText: price.toFixed(2) }).waitFor();
  /** Places a bid that no other test has, and waits until the page shows it. */
  const expectLive = async (page: Page, price: number): Promise<void> => {
    await client.ok('POST', '/api/orders', { key, body: { marketId: MARKET.id, outcome: 'yes', price, quantity: 1 } });
    await showsBid(page, price);
  };

  it('say that the service is away, and go on by themselves when it is there again', async () => {
    const { page } = await open(`/markets/${MARKET.id}`);
    await says(page, 'live');
    const port = Number(new URL(service.baseUrl).port);
    await service.stop();
    await says(page, 'reconnecting');
    expect(await page.locator('h1').textContent()).to.equal(MARKET.title);
    service = await start(port);
    await says(page, 'live');
    await expectLive(page, 0.56);
  });

  it('say that the connection is lost, and go on by themselves when it is there again', async () => {
    const { page } = await open(`/markets/${MARKET.id}`);
    await says(page, 'live');
    network.cut();
    await says(page, 'reconnecting');
    network.mend();
    await says(page, 'live');
    await expectLive(page, 0.57);
  });

  it('come to each of seven windows over four connections, which leaves two for what pages load and call', async () => {
    const first = await open('/');
    const streams = openStreams(first.page.context());
    await first.page.goto(`${service.publicUrl}/markets/${MARKET.id}`);
    const pages = [first.page];
    while (pages.length < 7) {
      const page = await first.page.context().newPage();
      pages.push(page);
      await page.goto(`${service.publicUrl}/markets/${MARKET.id}`);
      await says(page, 'live');
    }
    for (const page of pages) expect(await page.evaluate('document.visibilityState')).to.equal('visible');
    await expectLive(first.page, 0.58);
    for (const page of pages) await showsBid(page, 0.58);
    for (const page of pages) expect(await page.locator('.live.is-reconnecting').count()).to.equal(0);
    expect(streams()).to.be.at.most(4);
    for (const page of pages.splice(2)) await page.close();
    await eventually('each window has its own', () => streams() === 2);
    await expectLive(first.page, 0.59);
    await showsBid(pages[1]!, 0.59);
    expect(streams()).to.equal(2);
  });

  it('come to no window that is hidden for more than ten seconds, until it is seen again', async () => {
    const { page } = await open('/');
    const streams = openStreams(page.context());
    await page.goto(`${service.publicUrl}/markets/${MARKET.id}`);
    await says(page, 'live');
    expect(streams()).to.equal(1);
    await show(page, 'hidden');
    await eventually('the window has no stream', () => streams() === 0);
    await show(page, 'visible');
    await expectLive(page, 0.61);
    expect(streams()).to.equal(1);
  });
});

/** Has a page believe that it is seen, or not. */
function show(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  return page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  `);
}

/** Counts the streams that a profile's tabs have open. */
function openStreams(context: BrowserContext): () => number {
  const open = new Map<unknown, Page>();
  context.on('request', (request) => {
    if (/\/stream\b/.test(new URL(request.url()).pathname)) open.set(request, request.frame().page());
  });
  context.on('requestfinished', (request) => open.delete(request));
  context.on('requestfailed', (request) => open.delete(request));
  // The requests of a tab that was closed end without an event.
  return () => [...open.values()].filter((page) => !page.isClosed()).length;
}
