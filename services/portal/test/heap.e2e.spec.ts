import { HOUR_MS } from '@paper/contracts/units';
import { isLongSuiteLeftOut } from '@paper/testkit';
import { startStandalone } from '@paper/testkit/exchange';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { operatorClient } from '@paper/testkit/http';
import type { CheckedClient } from '@paper/testkit/http';
import { installedChromium, launchChromium, openTab } from '@paper/testkit/browser';
import type { Browser, Page, Tab } from '@paper/testkit/browser';
import { expect } from 'chai';
import { startFastPulses } from './support/fast-pulses.ts';
import type { FastPulses } from './support/fast-pulses.ts';
import { MARKET, prepareExchange } from './support/prepared-exchange.ts';

/** The pages' clocks and timers run so many times faster: an hour takes a minute and a half. */
const SPEED = 40;
/** Pulses of an hour. */
const PULSES = 3_600;
/** The first reading is taken after five minutes. */
const FIRST_PART = 1 / 12;
const GROWTH_MAX = 1.2;

describe('the memory of a page that stays open for an hour', function () {
  if (isLongSuiteLeftOut()) return;
  this.timeout(300_000);
  const tabs: Tab[] = [];
  let browser: Browser;
  let pulses: FastPulses;
  let service: RunningStandalone;
  let client: CheckedClient;
  let keys: readonly [string, string];

  before(async function () {
    if (installedChromium === undefined) {
      if (process.env['REQUIRE_SERVERS'] === '1') throw new Error('no Chromium is installed');
      this.skip();
    }
    pulses = await startFastPulses();
    [browser, service] = await Promise.all([
      launchChromium(installedChromium),
      startStandalone({ env: { PUBLIC_URL: `http://localhost:${pulses.port}` } }),
    ]);
    pulses.before(service.baseUrl);
    client = await prepareExchange(service);
    const operator = operatorClient(client, service.operatorToken);
    const balance = { startingBalance: 1_000_000 };
    keys = [(await operator.open('Cleo', balance)).key, (await operator.open('Dora', balance)).key];
  });

  after(async () => {
    for (const tab of tabs) await tab.close();
    // They are undefined where the suite was skipped.
    await (browser as Browser | undefined)?.close();
    await (service as RunningStandalone | undefined)?.stop();
    await (pulses as FastPulses | undefined)?.close();
  });

  const open = async (path: string): Promise<Page> => {
    const tab = await openTab(browser, service.publicUrl);
    tabs.push(tab);
    await tab.page.addInitScript(faster(SPEED));
    await tab.page.goto(service.publicUrl + path);
    await tab.page.locator('.live.is-live').first().waitFor();
    return tab.page;
  };

  /** Places an order, lets it trade in part, and cancels the rest: three kinds of events of the book. */
  const changeBook = async (turn: number): Promise<void> => {
    const [cleo, dora] = keys;
    const bid = { marketId: MARKET.id, outcome: 'yes', price: (61 + (turn % 5)) / 100, quantity: 2 + (turn % 9) };
    await client.ok('POST', '/api/orders', { key: cleo, body: bid });
    const taking = { marketId: MARKET.id, outcome: 'no', orderType: 'market', timeInForce: 'IOC', quantity: 1 };
    await client.ok('POST', '/api/orders', { key: dora, body: taking });
    await client.ok('DELETE', '/api/orders', { key: cleo });
  };

  it('is at most 1.2 times what it was after five minutes, for a market and for the list', async () => {
    const pages = [await open(`/markets/${MARKET.id}`), await open('/')];
    const begun = pulses.sent();
    pulses.every(HOUR_MS / SPEED / PULSES);
    let turns = 0;
    const until = async (sent: number): Promise<number[]> => {
      while (pulses.sent() - begun < sent) await changeBook((turns += 1));
      return Promise.all(pages.map(heapOf));
    };
    const first = await until(FIRST_PART * PULSES);
    const last = await until(PULSES);
    expect(turns, 'changes of the book').to.be.above(100);
    for (const [index, bytes] of first.entries()) {
      expect((last[index] ?? Infinity) / bytes, `${pages[index]?.url()}: ${bytes} bytes at first`).to.be.below(
        GROWTH_MAX,
      );
    }
    for (const page of pages) expect(await page.locator('.live.is-live').count()).to.be.above(0);
    for (const { complaints } of tabs) expect(complaints).to.deep.equal([]);
  });
});

/** Runs in a page before its scripts: its clock and its timers are so many times faster. */
function faster(speed: number): string {
  return `
    const [begunMs, now, timeout] = [Date.now(), Date.now, window.setTimeout];
    Date.now = () => begunMs + (now() - begunMs) * ${speed};
    window.setTimeout = (work, ms = 0, ...more) => timeout(work, ms / ${speed}, ...more);
  `;
}

/** Bytes of the page's objects that can be reached. */
async function heapOf(page: Page): Promise<number> {
  const cdp = await page.context().newCDPSession(page);
  try {
    // The second time frees what finalizers of the first let go.
    await cdp.send('HeapProfiler.collectGarbage');
    await cdp.send('HeapProfiler.collectGarbage');
    const { usedSize } = await cdp.send('Runtime.getHeapUsage');
    return usedSize;
  } finally {
    await cdp.detach();
  }
}
