import { eventually } from '@paper/testkit';
import type { Page } from '@paper/testkit/browser';
import { expect } from 'chai';
import { chromiumForTests, startPortalInBrowser } from './support/portal-in-browser.ts';
import type { PortalInBrowser } from './support/portal-in-browser.ts';

/** A market's page by phase: only an active market has a ticket. */
describe("a market's page in each phase, in a browser", function () {
  this.timeout(120_000);
  let portal: PortalInBrowser;
  let person: Page;
  let visitor: Page;

  before(async function () {
    const chromium = chromiumForTests();
    if (chromium === undefined) this.skip();
    portal = await startPortalInBrowser(chromium);
    const tab = await portal.open('/');
    await portal.signUp(tab, 'holder');
    person = tab.page;
    visitor = (await portal.open('/')).page;
    const maker = await portal.operator.open('Maker');
    for (const id of ['paused', 'closed', 'resolved', 'void', 'empty']) {
      await portal.operator.list(id, { title: `Will ${id} happen?` });
      if (id === 'empty') continue;
      const order = { marketId: id, side: 'buy', quantity: 20 };
      await portal.client.ok('POST', '/api/orders', {
        key: maker.key,
        body: { ...order, outcome: 'no', price: 0.6, quantity: 50 },
      });
      await person.request.post(`${portal.origin}/portal/as/me/orders`, {
        headers: { origin: portal.origin },
        data: { ...order, outcome: 'yes', price: 0.4 },
      });
    }
    await portal.operator.list('scheduled', { status: 'pending' });
    await operate('paused', 'pause');
    await operate('closed', 'close');
    const resolution = { outcome: 'yes', headline: 'It <i>happened</i>', source: 'the wire' };
    await operate('resolved', 'resolve', { ...resolution, citationUrl: 'https://example.com/it' });
    await operate('empty', 'resolve', { outcome: 'no' });
    await operate('void', 'void', { reason: 'The question had two meanings', price: 0.25 });
  });
  after(async () => {
    // Undefined where the suite was skipped.
    await (portal as PortalInBrowser | undefined)?.stop();
  });

  const operate = async (id: string, action: string, body?: object): Promise<void> => {
    const path = `/api/operator/markets/${id}`;
    const given = body === undefined ? {} : { body };
    await portal.client.ok('POST', `${path}/${action}`, { key: portal.service.operatorToken, ...given });
    const ended: Record<string, string> = { pause: 'paused', close: 'closed', resolve: 'resolved', void: 'void' };
    await eventually(`${id} is ${ended[action]}`, async () => {
      const { body: market } = await portal.client.request('GET', `/api/markets/${id}`);
      return (market as { phase?: unknown }).phase === ended[action];
    });
  };
  const open = async (page: Page, id: string): Promise<void> => {
    await page.goto(`${portal.origin}/markets/${id}`);
    await page.locator('.chart').waitFor();
  };
  const card = (page: Page) => page.locator('.settled-card');

  it('resolved: how it ended and when, what the person got, and who decided it by which source; nothing to trade with', async () => {
    await open(person, 'resolved');
    await card(person).getByRole('heading', { name: 'Resolved Yes' }).waitFor();
    await card(person).getByText('Your 20 Yes paid $20.00: +$12.00').waitFor();
    await card(person).getByText('Decided by the wire').waitFor();
    expect(await card(person).textContent()).to.match(/[A-Z][a-z]{2} \d+, \d\d:\d\d UTC\S* · paid \$1\.00/);
    const source = card(person).getByRole('link', { name: 'It <i>happened</i>' });
    expect(await source.getAttribute('href')).to.equal('https://example.com/it');
    await person.waitForFunction("document.title.includes('· Resolved Yes')");
    for (const page of [person, visitor]) {
      await open(page, 'resolved');
      await card(page).getByText('Decided by the wire').waitFor();
      expect(await page.locator('.ladder, .live, .offer, form.ticket, .chance').count()).to.equal(0);
      expect(await page.getByRole('button', { name: /^(Buy|Sell)/ }).count()).to.equal(0);
      expect(await page.getByText('Sign in to trade').count()).to.equal(0);
    }
    await visitor.getByLabel('History').focus();
    await visitor.keyboard.press('ArrowLeft');
    // A past moment has its book.
    await visitor.locator('.book.past').waitFor();
  });

  it('resolved without shares and without a source: it says so', async () => {
    await open(person, 'empty');
    await card(person).getByRole('heading', { name: 'Resolved No' }).waitFor();
    await card(person).getByText('You held no shares.').waitFor();
    await card(person).getByText('Decided by an operator of this exchange').waitFor();
  });

  it('void: what each outcome paid, the reason, and what the person got', async () => {
    await open(person, 'void');
    await card(person).getByRole('heading', { name: 'Void' }).waitFor();
    await card(person).getByText('Yes paid $0.25, No paid $0.75').waitFor();
    await card(person).getByText('Your 20 Yes paid $5.00: −$3.00').waitFor();
    await card(person).getByText('The question had two meanings').waitFor();
  });

  for (const [id, words, hasLadder] of [
    ['scheduled', 'Scheduled: trading has not begun.', false],
    ['paused', 'Paused: no order can be placed or amended now. You can cancel', true],
    ['closed', 'Closed: trading has ended, and the outcome is not decided yet.', false],
  ] as const) {
    it(`${id}: a banner says which it is and what is still possible, and there is no ticket`, async () => {
      await open(person, id);
      await person.locator('.market-title .notice').getByText(words).waitFor();
      expect(await person.locator('.ladder').count()).to.equal(hasLadder ? 1 : 0);
      expect(await person.locator('.ticket, .ladder button').count()).to.equal(0);
    });
  }
});
