import { createCuttableProxy, eventually, isLongSuiteLeftOut, startStandalone, temporaryDataDir } from '@paper/testkit';
import type { CheckedClient, CuttableProxy, RunningStandalone } from '@paper/testkit';
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
  /** Places a bid that no other test has, and waits until the page shows it. */
  const expectLive = async (page: Page, price: number): Promise<void> => {
    await client.ok('POST', '/api/orders', { key, body: { marketId: MARKET.id, outcome: 'yes', price, quantity: 1 } });
    await page.locator('.ladder tbody.bids tr', { hasText: price.toFixed(2) }).waitFor();
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

  it('come over one connection for all tabs, which another tab takes over when the first is closed', async () => {
    const first = await open('/');
    const streams = openStreams(first.page.context());
    await first.page.reload();
    await says(first.page, 'live');
    const second = await first.page.context().newPage();
    await second.goto(service.publicUrl);
    await says(second, 'live');
    expect(streams()).to.equal(1);
    // A book and prices in one tab, prices in the other.
    await second.goto(`${service.publicUrl}/markets/${MARKET.id}`);
    await says(second, 'live');
    await expectLive(second, 0.58);
    expect(streams()).to.equal(1);
    await first.page.close();
    await eventually('the other tab has a connection of its own', () => streams() === 1);
    await expectLive(second, 0.59);
    expect(streams()).to.equal(1);
  });
});

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
