import type { OrderBody } from '@paper/contracts/orders';
import { eventually, isLongSuiteLeftOut } from '@paper/testkit';
import { startStandalone } from '@paper/testkit/exchange';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { marketBody, operatorClient } from '@paper/testkit/http';
import type { CheckedClient } from '@paper/testkit/http';
import { installedChromium, launchChromium, openTab } from '@paper/testkit/browser';
import type { Browser, Page, Tab } from '@paper/testkit/browser';
import { expect } from 'chai';
import { startFastPulses } from './support/fast-pulses.ts';
import type { FastPulses } from './support/fast-pulses.ts';
import { prepareExchange, MARKET } from './support/prepared-exchange.ts';
import { SignedIn } from './support/signed-in.ts';

const TABS_MAX = 120;

describe('the pages to trade on, in a browser', function () {
  if (isLongSuiteLeftOut()) return;
  this.timeout(120_000);
  const tabs: Tab[] = [];
  let browser: Browser;
  let service: RunningStandalone;
  let client: CheckedClient;
  let pulses: FastPulses;
  let people = 0;

  before(async function () {
    if (installedChromium === undefined) {
      if (process.env['REQUIRE_SERVERS'] === '1') throw new Error('no Chromium is installed');
      this.skip();
    }
    pulses = await startFastPulses();
    const env = {
      PUBLIC_URL: `http://localhost:${pulses.port}`,
      SIGN_UPS_PER_HOUR: '1000',
      SIGN_UPS_PER_DAY: '1000',
    };
    [browser, service] = await Promise.all([launchChromium(installedChromium), startStandalone({ env })]);
    pulses.before(service.baseUrl);
    client = await prepareExchange(service);
  });

  afterEach(async () => {
    for (const tab of tabs.splice(0)) {
      // A browser writes every refusal of the service into its console.
      expect(tab.complaints.filter((text) => !text.includes('a status of 400'))).to.deep.equal([]);
      await tab.close();
    }
  });

  after(async () => {
    // They are undefined where the suite was skipped.
    await (browser as Browser | undefined)?.close();
    await (service as RunningStandalone | undefined)?.stop();
    await (pulses as FastPulses | undefined)?.close();
  });

  const signUp = (): Promise<SignedIn> => SignedIn.up(service.publicUrl, `Person ${(people += 1)}`);
  const open = async (path: string, person?: SignedIn): Promise<Page> => {
    const tab = await openTab(browser, service.publicUrl + path, person?.profile ?? {});
    tabs.push(tab);
    await tab.settled();
    return tab.page;
  };
  const openMarket = async (person?: SignedIn): Promise<Page> => {
    const page = await open(`/markets/${MARKET.id}`, person);
    await page.locator('.live.is-live').waitFor();
    return page;
  };

  it('given no session, then the market shows everything, an estimate of an order, and a way to sign in and back', async () => {
    const page = await openMarket();
    expect(await page.locator('h1').textContent()).to.equal(MARKET.title);
    expect(await texts(page, '.ladder .bid .price')).to.deep.equal(['0.60']);
    expect(await texts(page, '.ladder .ask .price')).to.deep.equal(['0.66']);
    await page.locator('.chart canvas').waitFor();
    expect(await page.locator('.trades tbody tr').count()).to.equal(2);
    expect(await page.getByRole('button', { name: 'Buy Yes' }).count()).to.equal(0);
    // The pulses are the test's own, so the price on the button is too.
    await page
      .locator('.ticket')
      .getByRole('button', { name: /^Yes 0\.\d\d$/ })
      .click();
    await page.getByRole('textbox', { name: 'Amount in $' }).fill('6.60');
    await page.locator('.ticket-line').getByText('≈ 10 shares at 0.66 · pays $10.00 if yes').waitFor();
    const signIn = page.locator('.ticket').getByRole('link', { name: 'Sign in' });
    expect(await signIn.getAttribute('href')).to.equal(`/sign-in?next=%2Fmarkets%2F${MARKET.id}%3Famount%3D6.60`);
  });

  it('given markup in texts of operators, then it is shown as text, and only a citation is a link', async () => {
    const page = await openMarket();
    const news = page.locator('.timeline li');
    await news.waitFor();
    expect(await news.locator('a').textContent()).to.equal('It <script>rises</script> & stays');
    expect(await news.textContent()).to.include('the <i>wire</i>');
    expect(await news.locator('a').getAttribute('href')).to.equal('https://example.com/news?a=%22b%22');
    expect(await news.locator('a').getAttribute('rel')).to.equal('noopener noreferrer');
    expect(await page.locator('main script, main i, main b').count()).to.equal(0);
  });

  it('by keyboard alone: an order is previewed, placed, marked in the ladder, amended and cancelled', async () => {
    const page = await openMarket(await signUp());
    await page.goto(`${page.url()}?unit=shares`);
    await page.locator('.live.is-live').waitFor();
    await tabTo(page, 'Market');
    await page.keyboard.press('ArrowRight');
    await tabTo(page, 'Limit price');
    await page.keyboard.type('0.5');
    await tabTo(page, 'Amount in shares');
    await page.keyboard.type('10');
    await page.locator('.ticket-line').getByText('10 shares would rest at 0.50 · pays $10.00 if yes').waitFor();
    await page.keyboard.press('Enter');
    const result = page.locator('.ticket-result');
    await result.filter({ hasText: 'The order to buy 10 Yes at 0.50 rests in the book.' }).waitFor();
    await result.filter({ hasText: 'Its receipt is kept in this browser.' }).waitFor();
    const mine = page.locator('.ladder .mine');
    await mine.filter({ hasText: '0.50' }).locator('.own-shares').filter({ hasText: '10' }).waitFor();

    await tabTo(page, 'Amend the order to buy 10 Yes at 0.50');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Total shares');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('7');
    await page.getByText('The rest costs at most $3.50, before $5.00.').waitFor();
    await page.keyboard.press('Enter');
    await mine.locator('.own-shares').filter({ hasText: '7' }).waitFor();

    await tabTo(page, 'Cancel the order to buy 7 Yes at 0.50');
    await page.keyboard.press('Enter');
    await mine.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Your open orders' }).waitFor({ state: 'detached' });
  });

  it('given a market order, then it does what the preview showed', async () => {
    const page = await openMarket(await signUp());
    await page.getByRole('radio', { name: 'No', exact: true }).last().check();
    await page.getByRole('radio', { name: 'Shares' }).check();
    await page.getByRole('textbox', { name: 'Amount in shares' }).fill('2');
    await page.locator('.ticket-line').getByText('≈ 2 shares at 0.40 · pays $2.00 if no').waitFor();
    await page.getByRole('button', { name: 'Buy No · $0.80' }).click();
    await page.locator('.ticket-result').filter({ hasText: 'Bought 2 No at 0.40 on average for $0.80.' }).waitFor();
    await page.locator('.book-holding').filter({ hasText: 'You hold 0 Yes and 2 No.' }).waitFor();
    await page.locator('.trades tbody tr').first().filter({ hasText: 'Bought' }).waitFor();
  });

  it('given a sale without shares, then the ticket says what is there to sell', async () => {
    const page = await openMarket(await signUp());
    await page.getByRole('radio', { name: 'Sell' }).check();
    const amount = page.getByRole('textbox', { name: 'Amount in shares' });
    await amount.fill('5');
    await eventually('the refusal is there', async () =>
      (await described(page, amount)).includes('You hold no Yes to sell. To trade against it, buy No.'),
    );
    expect(await amount.getAttribute('aria-invalid')).to.equal('true');
  });

  it("takes a ladder's price into the ticket by the arrow keys", async () => {
    const page = await openMarket(await signUp());
    await tabTo(page, 'Take 0.66 as the price');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await page.getByLabel('Limit price').inputValue()).to.equal('0.6');
  });

  it("follows others' orders without being loaded again", async () => {
    const page = await openMarket();
    const { key } = await operatorClient(client, service.operatorToken).open('Cleo');
    const body = { marketId: MARKET.id, outcome: 'yes', price: 0.33, quantity: 4 };
    const order = await client.ok<OrderBody>('POST', '/api/orders', { key, body });
    const level = page.locator('.ladder .bid').filter({ hasText: '0.33' });
    await level.waitFor();
    await client.ok('DELETE', `/api/orders/${order.id}`, { key });
    await level.waitFor({ state: 'detached' });
  });

  it('given the time slider on an earlier event, then book and shares are those of that moment', async () => {
    const person = await signUp();
    const page = await openMarket(person);
    await person.call('POST', '/portal/as/me/orders', {
      marketId: MARKET.id,
      outcome: 'yes',
      orderType: 'market',
      quantity: 1,
    });
    await page.locator('.book-holding').filter({ hasText: 'You hold 1 Yes' }).waitFor();
    await page.reload();
    const slider = page.getByLabel('History');
    await eventually('there are moments', async () => Number(await slider.getAttribute('max')) > 3);
    await slider.focus();
    await page.keyboard.press('ArrowLeft');
    await page.locator('.book-past').waitFor();
    await page.locator('.book-holding').filter({ hasText: 'You held 1 Yes and 0 No; cash $9,999.34.' }).waitFor();
    await page.keyboard.press('Home');
    await page.locator('.book-holding').filter({ hasText: 'Your account was not open yet.' }).waitFor();
    expect(await page.locator('.ladder .price').count()).to.equal(0);
    await page.getByRole('button', { name: 'Now' }).click();
    await page.locator('.book-holding').filter({ hasText: 'You hold 1 Yes' }).waitFor();
    expect(await page.locator('.ladder .price').count()).to.be.above(1);
  });

  it('given trades and orders, then the portfolio has them, by one mark, with a chart that ends at the equity', async () => {
    const person = await signUp();
    const order = { marketId: MARKET.id, outcome: 'yes', quantity: 2 };
    await person.call('POST', '/portal/as/me/orders', { ...order, orderType: 'market' });
    await person.call('POST', '/portal/as/me/orders', { ...order, price: 0.12 });
    const page = await open('/portfolio', person);
    const figures = page.locator('.tiles');
    await figures.filter({ hasText: 'Cash$9,998.68Free$9,998.44Reserved$0.24by 1 order' }).waitFor();
    const position = page.getByRole('table', { name: 'Positions' }).locator('.virtual-row');
    expect(await position.locator('[data-name=Shares]').textContent()).to.equal('2');
    const sell = position.getByRole('link', { name: `Sell Yes of ${MARKET.title}` });
    expect(await sell.getAttribute('href')).to.equal(`/markets/${MARKET.id}?side=sell&outcome=yes`);
    const trades = page.getByRole('table', { name: 'Trades' });
    await trades.scrollIntoViewIfNeeded();
    await trades.locator('.virtual-row').filter({ hasText: 'Bought Yes' }).waitFor();
    await page.locator('.equity canvas').waitFor();
    await page.getByRole('radio', { name: '1D' }).check();
    await page.getByText('The chart as a table').click();
    const points = page.locator('.chart-table tbody tr');
    await points.filter({ hasText: '$10,000.00' }).first().waitFor();
    // The marks change with each pulse, here every two seconds, and all figures with them.
    const seen = new Set<string>();
    await eventually('the mark has changed', async () => {
      const [equity = '', pnl, today, charted, value] = await page.evaluate<string[]>(`[
        ...[...document.querySelectorAll('.tiles dd')].slice(0, 3),
        document.querySelector('.chart-table tbody td:last-child'),
        document.querySelector('[data-name=Value]'),
      ].map(({ textContent }) => textContent)`);
      const dollars = (text = ''): number => Number(text.replace('−', '-').replaceAll(/[$,+]/g, ''));
      expect(dollars(pnl)).to.be.closeTo(dollars(equity) - 10_000, 0.001);
      // The account was opened today.
      expect(today).to.equal(pnl);
      expect(9_998.68 + dollars(value)).to.be.closeTo(dollars(equity), 0.001);
      // The chart follows as soon as the page is idle.
      if (charted !== equity) return false;
      return seen.add(equity).size > 1;
    });
    await page.getByRole('button', { name: 'Cancel the order to buy 2 Yes at 0.12' }).click();
    await page.getByText('No order is open.').waitFor();
  });

  it('by keyboard alone: after Cancel the next row has the focus, and Cancel all asks before it cancels the rest', async () => {
    const person = await signUp();
    for (const price of [0.11, 0.12, 0.13, 0.14]) {
      await person.call('POST', '/portal/as/me/orders', { marketId: MARKET.id, outcome: 'yes', quantity: 1, price });
    }
    const page = await open('/portfolio', person);
    await page.getByRole('button', { name: 'Cancel all' }).waitFor();
    const focused = async (name: string): Promise<void> => {
      await page.getByRole('button', { name }).and(page.locator(':focus')).waitFor();
    };
    // The newest order is the first.
    await tabTo(page, 'Cancel the order to buy 1 Yes at 0.13');
    await page.keyboard.press('Enter');
    await focused('Cancel the order to buy 1 Yes at 0.12');
    await tabTo(page, 'Cancel the order to buy 1 Yes at 0.11');
    await page.keyboard.press('Enter');
    await focused('Cancel the order to buy 1 Yes at 0.12');
    await tabTo(page, 'Cancel all');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Cancel all 2 open orders?' });
    await dialog.getByRole('button', { name: 'Keep orders' }).click();
    expect(await page.locator('.orders tbody tr').count()).to.equal(2);
    await page.getByRole('button', { name: 'Cancel all' }).click();
    await dialog.getByRole('button', { name: 'Cancel them all' }).click();
    await page.getByText('No order is open.').waitFor();
  });

  it('given a position, then Close says what its sale brings, sells it, and says what was sold', async () => {
    const person = await signUp();
    const order = { marketId: MARKET.id, outcome: 'yes', orderType: 'market', quantity: 2 };
    await person.call('POST', '/portal/as/me/orders', order);
    const page = await open('/portfolio', person);
    await page.getByRole('button', { name: `Close Yes of ${MARKET.title}` }).click();
    const dialog = page.getByRole('dialog', { name: 'Sell 2 Yes?' });
    await dialog.getByText('Sells all at the best prices now: at 0.60 on average, for $1.20.').waitFor();
    await dialog.getByRole('button', { name: 'Sell 2 · $1.20' }).click();
    await page.getByRole('status').filter({ hasText: 'Sold 2 Yes at 0.60 on average' }).waitFor();
    await page.getByText('No shares are held.').waitFor();
    const trades = page.getByRole('table', { name: 'Trades' });
    await trades.scrollIntoViewIfNeeded();
    await trades.locator('.virtual-row').filter({ hasText: 'Sold Yes' }).waitFor();
  });

  it('given an account that has never traded, then its portfolio says what to do first', async () => {
    const page = await open('/portfolio', await signUp());
    await page.getByText('You have $10,000.00 of simulated money.').waitFor();
    expect(await page.getByRole('link', { name: 'Choose a market' }).getAttribute('href')).to.equal('/');
    expect(await page.getByRole('heading', { name: 'Positions' }).count()).to.equal(0);
  });

  it('given a sub-account, then the portfolio has the sum of the fleet, and the sub-account has a page to look at', async () => {
    const person = await signUp();
    const { subAccount } = await person.call<{ subAccount: { id: string } }>('POST', '/portal/sub-accounts', {
      displayName: 'Second',
    });
    const page = await open('/portfolio', person);
    await page
      .getByRole('row', { name: /^All 2 accounts/ })
      .filter({ hasText: '$20,000.00' })
      .waitFor();
    await page.getByRole('link', { name: 'Second' }).click();
    await page.getByRole('heading', { level: 1, name: 'Portfolio of Second' }).waitFor();
    expect(new URL(page.url()).pathname).to.equal(`/portfolio/${subAccount.id}`);
    await page.locator('.tiles').filter({ hasText: 'Cash$10,000.00' }).waitFor();
  });

  describe('with 500 positions', () => {
    const COUNT = 500;
    let person: SignedIn;

    before(async () => {
      person = await signUp();
      const { key } = await operatorClient(client, service.operatorToken).open('Maker');
      for (let at = 0; at < COUNT; at += 50) {
        const ids = Array.from({ length: 50 }, (_, offset) => `p${at + offset}`);
        const commands = ids.map((id) => ({ op: 'list-market', ...marketBody(id, { title: `Will ${id} happen?` }) }));
        await client.ok('POST', '/api/operator/batch', { key: service.operatorToken, body: { commands } });
        const of = (outcome: 'yes' | 'no') => ({
          orders: ids.map((marketId) => ({ marketId, outcome, price: 0.5, quantity: 1 })),
        });
        await client.ok('POST', '/api/orders/batch', { key, body: of('no') });
        await person.call('POST', '/portal/as/me/orders/batch', of('yes'));
      }
    });

    it('has few rows as elements, and shows the last one when it is scrolled to', async () => {
      const page = await open('/portfolio', person);
      const table = page.getByRole('table', { name: 'Positions' });
      await table.locator('.virtual-row').first().waitFor();
      expect(await table.getAttribute('aria-rowcount')).to.equal(String(COUNT + 1));
      expect(await table.locator('.virtual-row').count()).to.be.below(60);
      await page.getByRole('heading', { name: 'Open orders' }).scrollIntoViewIfNeeded();
      await table.locator(`[aria-rowindex="${COUNT + 1}"]`).waitFor();
    });

    it('shows other prices at each pulse, in every row on screen', async () => {
      const page = await open('/portfolio', person);
      await page.getByRole('table', { name: 'Positions' }).locator('.virtual-row').first().waitFor();
      await page.evaluate(`document.querySelector('.virtual-rows').scrollIntoView()`);
      const onScreen = `[...document.querySelectorAll('.virtual-row')].filter((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return bottom > 0 && top < innerHeight;
      })`;
      await eventually('rows are on screen', async () => (await page.evaluate<number>(`${onScreen}.length`)) >= 10);
      await page.evaluate(`
        unchanged = new Set(${onScreen});
        new MutationObserver((list) => list.forEach(({ target }) => unchanged.delete(target.parentElement.closest('.virtual-row'))))
          .observe(document.querySelector('.virtual-rows'), { subtree: true, characterData: true });
      `);
      await eventually('every row has changed', async () => (await page.evaluate<number>('unchanged.size')) === 0);
    });
  });
});

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const focused = `(() => {
    const { activeElement: at } = document;
    return at?.getAttribute('aria-label') ?? at?.labels?.[0]?.textContent ?? at?.textContent ?? '';
  })()`;
  for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate<string>(focused)).trim() === name) return;
  }
  throw new Error(`no Tab leads to ${name}`);
}

const texts = (page: Page, selector: string): Promise<string[]> => page.locator(selector).allTextContents();

/** The texts that describe a field: its hint and its error. */
async function described(page: Page, field: ReturnType<Page['locator']>): Promise<string> {
  const ids = ((await field.getAttribute('aria-describedby')) ?? '').split(' ').filter((id) => id !== '');
  const found = await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).textContent()));
  return found.join(' ');
}
