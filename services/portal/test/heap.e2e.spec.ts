import { PULSE_INTERVAL_MS } from '@paper/contracts/markets';
import { MINUTE_MS } from '@paper/contracts/units';
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

/** The pages' clocks and timers run so many times faster: half an hour takes 45 seconds. */
const SPEED = 40;
/** The first reading is taken after five minutes. */
const [FIRST_PULSES, LAST_PULSES] = [5, 30].map((minutes) => (minutes * MINUTE_MS) / PULSE_INTERVAL_MS) as [
  number,
  number,
];
const GROWTH_MAX = 1.1;
/** Rows of the list: more than there are on the screen. */
const MARKETS = 60;
/** Recent trades that a market's page shows at most. */
const TRADES = 40;

describe('the memory of a page that stays open for half an hour', function () {
  if (isLongSuiteLeftOut()) return;
  this.timeout(300_000);
  const tabs: Tab[] = [];
  let browser: Browser;
  let pulses: FastPulses;
  let service: RunningStandalone;
  let client: CheckedClient;
  let keys: readonly [string, string];

  /** Places an order, lets it trade in part, and cancels the rest: three kinds of events of the book. */
  const changeBook = async (turn: number): Promise<void> => {
    const [cleo, dora] = keys;
    const bid = { marketId: MARKET.id, outcome: 'yes', price: (61 + (turn % 5)) / 100, quantity: 2 + (turn % 9) };
    await client.ok('POST', '/api/orders', { key: cleo, body: bid });
    const taking = { marketId: MARKET.id, outcome: 'no', orderType: 'market', timeInForce: 'IOC', quantity: 1 };
    await client.ok('POST', '/api/orders', { key: dora, body: taking });
    await client.ok('DELETE', '/api/orders', { key: cleo });
  };

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
    for (let n = 0; n < MARKETS; n += 1) await operator.list(`other-${n}`, { title: `Will it be ${n}?` });
    // The page shows as many trades at the first reading as at the last.
    for (let turn = 0; turn < TRADES; turn += 1) await changeBook(turn);
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

  it('is at most 1.1 times what it was after five minutes, for a market and for the list', async () => {
    const pages = [await open(`/markets/${MARKET.id}`), await open('/')];
    const begun = pulses.sent();
    pulses.every(PULSE_INTERVAL_MS / SPEED);
    let turns = 0;
    const until = async (sent: number): Promise<number[]> => {
      while (pulses.sent() - begun < sent) await changeBook((turns += 1));
      return Promise.all(pages.map(heapOf));
    };
    const first = await until(FIRST_PULSES);
    const last = await until(LAST_PULSES);
    expect(turns, 'changes of the book').to.be.above(50);
    for (const [index, bytes] of first.entries()) {
      expect((last[index] ?? Infinity) / bytes, `${pages[index]?.url() ?? ''}: ${bytes} bytes at first`).to.be.below(
        GROWTH_MAX,
      );
    }
    // A snapshot stops the page for what is many seconds of its clock: it may connect again.
    for (const page of pages) await page.locator('.live.is-live').first().waitFor();
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

/**
 * Bytes of the page's own objects that can be reached: without what the browser keeps, such as its timeline of frames, and
 * without the code that it compiles once a function was called often.
 */
async function heapOf(page: Page): Promise<number> {
  const cdp = await page.context().newCDPSession(page);
  let text = '';
  cdp.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }: { readonly chunk: string }) => (text += chunk));
  try {
    await cdp.send('HeapProfiler.takeHeapSnapshot', {});
  } finally {
    await cdp.detach();
  }
  const { nodes, snapshot } = JSON.parse(text) as HeapSnapshot;
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, size] = [fields.indexOf('type'), fields.indexOf('self_size')];
  const others = ['native', 'code'].map((name) => types[0].indexOf(name));
  let bytes = 0;
  for (let at = 0; at < nodes.length; at += fields.length) {
    if (!others.includes(nodes[at + type] ?? -1)) bytes += nodes[at + size] ?? 0;
  }
  return bytes;
}

/** The part of V8's heap snapshots that is read: a row of numbers for each object. */
interface HeapSnapshot {
  readonly nodes: readonly number[];
  readonly snapshot: {
    readonly meta: { readonly node_fields: readonly string[]; readonly node_types: readonly [readonly string[]] };
  };
}
