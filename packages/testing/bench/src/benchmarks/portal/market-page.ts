import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from '@paper/testkit/browser';

/** Transferred bytes by kind of file: heads and compressed bodies. */
export type Sent = ReadonlyMap<string, number>;

/** How long the benchmark waits, after the page reacts to input, for content below the first screen to load. */
const IDLE_MS = 4_000;

interface Transfer {
  kind: string;
  bytes: number;
  /** Whether the head arrived before the page reacted to input. */
  isFirst: boolean;
}

/** Loads a market's page in a new browser profile, on a processor that is slowed by this factor. */
export async function loadMarketPage(browser: Browser, url: string, throttling: number) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  try {
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    const transfers = new Map<string, Transfer>();
    let isInteractive = false;
    const interactive = new Promise<number>((resolve) =>
      cdp.once('Runtime.bindingCalled', ({ payload }) => resolve(Number(payload))),
    );
    const add = (requestId: string, bytes: number): void => {
      const transfer = transfers.get(requestId);
      if (transfer !== undefined) transfer.bytes += bytes;
    };
    cdp.on('Network.responseReceived', ({ requestId, response: { encodedDataLength }, type }) =>
      transfers.set(requestId, { kind: type, bytes: encodedDataLength, isFirst: !isInteractive }),
    );
    cdp.on('Network.dataReceived', ({ requestId, encodedDataLength }) => add(requestId, encodedDataLength));
    await cdp.send('Network.enable');
    await cdp.send('Performance.enable');
    await cdp.send('Runtime.enable');
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: throttling });
    // The page calls this binding: polling the page would slow it down.
    await cdp.send('Runtime.addBinding', { name: 'answersToInput' });
    await page.addInitScript(WATCH);
    const response = await page.goto(url, { waitUntil: 'commit' });
    const interactiveMs = await interactive;
    isInteractive = true;
    const { metrics } = await cdp.send('Performance.getMetrics');
    await sleep(IDLE_MS);
    const html = (await response?.text()) ?? '';
    const all = [...transfers.values()];
    return {
      first: sentOf(all.filter(({ isFirst }) => isFirst)),
      /** Loaded later, until the page is idle: the chart, code of connections, and answers of the API. */
      more: sentOf(all.filter(({ isFirst }) => !isFirst)),
      interactiveMs,
      /** CPU time of the main thread until then, which varies less. */
      workedMs: 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN),
      /** Rows of the price list before any script has run. */
      levelsInHtml: html.match(/<tr[ >]/g)?.length ?? 0,
    };
  } finally {
    await context.close();
  }
}

function sentOf(transfers: readonly Transfer[]): Sent {
  const sent = new Map<string, number>();
  for (const { kind, bytes } of transfers) sent.set(kind, (sent.get(kind) ?? 0) + bytes);
  return sent;
}

/** Runs in the page, which is interactive one task after its markup is hydrated (the mark `interactive`). */
const WATCH = `
  new PerformanceObserver((list, observer) => {
    if (list.getEntriesByName('interactive').length === 0) return;
    observer.disconnect();
    setTimeout(() => window.answersToInput(String(performance.now())), 0);
  }).observe({ type: 'mark', buffered: true });
`;
