import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { VERSION } from '@paper/contracts';
import { freePort } from '@paper/supervisor';
import { expect } from 'chai';
import { createCheckedClient, startStandalone, temporaryDataDir } from '@paper/testkit';
import type { CheckedClient, RunningStandalone } from '@paper/testkit';
import type { Browser } from 'playwright-core';
import { installedChromium, launchChromium, openTab } from '@paper/testkit/browser';
import type { Tab } from '@paper/testkit/browser';

const run = promisify(execFile);
/** A title with markup in it, which must be shown as text. */
const MARKET = { id: 'page', title: 'Will <b>it</b> rise & stay?' };

describe('the page for people who try it, in a browser', function () {
  this.timeout(120_000);
  const folder = temporaryDataDir();
  const tabs: Tab[] = [];
  let service: RunningStandalone;
  let client: CheckedClient;
  let browser: Browser;
  let traders: [string, string];

  before(async function () {
    if (installedChromium === undefined) {
      if (process.env['REQUIRE_SERVERS'] === '1') throw new Error('no Chromium is installed');
      this.skip();
    }
    browser = await launchChromium(installedChromium);
    // A port that no outgoing connection can take while the service is away.
    service = await startStandalone({ dataDir: folder.dataDir, env: { PORT: String(await freePort()) } });
    client = await createCheckedClient(service.baseUrl);
    await client.ok('POST', '/api/operator/markets', {
      key: service.operatorToken,
      body: {
        ...MARKET,
        ticker: 'RISE',
        companySlug: 'page-co',
        sector: 'technology',
        category: 'test',
        settlementSource: 'tests',
        prior: 0.5,
        closesAt: '2099-01-01T00:00:00.000Z',
        tickSize: 0.01,
      },
    });
    traders = [await openAccount('Ann'), await openAccount('Ben')];
  });

  afterEach(async () => {
    for (const tab of tabs.splice(0)) await tab.close();
  });

  after(async () => {
    // Both are undefined where the suite was skipped.
    await (browser as Browser | undefined)?.close();
    await (service as RunningStandalone | undefined)?.stop();
    folder.remove();
  });

  const openAccount = async (displayName: string): Promise<string> => {
    const { apiKey } = await client.ok<{ apiKey: { rawKey: string } }>('POST', '/api/operator/accounts', {
      key: service.operatorToken,
      body: { displayName },
    });
    return apiKey.rawKey;
  };

  const buy = (key: string, outcome: 'yes' | 'no', price: number, quantity: number): Promise<unknown> =>
    client.ok('POST', '/api/orders', { key, body: { marketId: MARKET.id, outcome, price, quantity } });

  const open = async (path: string, options?: Parameters<typeof openTab>[2]): Promise<Tab> => {
    const tab = await openTab(browser, `${service.baseUrl}${path}`, options);
    tabs.push(tab);
    return tab;
  };

  const openHome = async (options?: Parameters<typeof openTab>[2]): Promise<Tab> => {
    const tab = await open('/', options);
    await tab.page.locator('#pulse[data-state=live] tbody tr').first().waitFor();
    await tab.page.locator('td a', { hasText: MARKET.title }).waitFor();
    return tab;
  };

  const expectClean = (tab: Tab): void => {
    expect(tab.foreign).to.deep.equal([]);
    expect(tab.complaints).to.deep.equal([]);
  };

  it('shows what runs, moves with a trade, and its commands work as they stand', async () => {
    const tab = await openHome();
    const { page } = tab;
    const text = (selector: string): Promise<string | null> => page.locator(selector).textContent();
    // Health is read beside the stream, so its answer may come later.
    await page.locator('#health', { hasText: /^ok$/ }).waitFor();
    expect(await text('#version')).to.equal(VERSION);
    expect(await text('#markets')).to.equal('1 active');
    const seqBefore = Number(await text('#seq'));
    expect(seqBefore).to.be.greaterThan(0);
    const row = page.locator('tbody tr');
    expect(await row.locator('td').allTextContents()).to.deep.equal([
      `${MARKET.title}RISE · technology`,
      ' 50%',
      '–',
      '–',
      '–',
      '0',
    ]);

    await buy(traders[0], 'yes', 0.6, 10);
    await buy(traders[1], 'no', 0.45, 4);
    await buy(traders[1], 'no', 0.34, 30);
    await row.locator('td[data-name=Volume]', { hasText: /^4$/ }).waitFor();
    await row.locator('td[data-name=Ask]', { hasText: '0.66' }).waitFor();
    expect((await row.locator('td').allTextContents()).slice(1)).to.deep.equal([
      '▲ 13 63%',
      '0.60',
      '0.66',
      '0.60',
      '4',
    ]);
    expect(Number(await text('#seq'))).to.be.greaterThan(seqBefore);

    const markets = await run('sh', ['-c', (await text('#curl-markets')) ?? '']);
    expect(JSON.parse(markets.stdout)).to.have.length(1);
    const order = ((await text('#curl-order')) ?? '').replace('svc_live_…', traders[0]);
    expect(JSON.parse((await run('sh', ['-c', order])).stdout)).to.include({ status: 'filled', filledQty: 10 });
    await row.locator('td[data-name=Volume]', { hasText: /^14$/ }).waitFor();

    expect(await page.content()).to.not.match(/svc_live_\w/);
    expectClean(tab);
  });

  it('fetches what it shows, once, and no list of all markets', async () => {
    const tab = await openTab(browser, 'about:blank');
    tabs.push(tab);
    const asked: string[] = [];
    tab.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await tab.page.goto(service.baseUrl);
    await tab.page.locator('td a', { hasText: MARKET.title }).waitFor();
    // Waits for two more pulses.
    const pulsed = tab.page.locator('#pulsed');
    for (let n = 0; n < 2; n += 1) {
      const before = (await pulsed.filter({ hasText: /^at / }).textContent()) ?? '';
      await pulsed.filter({ hasNotText: before }).waitFor();
    }
    expect(asked).not.to.include('/api/markets');
    expect(asked.filter((path) => path === `/api/markets/${MARKET.id}`)).to.have.length(1);
  });

  it('leads to a page of the market that people can read, with its book, trades and cited news', async () => {
    await client.ok('POST', '/api/operator/signals', {
      key: service.operatorToken,
      body: {
        externalId: 'news',
        source: 'the <i>wire</i>',
        marketId: MARKET.id,
        headline: 'It <script>rises</script> & stays',
        citationUrl: 'https://example.com/news?a="b"',
        publishedAt: '2026-11-20T00:00:00.000Z',
      },
    });
    const home = await openHome();
    await home.page.getByRole('link', { name: MARKET.title }).click();
    const { page } = home;
    await page.locator('#details:not([hidden])').waitFor();
    expect(await page.title()).to.equal(`${MARKET.title} – Paper Trading Service`);
    expect(await page.locator('h1').textContent()).to.equal(MARKET.title);
    expect(await page.locator('#bids tbody tr').first().locator('td').allTextContents()).to.deep.equal([
      '0.60',
      '6',
      '1',
    ]);
    expect(await page.locator('#trades li').count()).to.equal(2);
    const news = page.locator('#timeline a');
    expect(await news.textContent()).to.equal('It <script>rises</script> & stays');
    expect(await news.getAttribute('rel')).to.equal('noopener noreferrer');
    expect(await news.getAttribute('href')).to.match(/^https:\/\/example\.com\/news/);
    expect(await page.locator('script:not([src])').count()).to.equal(0);
    expectClean(home);

    const path = `/market?id=${MARKET.id}`;
    const desk = await open(path);
    const night = await open(path, { colorScheme: 'dark' });
    const tablet = await open(path, { viewport: { width: 768, height: 900 } });
    const phone = await open(path, { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 });
    for (const [name, tab] of Object.entries({ desk, night, tablet, phone })) {
      await tab.page.locator('#details:not([hidden])').waitFor();
      expect(await tab.violations(), name).to.deep.equal([]);
      expect(await tab.overflow(), name).to.be.at.most(0);
      await tab.picture(`market-${name}`);
      expectClean(tab);
    }
    const none = await open('/market?id=nothing');
    await none.page.locator('#state', { hasText: 'There is no market of this name.' }).waitFor();
  });

  it('says of a signal of the demo that it is invented, and shows no signal of others', async () => {
    const record = (externalId: string, source: string): Promise<unknown> =>
      client.ok('POST', '/api/operator/signals', {
        key: service.operatorToken,
        body: {
          externalId,
          source,
          headline: `Invented: <b>${externalId}</b>`,
          citationUrl: `${service.baseUrl}/demo-signal`,
          publishedAt: '2026-01-01T00:00:00Z',
          marketId: MARKET.id,
          fairProb: 0.47,
          confidence: 0.8,
        },
      });
    await record('one@1', 'Demo (invented)');
    await record('other', 'A newspaper');
    const path = `/demo-signal?market=${MARKET.id}&signal=one%401`;
    const desk = await open(path);
    const phone = await open(path, { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 });
    for (const [name, tab] of Object.entries({ desk, phone })) {
      await tab.page.getByRole('heading', { name: 'Invented: <b>one@1</b>' }).waitFor();
      expect(await tab.page.locator('#figures dd').allTextContents()).to.deep.equal(['47%', '80%', '63%', '63%']);
      expect(await tab.violations(), name).to.deep.equal([]);
      expect(await tab.overflow(), name).to.be.at.most(0);
      await tab.picture(`demo-signal-${name}`);
      expectClean(tab);
    }
    for (const query of ['', `?market=${MARKET.id}&signal=other`, `?market=${MARKET.id}&signal=two`]) {
      const { page } = await open(`/demo-signal${query}`);
      await page.locator('#state', { hasText: 'There is no such signal of the demo here.' }).waitFor();
    }
  });

  it("has the journal's format for people to read", async () => {
    const phone = await open('/docs/format', { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 });
    const night = await open('/docs/format', { colorScheme: 'dark' });
    for (const [name, tab] of Object.entries({ phone, night })) {
      expect(await tab.violations(), name).to.deep.equal([]);
      expect(await tab.overflow(), name).to.be.at.most(0);
      await tab.picture(`format-${name}`);
      expectClean(tab);
    }
    const plain = await fetch(`${service.baseUrl}/docs/format`);
    expect(plain.headers.get('content-type')).to.equal('text/markdown; charset=utf-8');
  });

  it('is accessible on a desktop and on a phone, in light and dark mode', async () => {
    const desk = await openHome();
    const night = await openHome({ colorScheme: 'dark' });
    const phone = await openHome({ viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 });
    for (const [name, tab] of Object.entries({ desk, night, phone })) {
      expect(await tab.violations(), name).to.deep.equal([]);
      expect(await tab.overflow(), name).to.be.at.most(0);
      await tab.picture(`page-${name}`);
      expectClean(tab);
    }
    // On a phone rows are displayed as blocks, and still announced as rows.
    expect(await phone.page.getByRole('row').count()).to.equal(2);
    expect(await phone.page.getByRole('cell').count()).to.equal(6);
  });

  it('lists the operations of the API, and tries one out', async () => {
    const tab = await open('/');
    await tab.page.getByRole('link', { name: 'API reference' }).click();
    const { page } = tab;
    await page.locator('.opblock').first().waitFor();
    const served = (await (await fetch(`${service.baseUrl}/api/openapi`)).json()) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const operations = Object.values(served.paths).flatMap((methods) => Object.keys(methods));
    expect(await page.locator('.opblock').count()).to.equal(operations.length);

    await page.locator('#operations-Service-getHealth').click();
    await page.getByRole('button', { name: 'Try it out' }).click();
    await page.getByRole('button', { name: 'Execute' }).click();
    const answer = page.locator('.live-responses-table');
    await answer.waitFor();
    expect(await answer.locator('.response-col_status').last().innerText()).to.match(/^200/);
    expect(await answer.locator('.highlight-code').first().innerText()).to.include('"status": "ok"');

    // Swagger UI nests a link and a button inside a button; that violation is its own.
    const violations = await tab.violations();
    expect(violations.filter((each) => !each.startsWith('nested-interactive'))).to.deep.equal([]);
    expect(await tab.overflow()).to.be.at.most(0);
    await tab.picture('docs-desk');
    expectClean(tab);
  });

  it('says that it is disconnected while the service is away, and comes back with it', async () => {
    const { page } = await openHome();
    const { port } = new URL(service.baseUrl);
    await service.stop();
    await page.locator('#pulse[data-state=lost]').waitFor();
    expect(await page.locator('#connection').textContent()).to.match(/^Disconnected/);
    await page.locator('#health', { hasText: 'no answer' }).waitFor();
    expect(await page.locator('tbody tr').count()).to.equal(1);

    service = await startStandalone({ dataDir: folder.dataDir, env: { PORT: port } });
    await page.locator('#pulse[data-state=live]').waitFor();
    await page.locator('#health', { hasText: 'ok' }).waitFor();
    await buy(traders[0], 'yes', 0.7, 1);
    await page.locator('td[data-name=Volume]', { hasText: /^15$/ }).waitFor();
  });
});
