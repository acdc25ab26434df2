import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AxeResults } from 'axe-core';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { IS_LONG_RUN } from './long-test.ts';

export type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** Flags that stop Chromium's own network traffic. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let axe: string | null = null;

function axeSource(): string {
  axe ??= readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  return axe;
}

/** The path of the machine's Chromium, or the path in CHROMIUM; undefined if there is none. */
export const installedChromium = [process.env['CHROMIUM'] ?? PLACES].flat().find((place) => existsSync(place));

export const launchChromium = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: FLAGS });

export interface Tab {
  readonly page: Page;
  /** Requests to other origins, since the first request of the page. */
  readonly foreign: readonly string[];
  /** Errors, warnings and violations of the content security policy, but not a 503, after which the page repeats. */
  readonly complaints: readonly string[];
  settled(): Promise<void>;
  /** Violations of axe's rules, with their elements. Default: without violations of minor and moderate impact. */
  violations(which?: 'serious' | 'all'): Promise<string[]>;
  /** The number of pixels by which the page is wider than its window. */
  overflow(): Promise<number>;
  /** Saves a screenshot in the folder for temporary files, but only in a long run. */
  picture(name: string): Promise<void>;
  close(): Promise<void>;
}

const REFUSED_WHILE_BUSY = /the server responded with a status of 503/;

export async function openTab(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Tab> {
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
    foreign,
    complaints,
    async settled() {
      await page.locator('h1').first().waitFor();
      await page.locator('[aria-busy="true"], :text("Loading …")').first().waitFor({ state: 'detached' });
    },
    async violations(which = 'serious') {
      // The script is loaded once for a document, since parsing it takes longer than checking most pages.
      if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axeSource());
      const { violations } = await page.evaluate<AxeResults>(`axe.run({ resultTypes: ['violations'] })`);
      return violations
        .filter(({ impact }) => which === 'all' || impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
    },
    overflow: () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'),
    async picture(name) {
      if (!IS_LONG_RUN) return;
      await page.screenshot({ path: path.join(tmpdir(), `paper-trading-${name}.png`), fullPage: true });
    },
    close: () => context.close(),
  };
}
