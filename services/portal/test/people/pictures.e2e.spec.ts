import type { MarketBody } from '@paper/contracts/markets';
import { isLongSuiteLeftOut } from '@paper/testkit';
import type { Page, Tab } from '@paper/testkit/browser';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { PAGES } from '../../src/pages/paths.ts';
import type { PageName } from '../../src/pages/paths.ts';
import { SignedIn } from '../support/signed-in.ts';
import { LIVED, playMarket } from './lived-market.ts';
import { PortalBrowser } from './portal-browser.ts';
import { createClient } from 'paper-trading-client';

const docs = path.resolve(import.meta.dirname, '../../../../docs/start');

/** Pages whose pictures would show next to nothing, or only text. */
const WITHOUT: ReadonlySet<string> = new Set(['confirm', 'help']);
const NAMES = (Object.keys(PAGES) as PageName[]).filter((name) => !WITHOUT.has(name));
const WINDOW = { viewport: { width: 1280, height: 800 }, colorScheme: 'light' } as const;
/** More pictures of the market's page and of the list: the name in docs, the window, and how the eye sees it. */
const MORE = {
  'market-dark': { window: { viewport: WINDOW.viewport, colorScheme: 'dark' }, eye: 'none' },
  'market-phone': { window: { viewport: { width: 360, height: 780 }, colorScheme: 'light' }, eye: 'none' },
  'market-deuteranopia': { window: WINDOW, eye: 'deuteranopia' },
  'markets-deuteranopia': { window: WINDOW, eye: 'deuteranopia' },
} as const;

/** The smallest picture that is not an empty window, in bytes, and the largest that a repository should have. */
const BYTES = { least: 8_000, most: 240 * 1024 } as const;
const BYTES_IN_ALL_MAX = 2_500_000;

/** Takes the pictures of docs/start/portal.md on the demo's markets. With PICTURES=1 it writes them there. */
describe('the pictures of the pages', function () {
  if (isLongSuiteLeftOut()) return;
  this.timeout(480_000);
  const isWriting = process.env['PICTURES'] === '1';
  const folder = isWriting ? path.join(docs, 'portal') : mkdtempSync(path.join(tmpdir(), 'pictures-'));
  let portal: PortalBrowser;

  before(async function () {
    const started = await PortalBrowser.start({ DEMO: 'on', HOUSE_BOTS: 'on' });
    if (started === undefined) return this.skip();
    portal = started;
    mkdirSync(folder, { recursive: true });
  });

  after(async () => {
    await (portal as PortalBrowser | undefined)?.stop();
    if (!isWriting) rmSync(folder, { recursive: true, force: true });
  });

  const take = async (page: Page, name: string): Promise<void> => {
    const file = path.join(folder, `${name}.png`);
    await page.screenshot({ path: file });
    expect(statSync(file).size, name).to.be.within(BYTES.least, BYTES.most);
  };

  it('show each page', async () => {
    const { client, operator, service } = portal;
    const marketId = LIVED.id;
    const ada = await SignedIn.up(service.publicUrl, 'Ada');
    const { subAccount } = await ada.call<{ subAccount: { id: string } }>('POST', '/portal/sub-accounts', {
      displayName: 'Momentum bot',
    });
    const { apiKey } = await ada.call<{ apiKey: { rawKey: string } }>('POST', '/portal/automation-key', {
      name: 'fleet builder',
    });
    const backtestId = await playBacktest(service.baseUrl, apiKey.rawKey);
    const keys = `/portal/sub-accounts/${subAccount.id}/keys` as const;
    await ada.call('POST', keys, { name: 'laptop', permissions: ['view', 'trade'], mandate: { maxOrderCost: 25 } });
    const trade = async (side: 'buy' | 'sell', quantity: number): Promise<void> => {
      await ada.call('POST', '/portal/as/me/orders', {
        marketId,
        orderType: 'market',
        timeInForce: 'IOC',
        side,
        outcome: 'yes',
        quantity,
      });
    };
    // The charts need a past: with PICTURES=1 one of some minutes.
    await playMarket({
      client,
      operator,
      operatorToken: service.operatorToken,
      meanwhile: (turn) => trade(turn % 4 === 3 ? 'sell' : 'buy', 5 + ((turn * 7) % 20)),
      ...(isWriting ? { steps: 240, everyMs: 700 } : { steps: 60, everyMs: 0 }),
    });
    const { bestYesBid } = await client.ok<MarketBody>('GET', `/api/markets/${marketId}`);
    const order = await ada.call<{ id: string; userId: string }>('POST', '/portal/as/me/orders', {
      marketId,
      outcome: 'yes',
      price: Math.round(100 * (bestYesBid ?? 0.5) - 1) / 100,
      quantity: 25,
    });
    await ada.call('POST', '/portal/as/me/orders', {
      marketId: 'apple-services-record-2027',
      orderType: 'market',
      timeInForce: 'IOC',
      outcome: 'no',
      quantity: 20,
    });
    await ada.call('POST', '/portal/operator/session', { token: service.operatorToken });
    const person = await portal.open('/', { ...WINDOW, ...ada.profile });
    const visitor = await portal.open('/', WINDOW);
    for (const name of NAMES) {
      const isForVisitors = name === 'sign-up' || name === 'sign-in' || name === 'recover';
      const tab = isForVisitors ? visitor : person;
      const id = { trader: order.userId, 'order-proof': order.id, backtest: backtestId }[name as string] ?? marketId;
      const address = PAGES[name].path.replace(':id', id).replace(':accountId', subAccount.id);
      await show(tab, service.publicUrl + address);
      if (name === 'market') await fillTicket(tab.page);
      await take(tab.page, name);
      // The page of proofs shows the receipt of an order that was sent in this browser.
      if (name === 'market') await sendOrder(tab.page);
    }
    for (const [name, { eye, window }] of Object.entries(MORE)) {
      const tab = await portal.open('/', { ...window, ...ada.profile });
      await show(tab, `${service.publicUrl}${name.startsWith('markets') ? '/' : `/markets/${marketId}`}`);
      const cdp = await tab.page.context().newCDPSession(tab.page);
      await cdp.send('Emulation.setEmulatedVisionDeficiency', { type: eye });
      await take(tab.page, name);
    }
    const sizes = readdirSync(folder).map((file) => statSync(path.join(folder, file)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).to.be.at.most(BYTES_IN_ALL_MAX);
  });

  it('stand in docs/start/portal.md, one of each page', () => {
    const page = readFileSync(path.join(docs, 'portal.md'), 'utf8');
    const shown = [...page.matchAll(/\]\(portal\/([\w-]+)\.png\)/g)].map(([, name]) => name);
    expect(shown).to.include.members([...NAMES, ...Object.keys(MORE)]);
  });

  it('are in README: the page of a market', () => {
    expect(readFileSync(path.join(docs, '../../README.md'), 'utf8')).to.include('](docs/start/portal/market.png)');
  });
});

/** Opens a page, and waits until its figures are live and its chart is drawn, where it has them. */
async function show(tab: Tab, address: string): Promise<void> {
  const { page } = tab;
  await page.goto(address);
  await tab.settled();
  // Operators see the list of markets.
  if (address.endsWith('/operators')) await page.getByText(LIVED.title).first().waitFor();
  // The head of a person with their figures, or that of a visitor.
  const head = page
    .locator('header')
    .locator('.worth .number, a')
    .filter({ hasText: /\$|Sign up/ });
  await head.filter({ visible: true }).first().waitFor();
  for (const [part, whole] of [
    ['.live', '.live.is-live'],
    ['.chart', '.chart canvas'],
  ] as const) {
    if ((await page.locator(part).count()) > 0) await page.locator(whole).first().waitFor();
  }
}

/** A backtest of a bot that buys what a calm trader would call cheap. Gives its id. */
async function playBacktest(baseUrl: string, key: string): Promise<string> {
  const client = createClient({ baseUrl, key });
  let id = '';
  await client.backtest({ tape: 'made-news' }, async (bot, seat) => {
    id = seat.backtestId;
    const [market] = await bot.fetchMarkets();
    for await (const _ of bot.every(60_000)) {
      const { bestYesAsk, bestYesBid, id: marketId } = await bot.fetchMarket(market?.id ?? '');
      const order = { marketId, orderType: 'market', quantity: 20 } as const;
      if (bestYesAsk !== null && bestYesAsk < 0.45) await bot.createOrder({ ...order, outcome: 'yes' });
      else if (bestYesBid !== null && bestYesBid > 0.5) await bot.createOrder({ ...order, outcome: 'no' });
    }
  });
  return id;
}

/** An order that is being written, with its preview. */
async function fillTicket(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'Limit' }).check();
  await page.getByLabel('Limit price').fill('0.5');
  await page.getByRole('radio', { name: 'Shares' }).check();
  await page.getByRole('textbox', { name: 'Amount in shares' }).fill('50');
  await page.locator('.ticket-line').filter({ hasText: 'pays' }).waitFor();
}

async function sendOrder(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Buy Yes' }).click();
  await page.locator('.ticket-result').filter({ hasText: 'Its receipt is kept in this browser.' }).waitFor();
}
