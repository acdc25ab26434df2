import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { eventually, startStandalone } from '@paper/testkit';
import type { RunningStandalone } from '@paper/testkit';
import { installedChromium, launchChromium, openTab } from '@paper/testkit/browser';
import type { Browser, Page } from '@paper/testkit/browser';
import { expect } from 'chai';
import { PAGE_NAMES, PAGES } from '../src/pages/paths.ts';
import { SignedIn } from './support/signed-in.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../docs/pictures');
const BYTES_MAX = 100_000;
/** A market of the demo. */
const MARKET = 'apple-services-record-2027';
/** Markets of the demo in which the person of the pictures has a position. */
const HELD = [MARKET, 'nvidia-gross-margin-2027', 'tesla-deliveries-2027'];
/** Trades that the chart of the market shows. */
const TRADES = 25;
/** Pages that a signed-in person does not see as visitors do. */
const FOR_VISITORS: ReadonlySet<string> = new Set(['sign-up', 'sign-in', 'recover', 'confirm']);

/** Makes the pictures of docs/portal.md and README.md, of the demo. A setting asks for it: PICTURES=1. */
describe('pictures of the pages', function () {
  this.timeout(300_000);
  let service: RunningStandalone;
  let browser: Browser;
  let ada: SignedIn;
  let subAccountId: string;

  before(async function () {
    if (process.env['PICTURES'] !== '1' || installedChromium === undefined) this.skip();
    mkdirSync(FOLDER, { recursive: true });
    [browser, service] = await Promise.all([
      launchChromium(installedChromium),
      startStandalone({ env: { DEMO: 'on', HOUSE_BOTS: 'on' } }),
    ]);
    ada = await SignedIn.up(service.publicUrl, 'Ada');
    await ada.call('POST', '/portal/operator/session', { token: service.operatorToken });
    const { subAccount } = await ada.call<{ subAccount: { id: string } }>('POST', '/portal/sub-accounts', {
      displayName: 'My first bot',
    });
    subAccountId = subAccount.id;
    for (const marketId of HELD) {
      const order = { marketId, outcome: 'yes', orderType: 'market', quantity: 20 };
      await ada.call('POST', '/portal/as/me/orders', order);
      await ada.call('POST', '/portal/as/me/orders', { marketId, outcome: 'yes', price: 0.2, quantity: 50 });
    }
    await eventually(
      'the market was traded',
      async () => {
        const answer = await fetch(`${service.baseUrl}/api/trades/recent?marketId=${MARKET}&limit=${TRADES}`);
        return ((await answer.json()) as unknown[]).length === TRADES;
      },
      { withinMs: 200_000, everyMs: 2_000 },
    );
  });

  after(async () => {
    // Both are undefined where the suite was skipped.
    await (browser as Browser | undefined)?.close();
    await (service as RunningStandalone | undefined)?.stop();
  });

  for (const name of PAGE_NAMES) {
    it(`shows ${PAGES[name].path}`, async () => {
      const address = PAGES[name].path.replace(':id', MARKET).replace(':accountId', subAccountId);
      const profile = FOR_VISITORS.has(name) ? {} : ada.profile;
      const tab = await openTab(browser, service.publicUrl + address, {
        ...profile,
        viewport: { width: 1200, height: 800 },
      });
      try {
        await tab.settled();
        if ((await tab.page.locator('.live').count()) > 0) await tab.page.locator('.live.is-live').first().waitFor();
        if ((await tab.page.locator('.chart').count()) > 0) await tab.page.locator('.chart canvas').first().waitFor();
        const picture = await webpOf(tab.page);
        expect(picture.length).to.be.at.most(BYTES_MAX);
        writeFileSync(path.join(FOLDER, `${name}.webp`), picture);
      } finally {
        await tab.close();
      }
    });
  }
});

/** The visible part of the page as WebP. */
async function webpOf(page: Page): Promise<Buffer> {
  const cdp = await page.context().newCDPSession(page);
  const { data } = await cdp.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
  return Buffer.from(data, 'base64');
}
