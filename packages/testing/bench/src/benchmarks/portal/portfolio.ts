import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from '@paper/testkit/browser';
import { prepareTrading } from '@paper/testkit/exchange';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { createClient } from 'paper-trading-client';
import type { PaperTradingClient } from 'paper-trading-client';
import { signUp } from './sessions.ts';

const POSITIONS = 500;
const BATCH = 50;
/** The time between two trades of a market. A pulse comes every 2 s, so that each shows other prices. */
const EVERY_MS = 2_000;

/** How long the page's main thread was busy at a stretch, and how many texts of rows on screen have changed. */
export interface BusyPage {
  readonly tasksMs: readonly number[];
  readonly changes: number;
}

/**
 * Opens a portfolio with 500 positions, and trades in every market whose row is on screen: for `seconds` with each factor
 * by which the processor is slowed down.
 */
export async function watchPortfolio(
  browser: Browser,
  service: RunningStandalone,
  factors: readonly number[],
  seconds: number,
): Promise<readonly BusyPage[]> {
  const markets = Array.from({ length: POSITIONS }, (_, n) => `p${n}`);
  const keys = await prepareTrading(service, { accounts: 2, markets });
  const person = await signUp(service, 1);
  const [holder, buyer, seller] = [person.key, ...keys].map((key) => createClient({ baseUrl: service.baseUrl, key }));
  if (holder === undefined || buyer === undefined || seller === undefined) throw new Error('an account is missing');
  for (let at = 0; at < POSITIONS; at += BATCH) await trade(seller, holder, markets.slice(at, at + BATCH), 50);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const [name = '', value = ''] = person.cookie.split('=');
    await context.addCookies([{ name, value, url: service.publicUrl }]);
    const page = await context.newPage();
    await page.goto(`${service.publicUrl}/portfolio`);
    await page.getByRole('table', { name: 'Positions' }).locator('.virtual-row').first().waitFor();
    const shown = await marketsOnScreen(page);
    const devTools = await context.newCDPSession(page);
    await page.evaluate(WATCH);
    const results: BusyPage[] = [];
    for (const rate of factors) {
      await devTools.send('Emulation.setCPUThrottlingRate', { rate });
      await page.evaluate('busy.tasksMs.length = 0; busy.changes = 0');
      for (let n = 0; n * EVERY_MS < seconds * 1_000; n += 1) {
        await trade(seller, buyer, shown, 30 + (n % 40));
        await sleep(EVERY_MS);
      }
      results.push(JSON.parse(await page.evaluate<string>('JSON.stringify(busy)')) as BusyPage);
    }
    return results;
  } finally {
    await context.close();
  }
}

/** Trades one share in each of these markets at a price in cents. */
async function trade(
  seller: PaperTradingClient,
  buyer: PaperTradingClient,
  markets: readonly string[],
  cents: number,
): Promise<void> {
  const orders = (outcome: 'yes' | 'no', price: number) =>
    markets.map((marketId) => ({ marketId, outcome, price, quantity: 1 }));
  await seller.createOrders(orders('no', (100 - cents) / 100));
  await buyer.createOrders(orders('yes', cents / 100));
}

async function marketsOnScreen(page: Page): Promise<readonly string[]> {
  const links = await page.locator('.virtual-row a[href*="/markets/"]').all();
  const paths = await Promise.all(links.map((link) => link.getAttribute('href')));
  return [...new Set(paths.map((path) => (path ?? '').split('/').at(-1) ?? ''))];
}

/** Runs in the page. */
const WATCH = `
  const busy = (window.busy = { tasksMs: [], changes: 0 });
  new PerformanceObserver((list) => busy.tasksMs.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask' });
  new MutationObserver((list) => (busy.changes += list.length))
    .observe(document.querySelector('.virtual-rows'), { subtree: true, characterData: true });
`;
