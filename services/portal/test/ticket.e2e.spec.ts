import { randomUUID } from 'node:crypto';
import type { OrderBody } from '@paper/contracts/orders';
import { eventually, longTest } from '@paper/testkit';
import type { Page } from '@paper/testkit/browser';
import { expect } from 'chai';
import { chromiumForTests, startPortalInBrowser } from './support/portal-in-browser.ts';
import type { PortalInBrowser } from './support/portal-in-browser.ts';
import { addAuthenticator } from './support/virtual-authenticator.ts';

const SCREENS = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
] as const;

const ticket = (page: Page) => page.getByRole('region', { name: 'Order', exact: true });
const amountOf = (page: Page) => ticket(page).getByRole('textbox', { name: /^Amount in/ });
const line = (page: Page) => page.locator('.ticket-line');
const trade = (page: Page) => ticket(page).locator('button[type=submit]');

describe('the order ticket, in a browser', function () {
  this.timeout(120_000);
  let portal: PortalInBrowser;
  let makerKey = '';
  let markets = 0;
  /** The address of a market of the test's own. */
  let address = '';

  before(async function () {
    const chromium = chromiumForTests();
    if (chromium === undefined) this.skip();
    portal = await startPortalInBrowser(chromium);
    makerKey = (await portal.operator.open('Maker')).key;
  });
  beforeEach(async () => {
    const id = `traded-${(markets += 1)}`;
    address = `/markets/${id}`;
    await portal.operator.list(id, { title: 'Will the ticket trade?', tickSize: 0.01 });
    await make(id, { outcome: 'no', price: 0.68, quantity: 500 });
    await make(id, { outcome: 'no', price: 0.6, quantity: 500 });
    await make(id, { outcome: 'yes', price: 0.3, quantity: 500 });
  });
  afterEach(() => (portal as PortalInBrowser | undefined)?.closeTabs());
  after(() => (portal as PortalInBrowser | undefined)?.stop());

  const make = (marketId: string, order: object): Promise<OrderBody> =>
    portal.client.ok('POST', '/api/orders', { key: makerKey, body: { marketId, ...order } });

  const openSignedIn = async (name: string, path: string = address): Promise<Page> => {
    const { page } = await portal.open('/proof');
    await portal.signUp({ page } as Parameters<PortalInBrowser['signUp']>[0], name);
    await page.goto(portal.origin + path);
    await line(page).waitFor({ state: 'attached' });
    return page;
  };

  const isInView = async (page: Page): Promise<boolean> => {
    const box = await trade(page).boundingBox();
    return box !== null && box.y >= 0 && box.y + box.height <= (page.viewportSize()?.height ?? 0);
  };

  it('has the button that trades in view without scrolling, in every mode, and is 420 px high at most', async () => {
    const page = await openSignedIn('viewer');
    const choose = (name: string) => ticket(page).getByRole('radio', { name, exact: true }).check();
    for (const screen of SCREENS) {
      await page.setViewportSize(screen);
      await page.goto(portal.origin + address);
      await line(page).waitFor({ state: 'attached' });
      if (screen.width === 390) {
        const bar = ticket(page).getByRole('button', { name: 'Yes 0.32' });
        const box = await bar.boundingBox();
        expect((box?.y ?? 0) + (box?.height ?? 0)).to.be.within(screen.height - 60, screen.height);
        await bar.click();
      }
      for (const side of ['Buy', 'Sell']) {
        for (const type of ['Market', 'Limit']) {
          await choose(side);
          await choose(type);
          await amountOf(page).fill('17');
          if (type === 'Limit') await ticket(page).getByLabel('Limit price').fill('33');
          const at = `${side} ${type} at ${screen.width}`;
          expect(await isInView(page), at).to.equal(true);
          expect((await ticket(page).boundingBox())?.height, at).to.be.at.most(420);
        }
      }
    }
  });

  it('previews, buys, says at which price, clears the amount, and sells by one click and one order', async () => {
    const page = await openSignedIn('trader');
    await ticket(page).getByText('$10,000.00 free').waitFor();
    await amountOf(page).fill('$17');
    await line(page).getByText('≈ 53 shares at 0.32 · pays $53.00 if yes').waitFor();
    await ticket(page).getByRole('button', { name: 'Buy Yes · $16.96' }).waitFor();
    await page.keyboard.press('Enter');
    await line(page).getByText('Bought 53 Yes at 0.32 on average for $16.96. Its receipt').waitFor();
    expect(await amountOf(page).inputValue()).to.equal('');
    await page.keyboard.press('Enter');
    await line(page).getByText('Type how many dollars.').waitFor();
    await ticket(page).getByText('$9,983.04 free').waitFor();

    await amountOf(page).fill('1');
    await amountOf(page).fill('');
    await line(page).getByRole('button', { name: 'Sell' }).click();
    expect(await amountOf(page).inputValue()).to.equal('53');
    await ticket(page).getByText('53 Yes to sell').waitFor();
    await ticket(page).getByRole('button', { name: 'Sell Yes · $15.90' }).click();
    await line(page).getByText('Sold 53 Yes at 0.30 on average for $15.90.').waitFor();
  });

  it('a limit order that rests says so, and a limit is understood in cents and shown as understood', async function () {
    longTest(this);
    const page = await openSignedIn('rester');
    await ticket(page).getByRole('radio', { name: 'Limit' }).check();
    const price = ticket(page).getByLabel('Limit price');
    await price.fill('31¢');
    await ticket(page).getByRole('radio', { name: 'Shares' }).check();
    await amountOf(page).fill('10');
    expect(await price.inputValue()).to.equal('0.31');
    await line(page).getByText('10 shares would rest at 0.31 · pays $10.00 if yes').waitFor();
    await trade(page).click();
    await line(page).getByText('The order to buy 10 Yes at 0.31 rests in the book.').waitFor();
    await ticket(page).getByText('$9,996.90 free').waitFor();
  });

  it('names all faults at once, in sentences, and puts the focus on the first', async () => {
    const page = await openSignedIn('wrong');
    await ticket(page).getByRole('radio', { name: 'Limit' }).check();
    await ticket(page).getByRole('radio', { name: 'Shares' }).check();
    await ticket(page).getByLabel('Limit price').fill('33');
    await amountOf(page).fill('501');
    await page.keyboard.press('Enter');
    await line(page)
      .getByRole('alert')
      .getByText('Did you mean 0.33? This market takes at most 500 shares an order.')
      .waitFor();
    await ticket(page).getByLabel('Limit price').and(page.locator(':focus')).waitFor();
  });

  it('given too little money, says what the order needs, what is free, and which orders reserve the rest', async function () {
    longTest(this);
    const page = await openSignedIn('reserved');
    const rest = { marketId: address.slice('/markets/'.length), outcome: 'yes', price: 0.2, quantity: 500 };
    for (let orders = 0; orders < 43; orders += 1) {
      const answer = await page.request.post(`${portal.origin}/portal/as/me/orders`, {
        headers: { origin: portal.origin },
        data: orders < 42 ? { ...rest, price: 0.25 } : { ...rest, price: 0.25, quantity: 480 },
      });
      expect(answer.status()).to.equal(200);
    }
    await ticket(page).getByText('$4,630.00 free').waitFor();
    await ticket(page).getByRole('button', { name: 'Max' }).click();
    expect(await amountOf(page).inputValue()).to.equal('4630');
    await amountOf(page).fill('5,000');
    await ticket(page).getByRole('radio', { name: 'Limit' }).check();
    await ticket(page).getByLabel('Limit price').fill('0.5');
    const words = line(page).getByRole('alert');
    await words.getByText('You have $4,630.00 free: $5,370.00 is reserved by 43 orders.').waitFor();
    expect(await words.textContent()).to.match(/^This order needs \$\d,\d{3}\.\d\d\. You have/);
    expect(await words.getByRole('link', { name: 'Your orders' }).getAttribute('href')).to.equal('/portfolio');
  });

  it('stands in the address: a link fills it in, and it survives a reload', async function () {
    longTest(this);
    const visitor = await portal.open(`${address}?outcome=yes`, { viewport: { width: 390, height: 844 } });
    await amountOf(visitor.page).waitFor();
    const page = await openSignedIn('linked', `${address}?side=buy&outcome=no&amount=25`);
    await ticket(page).getByRole('button', { name: 'Buy No · $24.50' }).waitFor();
    expect(await amountOf(page).inputValue()).to.equal('25');
    await amountOf(page).fill('30');
    await page.waitForURL(`${portal.origin}${address}?outcome=no&amount=30`);
    await page.reload();
    await ticket(page).getByRole('button', { name: 'Buy No · $29.40' }).waitFor();
    expect(await amountOf(page).inputValue()).to.equal('30');
  });

  it('after three seconds says that it is safe to leave, and the reopened page says what became of the order', async function () {
    longTest(this);
    const page = await openSignedIn('waiting');
    let isHeld = true;
    await page.route('**/orders/batch', async (route) => {
      // The exchange has the order; its answer does not come.
      await route.fetch();
      await eventually('the answer may come', () => !isHeld, { withinMs: 60_000 });
      await route.abort().catch(() => undefined);
    });
    await amountOf(page).fill('32');
    await page.keyboard.press('Enter');
    await line(page).getByText('Waiting for the exchange. It is safe to leave.').waitFor();
    await page.reload();
    isHeld = false;
    await line(page).getByText('Your order from before: Bought 100 Yes at 0.32 on average for $32.00.').waitFor();
    expect(await amountOf(page).inputValue()).to.equal('');
    await page.reload();
    await ticket(page).getByText('$9,968.00 free').waitFor();
    expect(await line(page).textContent()).not.to.include('from before');
  });

  it('takes a newcomer from a market to the first fill by 4 clicks and 3 fields, with the ticket as it was', async () => {
    const { page } = await portal.open(address);
    let [clicks, fields] = [0, 0];
    const click = async (target: ReturnType<Page['locator']>): Promise<void> => {
      clicks += 1;
      await target.click();
    };
    const type = async (label: string, text: string): Promise<void> => {
      fields += 1;
      await page.getByLabel(label, { exact: true }).fill(text);
    };
    await click(ticket(page).getByRole('button', { name: '+$10', exact: true }));
    await line(page).getByText('≈ 31 shares at 0.32 · pays $31.00 if yes').waitFor();
    await click(ticket(page).getByRole('link', { name: 'Sign up to trade' }));
    await type('Display name', 'Newcomer');
    await type('Sign-in name', 'newcomer ');
    await type('Password', 'long enough, and by hand');
    await click(page.getByRole('button', { name: 'Sign up' }));
    await click(ticket(page).getByRole('button', { name: 'Buy Yes · $9.92' }));
    await line(page).getByText('Bought 31 Yes at 0.32 on average for $9.92.').waitFor();
    expect({ clicks, fields }).to.deep.equal({ clicks: 4, fields: 3 });

    // After the first trade the ticket leads to the codes, which are made anew until they are stored.
    await ticket(page).getByRole('link', { name: 'Store recovery codes' }).click();
    const store = page.getByRole('button', { name: 'Store recovery codes' });
    await store.click();
    const list = page.getByRole('list', { name: 'Recovery codes' });
    await list.waitFor();
    const seen = await list.getByRole('listitem').allTextContents();
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await store.click();
    await list.waitFor();
    expect(await list.getByRole('listitem').allTextContents())
      .to.have.length(10)
      .and.not.include(seen[0]);
    await page.getByLabel('I have stored these codes').check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await list.waitFor({ state: 'detached' });
    await store.waitFor({ state: 'detached' });
  });

  it('takes a newcomer whose device has passkeys there by 4 clicks and 2 fields, without a password', async function () {
    longTest(this);
    const { page } = await portal.open(address);
    await addAuthenticator(page);
    await ticket(page).getByRole('button', { name: '+$10', exact: true }).click();
    await ticket(page).locator('form').getByRole('link', { name: 'Sign up to trade' }).click();
    await page.getByLabel('Display name').fill('Passkey holder');
    await page.getByLabel('Sign-in name').fill('passkey-holder');
    expect(await page.getByLabel('Password', { exact: true }).count()).to.equal(0);
    await page.getByRole('button', { name: 'Sign up with a passkey' }).click();
    await ticket(page).getByRole('button', { name: 'Buy Yes · $9.92' }).click();
    await line(page).getByText('Bought 31 Yes at 0.32 on average for $9.92.').waitFor();
  });

  it('has a password one click away from the passkey', async function () {
    longTest(this);
    const { page } = await portal.open(address);
    await addAuthenticator(page);
    await page.goto(`${portal.origin}/sign-up?next=${encodeURIComponent(`${address}?amount=5`)}`);
    await page.getByLabel('Display name').fill('Of two minds');
    await page.getByLabel('Sign-in name').fill('two-minds');
    await page.getByRole('button', { name: 'Use a password instead' }).click();
    await page.keyboard.type('qwertyuiop');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('This password is one of the 10,000 used most: choose another').waitFor();
    await page.getByLabel('Password', { exact: true }).fill('long enough, and by hand');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${portal.origin}${address}?amount=5`);
    await ticket(page)
      .getByRole('button', { name: /^Buy Yes · \$4/ })
      .waitFor();
  });

  it('does so by keyboard alone', async () => {
    const { page } = await portal.open(`${address}?outcome=no`);
    const tabTo = async (target: ReturnType<Page['locator']>): Promise<void> => {
      await target.waitFor();
      for (let presses = 0; presses < 120; presses += 1) {
        if ((await target.and(page.locator(':focus')).count()) > 0) return;
        await page.keyboard.press('Tab');
      }
      throw new Error('no Tab leads there');
    };
    const press = async (target: ReturnType<Page['locator']>, key = 'Enter'): Promise<void> => {
      await tabTo(target);
      await page.keyboard.press(key);
    };
    const type = async (label: string, text: string): Promise<void> => {
      await tabTo(page.getByLabel(label, { exact: true }));
      await page.keyboard.type(text);
    };
    await press(ticket(page).getByRole('button', { name: '+10', exact: true }));
    await press(ticket(page).getByRole('link', { name: 'Sign up to trade' }));
    await type('Display name', 'Keys alone');
    await type('Sign-in name', 'keys-alone');
    await type('Password', 'long enough, and by hand');
    await page.keyboard.press('Enter');
    await press(ticket(page).getByRole('button', { name: /^Buy No · \$9/ }));
    await line(page).getByText('Bought 14 No at 0.70 on average for $9.80.').waitFor();
  });

  it('leads to the sign-in and back, and a space after the name is cut', async function () {
    longTest(this);
    const { page } = await portal.open(`${address}?amount=12`);
    await page.request.post(`${portal.origin}/portal/sign-up`, {
      headers: { origin: portal.origin },
      data: {
        signInName: 'returning',
        displayName: 'Returning',
        password: 'a long sentence',
        idempotencyKey: randomUUID(),
      },
    });
    await page.context().clearCookies();
    await page.reload();
    await ticket(page).locator('form').getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').getByText('Type your sign-in name or e-mail address.').waitFor();
    await page.getByRole('alert').getByText('Type your password.').waitFor();
    await page.getByLabel('Sign-in name or e-mail address').fill('returning ');
    await page.getByLabel('Password', { exact: true }).fill('a long sentence');
    await page.keyboard.press('Enter');
    await ticket(page)
      .getByRole('button', { name: /^Buy Yes · \$11/ })
      .waitFor();
    expect(new URL(page.url()).search).to.equal('?amount=12');
  });
});
