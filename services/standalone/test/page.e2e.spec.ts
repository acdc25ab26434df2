import { expect } from 'chai';
import { IS_LONG_RUN } from '@paper/testkit';
import { startStandalone } from '@paper/testkit/exchange';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { createCheckedClient, operatorClient } from '@paper/testkit/http';
import type { CheckedClient } from '@paper/testkit/http';
import type { Browser } from 'playwright-core';
import { installedChromium, launchChromium, openTab } from '@paper/testkit/browser';
import type { Tab } from '@paper/testkit/browser';

const MARKET = 'page';

describe('the pages of the API and of the journal, in a browser', function () {
  this.timeout(120_000);
  const tabs: Tab[] = [];
  let service: RunningStandalone;
  let client: CheckedClient;
  let browser: Browser;

  before(async function () {
    if (installedChromium === undefined) {
      if (process.env['REQUIRE_SERVERS'] === '1') throw new Error('no Chromium is installed');
      this.skip();
    }
    browser = await launchChromium(installedChromium);
    service = await startStandalone();
    client = await createCheckedClient(service.baseUrl);
    const desk = operatorClient(client, service.operatorToken);
    await desk.list(MARKET);
    const [ann, ben] = [await desk.open('Ann'), await desk.open('Ben')];
    await buy(ann.key, 'yes', 0.6, 10);
    await buy(ben.key, 'no', 0.45, 4);
    await buy(ben.key, 'no', 0.34, 30);
  });

  afterEach(async () => {
    for (const tab of tabs.splice(0)) await tab.close();
  });

  after(async () => {
    // Both are undefined where the suite was skipped.
    await (browser as Browser | undefined)?.close();
    await (service as RunningStandalone | undefined)?.stop();
  });

  const buy = (key: string, outcome: 'yes' | 'no', price: number, quantity: number): Promise<unknown> =>
    client.ok('POST', '/api/orders', { key, body: { marketId: MARKET, outcome, price, quantity } });

  const open = async (path: string, options?: Parameters<typeof openTab>[2]): Promise<Tab> => {
    const tab = await openTab(browser, `${service.baseUrl}${path}`, options);
    tabs.push(tab);
    return tab;
  };

  const expectClean = (tab: Tab): void => {
    expect(tab.foreign).to.deep.equal([]);
    expect(tab.complaints).to.deep.equal([]);
  };

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
          marketId: MARKET,
          fairProb: 0.47,
          confidence: 0.8,
        },
      });
    await record('one@1', 'Demo (invented)');
    await record('other', 'A newspaper');
    const path = `/demo-signal?market=${MARKET}&signal=one%401`;
    const desk = await open(path);
    const phone = await open(path, { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 });
    for (const [name, tab] of Object.entries({ desk, phone })) {
      await tab.page.getByRole('heading', { name: 'Invented: <b>one@1</b>' }).waitFor();
      expect(await tab.page.locator('#figures dd').allTextContents()).to.deep.equal(['47%', '80%', '63%', '63%']);
      if (IS_LONG_RUN || tab === phone) expect(await tab.violations(), name).to.deep.equal([]);
      expect(await tab.overflow(), name).to.be.at.most(0);
      await tab.picture(`demo-signal-${name}`);
      expectClean(tab);
    }
    const { page } = desk;
    for (const query of ['', `?market=${MARKET}&signal=other`, `?market=${MARKET}&signal=two`]) {
      await page.goto(`${service.baseUrl}/demo-signal${query}`);
      await page.locator('#state', { hasText: 'There is no such signal of the demo here.' }).waitFor();
    }
  });

  it("has the journal's format for people to read", async () => {
    const phone = await open('/docs/format', { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 });
    const night = await open('/docs/format', { colorScheme: 'dark' });
    for (const [name, tab] of Object.entries({ phone, night })) {
      if (IS_LONG_RUN || tab === night) expect(await tab.violations(), name).to.deep.equal([]);
      expect(await tab.overflow(), name).to.be.at.most(0);
      await tab.picture(`format-${name}`);
      expectClean(tab);
    }
    const plain = await fetch(`${service.baseUrl}/docs/format`);
    expect(plain.headers.get('content-type')).to.equal('text/markdown; charset=utf-8');
  });

  it(`lists the operations of the API${IS_LONG_RUN ? ', and tries one out' : ''}`, async () => {
    const tab = await open('/api/docs');
    const { page } = tab;
    await page.locator('.opblock').first().waitFor();
    const served = (await (await fetch(`${service.baseUrl}/api/openapi`)).json()) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const operations = Object.values(served.paths).flatMap((methods) => Object.keys(methods));
    expect(await page.locator('.opblock').count()).to.equal(operations.length);

    // Swagger UI takes seconds to unfold an operation.
    if (IS_LONG_RUN) {
      await page.locator('#operations-Service-getHealth').click();
      await page.getByRole('button', { name: 'Try it out' }).click();
      await page.getByRole('button', { name: 'Execute' }).click();
      const answer = page.locator('.live-responses-table');
      await answer.waitFor();
      expect(await answer.locator('.response-col_status').last().innerText()).to.match(/^200/);
      expect(await answer.locator('.highlight-code').first().innerText()).to.include('"status": "ok"');
    }

    // Swagger UI nests a link and a button inside a button; that violation is its own.
    const violations = IS_LONG_RUN ? await tab.violations() : [];
    expect(violations.filter((each) => !each.startsWith('nested-interactive'))).to.deep.equal([]);
    expect(await tab.overflow()).to.be.at.most(0);
    await tab.picture('docs-desk');
    expectClean(tab);
  });
});
