import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually, isLongSuiteLeftOut } from '@paper/testkit';
import type { Tab } from '@paper/testkit/browser';
import { PAGE_NAMES, PAGES } from '../src/pages/paths.ts';
import { chromiumForTests, startPortalInBrowser } from './support/portal-in-browser.ts';
import type { PortalInBrowser } from './support/portal-in-browser.ts';

/** Calls a function of the page if it is ever taken for markup. */
const LONG = `"'></script></textarea></title><img src=x onerror="hacked()"><svg onload=hacked()>`;
/** The same for fields of few characters. */
const SHORT = '<svg onload=hacked()>';
const NAME = '<img src=x onerror=h()>';
const TICKER = '<svg onload=h()>';
const MARKET = 'marked-up';
const CITATION = 'https://cite.example/story';

/** Scripts of these would run in the reader's session. */
const BAD_ADDRESSES = [
  'javascript:hacked()',
  'JaVaScRiPt:hacked()',
  ' javascript:hacked()',
  'java\\nscript:hacked()',
  'data:text/html,<script>hacked()</script>',
  'vbscript:hacked()',
];

describe('markup that people and operators write, in a browser', function () {
  if (isLongSuiteLeftOut()) return;
  this.timeout(120_000);
  let portal: PortalInBrowser;
  let tab: Tab;
  let page: Page;
  let subAccountId: string;
  /** An order of the person. */
  let placed: { readonly id: string; readonly userId: string };

  before(async function () {
    const chromium = chromiumForTests();
    if (chromium === undefined) this.skip();
    portal = await startPortalInBrowser(chromium);
    await writeMarkup();
    tab = await portal.open('/', { userAgent: `Mozilla/5.0 ${NAME} Chrome/120` });
    ({ page } = tab);
    // What runs in the page reports here, whichever function it names.
    await page.addInitScript('window.hacked = window.h = () => { window.wasHacked = true; }');
    await portal.signUp(tab, 'marker', NAME);
    await trade();
  });
  after(async () => {
    // Undefined where the suite was skipped.
    await (portal as PortalInBrowser | undefined)?.stop();
  });
  beforeEach(() => portal.proxy.tamper(null));

  const operate = (method: string, path: string, body: object) =>
    portal.client.ok(method, path, { key: portal.service.operatorToken, body });
  /** Every text that an operator can write. */
  const writeMarkup = async (): Promise<void> => {
    const texts = {
      title: `Title ${LONG}`,
      ticker: TICKER,
      companySlug: `slug ${LONG}`,
      sector: SHORT,
      category: SHORT,
      settlementSource: `Settled ${LONG}`,
      description: `Described ${LONG}`,
      drivers: [SHORT],
      citationUrl: CITATION,
    };
    for (const id of [MARKET, 'resolved', 'voided']) await portal.operator.list(id, texts);
    const signal = { source: `Source ${SHORT}`, headline: `Headline ${LONG}`, citationUrl: CITATION, event: SHORT };
    for (const marketId of [MARKET, undefined]) {
      await operate('POST', '/api/operator/signals', {
        ...signal,
        ...(marketId === undefined ? {} : { marketId }),
        externalId: `${marketId ?? 'all'} ${SHORT}`,
        publishedAt: '2026-11-20T00:00:00Z',
      });
    }
    await operate('POST', '/api/operator/markets/resolved/resolve', {
      outcome: 'yes',
      headline: `Ended ${LONG}`,
      source: SHORT,
      citationUrl: CITATION,
    });
    await operate('POST', '/api/operator/markets/voided/void', { reason: `Void ${LONG}`, price: 0.5 });
  };
  /** The person trades with another of such a name, and names a sub-account and its key. */
  const trade = async (): Promise<void> => {
    const { key } = await portal.operator.open('<svg onload=hacked()>');
    await portal.client.ok('POST', '/api/orders', {
      key,
      body: { marketId: MARKET, outcome: 'no', side: 'buy', price: 0.5, quantity: 100 },
    });
    await post('/portal/as/me/orders', { marketId: MARKET, outcome: 'yes', side: 'buy', price: 0.6, quantity: 10 });
    const order = { marketId: MARKET, outcome: 'yes', side: 'buy', price: 0.4, quantity: 10 };
    placed = (await post('/portal/as/me/orders', order)) as typeof placed;
    const made = await post('/portal/sub-accounts', { displayName: `Sub ${NAME}`.slice(0, 24) });
    ({ id: subAccountId } = (made as { subAccount: { id: string } }).subAccount);
    await post(`/portal/sub-accounts/${subAccountId}/keys`, { name: NAME, permissions: ['view'] });
    await post('/portal/automation-key', { name: NAME });
  };
  const post = async (path: string, data: object): Promise<unknown> => {
    const answer = await page.request.post(`${portal.origin}${path}`, { headers: { origin: portal.origin }, data });
    if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
    return answer.json();
  };
  /** Loads a page, and waits until it has shown what it reads. */
  const visit = async (path: string): Promise<string> => {
    await page.goto(`${portal.origin}${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await eventually('the page has read', async () => (await page.getByText('Loading …').count()) === 0);
    return page.locator('body').innerText();
  };
  const pathOf = (path: string): string =>
    path
      .replace('/markets/:id', `/markets/${MARKET}`)
      .replace('/traders/:id', `/traders/${placed.userId}`)
      .replace('/proof/:id', `/proof/${placed.id}`)
      .replace(':accountId', subAccountId);
  /** Nothing ran, and nothing of it became an element or a link. */
  const isHarmless = async (path: string): Promise<void> => {
    expect(await page.evaluate('window.wasHacked'), path).to.equal(undefined);
    expect(await page.locator('img[src=x], svg[onload], [onerror], [onload]').count(), path).to.equal(0);
    const links = await page.evaluate<[href: string, rel: string][]>(
      `Array.from(document.links, (link) => [link.href, link.rel])`,
    );
    for (const [href, rel] of links) {
      const { origin, protocol } = new URL(href);
      expect(protocol, `${path}: ${href}`).to.match(/^(https?|blob):$/);
      if (origin !== portal.origin) expect(rel.split(' '), href).to.include.members(['noopener', 'noreferrer']);
    }
    expect(tab.complaints, path).to.deep.equal([]);
  };

  // The page of a backtest shows nothing that people or operators have written.
  for (const name of PAGE_NAMES.filter((one) => one !== 'backtest')) {
    it(`is text on ${PAGES[name].path}`, async () => {
      const path = pathOf(PAGES[name].path);
      await visit(path);
      await isHarmless(path);
    });
  }

  it('is shown as it was written: titles, headlines, descriptions, names of people, accounts and keys', async () => {
    const shown: readonly (readonly [path: string, ...texts: string[]])[] = [
      ['/', `Title ${LONG}`, NAME],
      [`/markets/${MARKET}`, `Title ${LONG}`, `Headline ${LONG}`, `Source ${SHORT}`],
      ['/markets/resolved', `Ended ${LONG}`],
      ['/markets/voided', `Void ${LONG}`],
      ['/leaderboard', NAME, '<svg onload=hacked()>'],
      ['/developers', `Sub ${NAME}`.slice(0, 24), NAME],
    ];
    for (const [path, ...texts] of shown) {
      await visit(path);
      for (const text of texts) await page.getByText(text).first().waitFor();
      await isHarmless(path);
    }
  });

  it('is text on the page of operators, and in its dialogs', async () => {
    await visit('/operators');
    await page.getByLabel('Operator token').fill(portal.service.operatorToken);
    await page.keyboard.press('Enter');
    await page.getByText(`Title ${LONG}`).first().waitFor();
    await page.getByRole('button', { name: `Resolve ${MARKET}` }).click();
    await page.getByRole('dialog').getByLabel('Outcome').selectOption('yes');
    await page.getByRole('dialog').getByText(NAME).first().waitFor();
    await isHarmless('/operators');
  });

  it('is text in the address: an id, a search, a path of no page', async () => {
    // The service answers 404 for the market, which the console reports.
    const stranger = await portal.open('/');
    await stranger.page.addInitScript('window.hacked = window.h = () => { window.wasHacked = true; }');
    const markup = encodeURIComponent(LONG.replaceAll('/', ''));
    for (const path of [
      `/markets/${markup}`,
      `/?q=${markup}`,
      `/sign-up?invite=${markup}`,
      `/recover?token=${markup}`,
    ]) {
      await stranger.page.goto(`${portal.origin}${path}`);
      await stranger.page.getByRole('heading', { level: 1 }).waitFor();
      expect(await stranger.page.evaluate('window.wasHacked'), path).to.equal(undefined);
      expect(await stranger.page.locator('img[src=x], svg[onload]').count(), path).to.equal(0);
    }
    const answer = await stranger.page.request.get(`${portal.origin}/api/markets/${markup}`);
    expect(answer.headers()['content-type']).to.match(/^application\/json/);
    expect(answer.headers()['x-content-type-options']).to.equal('nosniff');
  });

  it('is refused by the API where an address has another scheme than http and https', async () => {
    for (const citationUrl of BAD_ADDRESSES) {
      const { status } = await portal.client.request('POST', '/api/operator/markets', {
        key: portal.service.operatorToken,
        body: { id: 'bad', citationUrl },
      });
      expect(status, citationUrl).to.equal(400);
    }
  });

  it('becomes no link where an answer has such an address after all', async () => {
    for (const address of BAD_ADDRESSES) {
      portal.proxy.tamper((body, path) => (path.startsWith('/api/') ? body.replaceAll(CITATION, address) : body));
      // A page that the person opens reads for itself, and so gets the changed answers.
      await visit('/leaderboard');
      await page.evaluate(
        `history.pushState(null, '', '/markets/${MARKET}'); dispatchEvent(new PopStateEvent('popstate'))`,
      );
      await page.getByText(`Headline ${LONG}`).first().waitFor();
      await isHarmless(`${MARKET} with ${address}`);
    }
  });
});

describe('a page of another site that frames the portal', function () {
  if (isLongSuiteLeftOut()) return;
  this.timeout(120_000);
  let portal: PortalInBrowser;
  let attacker: Server;

  before(async function () {
    const chromium = chromiumForTests();
    if (chromium === undefined) this.skip();
    portal = await startPortalInBrowser(chromium);
    attacker = createServer((request, response) => {
      const { searchParams } = new URL(request.url ?? '/', 'http://attacker');
      response.setHeader('content-type', 'text/html');
      response.end(
        `<!doctype html><title>attacker</title><iframe src="${portal.origin}${searchParams.get('path') ?? ''}"></iframe>`,
      );
    });
    await new Promise<void>((resolve) => attacker.listen(0, '127.0.0.1', resolve));
  });
  after(async () => {
    // Undefined where the suite was skipped.
    (attacker as Server | undefined)?.close();
    await (portal as PortalInBrowser | undefined)?.stop();
  });

  it('shows nothing of any page', async () => {
    const { port } = attacker.address() as AddressInfo;
    const tab = await portal.open('/leaderboard');
    for (const name of PAGE_NAMES) {
      const path = PAGES[name].path.replaceAll(/:\w+/g, 'an-id');
      const { headers } = await fetch(`${portal.origin}${path}`);
      expect(headers.get('content-security-policy'), path).to.include("frame-ancestors 'none'");
      expect(headers.get('x-frame-options'), path).to.equal('DENY');
      const before = tab.complaints.length;
      await tab.page.goto(`http://127.0.0.1:${port}/?path=${encodeURIComponent(path)}`);
      await eventually(`${path} is refused`, () =>
        tab.complaints.slice(before).some((text) => text.includes("frame-ancestors 'none'")),
      );
      const [, frame] = tab.page.frames();
      expect(frame?.url(), path).not.to.include(portal.origin);
      expect(await frame?.locator('#app').count(), path).to.equal(0);
    }
  });
});
