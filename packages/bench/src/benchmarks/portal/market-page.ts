import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from '@paper/testkit/browser';

/** Bytes by the kind of file, as they were sent, with headers. */
export type Sent = ReadonlyMap<string, number>;

/** One load of a page with an empty cache. */
export interface PageLoad {
  /** Files that the page asked for before it was interactive: without them it is not shown. */
  readonly first: Sent;
  /** Files that it asked for afterwards: the chart. */
  readonly later: Sent;
  /** From the start of the navigation until the page answers to input. */
  readonly interactiveMs: number;
  /** Rows of the price list in the HTML, before any script has run. */
  readonly levelsInHtml: number;
}

/** What a page needs to be shown; data that it reads afterwards is none of it. */
const KINDS = ['Document', 'Script', 'Stylesheet', 'Image', 'Font'];

/** Loads a market's page in a new profile of the browser, with a processor that is so many times slower. */
export async function loadMarketPage(browser: Browser, url: string, throttling: number): Promise<PageLoad> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  try {
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    const asked = new Map<string, { readonly atMs: number; kind: string; bytes: number }>();
    cdp.on('Network.requestWillBeSent', ({ requestId, wallTime }) => {
      asked.set(requestId, { atMs: 1_000 * wallTime, kind: '', bytes: 0 });
    });
    cdp.on('Network.responseReceived', ({ requestId, type }) =>
      Object.assign(asked.get(requestId) ?? {}, { kind: type }),
    );
    cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength: bytes }) =>
      Object.assign(asked.get(requestId) ?? {}, { bytes }),
    );
    await cdp.send('Network.enable');
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: throttling });
    await page.addInitScript(WATCH);
    const response = await page.goto(url, { waitUntil: 'commit' });
    const html = (await response?.text()) ?? '';
    while (!(await page.evaluate<boolean>('window.interactiveMs !== undefined'))) await sleep(20);
    const interactiveMs = await page.evaluate<number>('window.interactiveMs');
    const interactiveAtMs = interactiveMs + (await page.evaluate<number>('performance.timeOrigin'));
    await page.locator('canvas').first().waitFor();
    const files = [...asked.values()];
    return {
      first: sentOf(files.filter(({ atMs }) => atMs <= interactiveAtMs)),
      later: sentOf(files.filter(({ atMs }) => atMs > interactiveAtMs)),
      interactiveMs,
      levelsInHtml: html.match(/<tr[ >]/g)?.length ?? 0,
    };
  } finally {
    await context.close();
  }
}

function sentOf(files: readonly { readonly kind: string; readonly bytes: number }[]): Sent {
  const sent = new Map<string, number>();
  for (const { kind, bytes } of files) if (KINDS.includes(kind)) sent.set(kind, (sent.get(kind) ?? 0) + bytes);
  return sent;
}

/**
 * Runs in the page. It is interactive when its script has taken over the markup (the mark `interactive`) and the next
 * task has run: nothing blocks input then.
 */
const WATCH = `
  new PerformanceObserver((list, observer) => {
    if (list.getEntriesByName('interactive').length === 0) return;
    observer.disconnect();
    setTimeout(() => { window.interactiveMs = performance.now(); }, 0);
  }).observe({ type: 'mark', buffered: true });
`;
