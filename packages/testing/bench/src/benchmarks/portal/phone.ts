import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from '@paper/testkit/browser';

/** One load of a page on a slow phone, with an empty cache. */
export interface PhoneLoad {
  readonly firstMs: number;
  /** The time of the largest contentful paint, and the painted element. */
  readonly largestMs: number;
  readonly largest: string;
  /** The cumulative layout shift. */
  readonly shift: number;
  /** The time from each key typed into the order form to the next paint. Empty without an order form. */
  readonly keyMs: readonly number[];
}

const THROTTLING = 4;
/** Lighthouse's slow 4G: a round trip of 150 ms, 1.6 Mbit/s. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
/** The time in which a page has shown everything that it shows by itself. */
const SETTLED_MS = 4_000;
const TYPED = '1234567890';
/** The browser rounds times of events to 8 ms, and reports none below 16 ms. */
const EVENT_MS_MIN = 16;

/** Loads a page in a new profile at a phone's width, and types into its ticket if it has one. */
export async function loadOnPhone(browser: Browser, url: string): Promise<PhoneLoad> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 });
  try {
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    await cdp.send('Network.enable');
    await cdp.send('Network.emulateNetworkConditions', SLOW_4G);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: THROTTLING });
    await page.addInitScript(WATCH);
    await page.goto(url);
    await sleep(SETTLED_MS);
    const painted = JSON.parse(await page.evaluate<string>('JSON.stringify(painted)')) as Omit<PhoneLoad, 'keyMs'>;
    const opener = page.locator('.ticket-bar button').first();
    if ((await opener.count()) === 0) return { ...painted, keyMs: [] };
    await opener.click();
    const field = page.locator('.order-ticket input[inputmode="decimal"]').first();
    await field.waitFor();
    // By then the ticket's own code has run.
    await sleep(1_000);
    await page.evaluate('keyMs.length = 0');
    for (const key of TYPED) {
      await field.press(key);
      await sleep(150);
    }
    const slow = JSON.parse(await page.evaluate<string>('JSON.stringify(keyMs)')) as readonly number[];
    const quick = Array.from({ length: Math.max(0, TYPED.length - slow.length) }, () => EVENT_MS_MIN);
    return { ...painted, keyMs: [...slow, ...quick] };
  } finally {
    await context.close();
  }
}

/** Runs in the page. */
const WATCH = `
  const painted = (window.painted = { firstMs: 0, largestMs: 0, largest: '', shift: 0 });
  const keyMs = (window.keyMs = []);
  const watch = (type, take, options = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...options });
  watch('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') painted.firstMs = startTime;
  });
  watch('largest-contentful-paint', ({ element, startTime }) => {
    painted.largestMs = startTime;
    painted.largest = element === null ? '' : element.localName + '.' + element.className;
  });
  watch('layout-shift', ({ hadRecentInput, value }) => {
    if (!hadRecentInput) painted.shift += value;
  });
  watch('event', ({ name, duration }) => {
    if (name === 'keydown') keyMs.push(duration);
  }, { durationThreshold: ${EVENT_MS_MIN} });
`;
