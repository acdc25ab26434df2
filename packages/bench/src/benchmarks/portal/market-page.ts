import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from '@paper/testkit/browser';

/** Bytes by the kind of file: of the bodies as they were sent, compressed. */
export type Sent = ReadonlyMap<string, number>;

/** One load of a page with an empty cache. */
export interface PageLoad {
  /** The page's HTML and the files that it names. */
  readonly first: Sent;
  /** Files that its script asked for besides until it was interactive: the chart's. */
  readonly more: Sent;
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
    const asked = new Map<string, { readonly path: string; kind: string; bytes: number }>();
    cdp.on('Network.requestWillBeSent', ({ requestId, request }) => {
      asked.set(requestId, { path: new URL(request.url).pathname, kind: '', bytes: 0 });
    });
    cdp.on('Network.responseReceived', ({ requestId, response: { headers }, type }) =>
      Object.assign(asked.get(requestId) ?? {}, { kind: type, bytes: Number(headers['content-length'] ?? 0) }),
    );
    await cdp.send('Network.enable');
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: throttling });
    await page.addInitScript(WATCH);
    const response = await page.goto(url, { waitUntil: 'commit' });
    const html = (await response?.text()) ?? '';
    while (!(await page.evaluate<boolean>('window.interactiveMs !== undefined'))) await sleep(20);
    const interactiveMs = await page.evaluate<number>('window.interactiveMs');
    const files = [...asked.values()];
    const isNamed = ({ kind, path }: { readonly kind: string; readonly path: string }): boolean =>
      kind === 'Document' || html.includes(`"${path}"`);
    return {
      first: sentOf(files.filter(isNamed)),
      more: sentOf(files.filter((file) => !isNamed(file))),
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
