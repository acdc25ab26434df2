import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AxeResults } from 'axe-core';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { IS_LONG_RUN } from './long-test.ts';

export type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** Flags that stop Chromium's own network traffic. */
const FLAGS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

let axe: string | null = null;
const axeSource = (): string =>
  (axe ??= readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));

/** The path of the machine's Chromium, or the path in CHROMIUM; undefined if there is none. */
export const installedChromium = [process.env['CHROMIUM'] ?? PLACES].flat().find((place) => existsSync(place));

export const launchChromium = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: FLAGS });

export type Tab = Awaited<ReturnType<typeof openTab>>;

const REFUSED_WHILE_BUSY = /the server responded with a status of 503/;

export async function openTab(browser: Browser, url: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const foreign: string[] = [];
  const complaints: string[] = [];
  const { origin } = new URL(url);
  context.on('request', (request) => {
    const asked = new URL(request.url());
    if (asked.origin !== origin && asked.protocol !== 'data:') foreign.push(request.url());
  });
  // The limit is high, since the machine may run other tests at the same time.
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type()) || REFUSED_WHILE_BUSY.test(message.text())) return;
    complaints.push(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(url);
  return {
    page,
    /** Requests to other origins, since the first request of the page. */
    foreign: foreign as readonly string[],
    /** Errors, warnings and violations of the content security policy, but not a 503, after which the page repeats. */
    complaints: complaints as readonly string[],
    settled: async (): Promise<void> => {
      await page.locator('h1').first().waitFor();
      await page.locator('[aria-busy="true"], :text("Loading …")').first().waitFor({ state: 'detached' });
    },
    /** Violations of axe's rules, with their elements. Default: without violations of minor and moderate impact. */
    violations: async (which: 'serious' | 'all' = 'serious'): Promise<string[]> => {
      // The script is loaded once for a document, since parsing it takes longer than checking most pages.
      if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axeSource());
      const { violations } = await page.evaluate<AxeResults>(`axe.run({ resultTypes: ['violations'] })`);
      return violations
        .filter(({ impact }) => which === 'all' || impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
    },
    /** The number of pixels by which the page is wider than its window. */
    overflow: () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'),
    /** Saves a screenshot in the folder for temporary files, but only in a long run. */
    picture: async (name: string): Promise<void> => {
      if (!IS_LONG_RUN) return;
      await page.screenshot({ path: path.join(tmpdir(), `paper-trading-${name}.png`), fullPage: true });
    },
    close: () => context.close(),
  };
}
