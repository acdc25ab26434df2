import { eventually, isLongSuiteLeftOut } from '@paper/testkit';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Tab } from '@paper/testkit/browser';
import { chromiumForTests, startPortalInBrowser } from './support/portal-in-browser.ts';
import type { PortalInBrowser } from './support/portal-in-browser.ts';
import { openMenu } from './support/menu.ts';

describe('the page of operators, in a browser', function () {
  if (isLongSuiteLeftOut()) return;
  this.timeout(120_000);
  let portal: PortalInBrowser;
  let tab: Tab;
  let page: Page;
  let traders: readonly { readonly id: string; readonly key: string }[];

  before(async function () {
    const chromium = chromiumForTests();
    if (chromium === undefined) this.skip();
    portal = await startPortalInBrowser(chromium, { COMPLIANCE_MODE: 'kyc' });
    traders = [await portal.operator.open('Ann'), await portal.operator.open('Ben')];
    for (const { id } of traders) await operate('POST', `/api/operator/accounts/${id}/approve`);
  });
  after(async () => {
    // Undefined where the suite was skipped.
    await (portal as PortalInBrowser | undefined)?.stop();
  });

  beforeEach(async () => {
    tab = await portal.open('/operators');
    ({ page } = tab);
  });
  afterEach(() => portal.closeTabs());

  const operate = (method: string, path: string, body?: object) =>
    portal.client.ok(method, path, { key: portal.service.operatorToken, ...(body === undefined ? {} : { body }) });
  /** Ann holds 40 YES shares and Ben 40 NO shares, at these prices. */
  const trade = async (marketId: string, yesPrice = 0.6, quantity = 40): Promise<void> => {
    const [ann, ben] = traders;
    const order = { marketId, side: 'buy', quantity };
    await portal.client.ok('POST', '/api/orders', {
      key: ann?.key ?? '',
      body: { ...order, outcome: 'yes', price: yesPrice },
    });
    await portal.client.ok('POST', '/api/orders', {
      key: ben?.key ?? '',
      body: { ...order, outcome: 'no', price: Math.round((1 - yesPrice) * 100) / 100 },
    });
  };
  const signIn = async (): Promise<void> => {
    await page.getByLabel('Operator token').fill(portal.service.operatorToken);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Markets' }).waitFor();
  };
  /** The page says what the command's answer said; reads of the API follow a moment later. */
  const expectPhase = (id: string, phase: string): Promise<void> =>
    eventually(`${id} is ${phase}`, async () => {
      const { body } = await portal.client.request('GET', `/api/markets/${id}`);
      return (body as { phase?: unknown }).phase === phase;
    });
  const show = (part: string) => page.getByRole('radio', { name: part }).check();
  const phase = (name: string) => page.getByLabel('Phase', { exact: true }).selectOption(name);

  it('takes a token, refuses a wrong one beside its field, and stores none in the browser', async () => {
    await page.getByLabel('Operator token').fill('a-token-of-no-operator');
    await page.keyboard.press('Enter');
    await page.getByText('No operator has this token').waitFor();
    await signIn();
    const stored = await page.evaluate(
      `JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, document.documentElement.outerHTML])`,
    );
    expect(stored).not.to.include(portal.service.operatorToken);
    const cookies = (await page.context().cookies()).filter(({ path }) => path === '/portal/operator');
    expect(cookies).to.have.length(1);
    expect(cookies[0]).to.include({ httpOnly: true, sameSite: 'Strict' });
    expect(cookies[0]?.value).not.to.include(portal.service.operatorToken);
    await page.getByRole('button', { name: "End the operator's session" }).click();
    await page.getByLabel('Operator token').waitFor();
  });

  it('lists a market, with what the service refuses beside its field', async () => {
    await signIn();
    await page.getByRole('button', { name: 'List a market' }).click();
    const dialog = page.getByRole('dialog');
    const values = {
      Title: 'Will it rain in May?',
      Id: 'rain-in-may',
      Ticker: 'RAIN',
      Company: 'weather',
      Sector: 'weather',
      Category: 'rain',
      'Settlement source': 'The weather service',
      'Chance before the first trade': '0.5',
      Closes: '2028-05-31T23:59:00Z',
      Citation: 'javascript:alert(1)',
    };
    for (const [label, value] of Object.entries(values)) await dialog.getByLabel(label, { exact: true }).fill(value);
    await page.keyboard.press('Enter');
    await dialog.getByText(/must be an http or https address/i).waitFor();
    await dialog.getByLabel('Citation', { exact: true }).fill('https://weather.example/may');
    await page.keyboard.press('Enter');
    await page.getByText('rain-in-may is listed.').waitFor();
    await expectPhase('rain-in-may', 'active');
  });

  it('pauses, activates and closes a market', async () => {
    await portal.operator.list('phases');
    await signIn();
    await page.getByRole('button', { name: 'Pause phases' }).click();
    await page.getByText('phases is paused.').waitFor();
    await phase('paused');
    await page.getByRole('button', { name: 'Activate phases' }).click();
    await page.getByText('phases is active.').waitFor();
    await phase('active');
    await page.getByRole('button', { name: 'Close phases' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close phases' }).click();
    await page.getByText('phases is closed.').waitFor();
    await expectPhase('phases', 'closed');
  });

  it('resolves a market by keyboard alone, after it has shown who is paid and the id was typed', async () => {
    await portal.operator.list('ends-yes');
    await trade('ends-yes');
    await signIn();
    await page.getByRole('button', { name: 'Resolve ends-yes' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 accounts hold shares.').waitFor();
    await dialog.getByLabel('Outcome').focus();
    await page.keyboard.press('ArrowDown');
    await dialog.getByText('$40.00 is paid for 40 Yes and 40 No shares of 2 accounts.').waitFor();
    const rows = await dialog.getByRole('row').allInnerTexts();
    expect(rows.slice(1).map((row) => row.replaceAll(/\s+/g, ' '))).to.deep.equal([
      `Ann ${traders[0]?.id ?? ''} 40 0 $40.00`,
      `Ben ${traders[1]?.id ?? ''} 0 40 $0.00`,
    ]);
    await dialog.getByLabel("Type the market's id").focus();
    await page.keyboard.type('ends-no');
    await page.keyboard.press('Enter');
    await dialog.getByText('Type ends-yes to go on.').waitFor();
    await expectPhase('ends-yes', 'active');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('ends-yes');
    await page.keyboard.press('Enter');
    await page.getByText('ends-yes ended Yes: $40.00 was paid to 2 accounts, 0 orders were cancelled.').waitFor();
    await expectPhase('ends-yes', 'resolved');
  });

  it('voids a market at a price, after it has shown who is paid and the id was typed', async () => {
    await portal.operator.list('ends-void');
    await trade('ends-void');
    await signIn();
    await page.getByRole('button', { name: 'Void ends-void' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('What a Yes share pays').fill('1.5');
    await page.keyboard.press('Enter');
    await dialog.getByText('This must be dollars from 0 to 1.').waitFor();
    await dialog.getByLabel('What a Yes share pays').fill('0.75');
    await dialog.getByText('$40.00 is paid for').waitFor();
    expect((await dialog.getByRole('row').allInnerTexts())[1]).to.include('$30.00');
    await dialog.getByLabel('Reason').fill('Two meanings');
    await dialog.getByLabel("Type the market's id").fill('ends-void');
    await page.keyboard.press('Enter');
    await page.getByText('ends-void ended void: $40.00 was paid').waitFor();
    await expectPhase('ends-void', 'void');
  });

  it('approves an account that awaits it', async () => {
    const { id } = await portal.operator.open('Waiting');
    await signIn();
    await show('Accounts');
    await page.getByText(id).waitFor();
    await page.getByRole('button', { name: 'Approve Waiting' }).click();
    await page.getByText('Waiting may trade now.').waitFor();
    await page.getByText('No account awaits approval.').waitFor();
  });

  it('closes an account after its id was typed, then forgets its names', async () => {
    const { id, key } = await portal.operator.open('Leaver');
    await operate('POST', `/api/operator/accounts/${id}/approve`);
    await signIn();
    await show('Accounts');
    await page.getByLabel('Accounts to show').selectOption('all');
    await page.getByRole('button', { name: 'Close Leaver' }).click();
    const dialog = page.getByRole('dialog');
    await page.keyboard.press('Enter');
    await dialog.getByText(`Type ${id} to go on.`).waitFor();
    await dialog.getByLabel("Type the account's id").fill(id);
    await page.keyboard.press('Enter');
    await page.getByText('Leaver is closed: 1 keys were revoked, 0 orders were cancelled.').waitFor();
    expect((await portal.client.request('GET', '/api/portfolio', { key })).status).to.equal(401);

    await page.getByRole('button', { name: 'Forget names of Leaver' }).click();
    await dialog.getByLabel("Type the account's id").fill(id);
    await page.keyboard.press('Enter');
    await page.getByText(`The names of ${id} are forgotten.`).waitFor();
    const row = page.getByRole('region', { name: 'All accounts' }).getByRole('row', { name: id });
    await row.getByText(`Trader ${id.slice(-6)}`).waitFor();
    expect(await row.getByRole('button').count()).to.equal(0);
  });

  it('has an entry in the menu of every page while an operator is signed in', async () => {
    const entry = page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Operators' });
    await page.getByLabel('Operator token').waitFor();
    await openMenu(page);
    expect(await entry.count()).to.equal(0);
    await signIn();
    await page.goto(`${portal.origin}/leaderboard`);
    await openMenu(page);
    await entry.click();
    await page.getByRole('button', { name: "End the operator's session" }).click();
    await page.getByLabel('Operator token').waitFor();
    await openMenu(page);
    await entry.waitFor({ state: 'detached' });
  });

  it('shows who moved money to whom, how far projections are, and that no rebuild runs', async () => {
    await portal.operator.list('moved');
    for (let order = 0; order < 6; order += 1) await trade('moved', 0.9, 500);
    await operate('POST', '/api/operator/markets/moved/resolve', { outcome: 'no' });
    await signIn();
    await show('Transfers');
    const row = page.getByRole('region', { name: 'Pairs of accounts' }).getByRole('row').nth(1);
    await row.waitFor();
    expect((await row.innerText()).replaceAll(/\s+/g, ' ')).to.match(/^Ann \S+ Ben \S+ \$2,6\d\d\.\d\d [78] /);
    await show('System');
    await page.getByText('No rebuild is at work.').waitFor();
    expect(await page.getByRole('region', { name: 'Projections' }).innerText()).to.include('none');
  });

  for (const [width, height] of [
    [1440, 900],
    [1024, 768],
    [390, 844],
  ] as const) {
    it(`moves nothing while its lists are read, and for what a command says, at ${width} px`, async () => {
      const id = `stays-${width}`;
      await portal.operator.list(id);
      await page.setViewportSize({ width, height });
      await signIn();
      await page.addInitScript(`
        window.shift = 0;
        new PerformanceObserver((list) => {
          for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shift += value;
        }).observe({ type: 'layout-shift', buffered: true });
      `);
      // Every list comes after all that does not depend on it.
      await page.route('**/portal/operator/api/**', async (route) => {
        await page.locator('.who a').first().waitFor();
        await page.getByText('Loading …').first().waitFor();
        await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
        await route.continue();
      });
      for (const part of ['accounts', 'transfers', 'system', 'markets']) {
        await page.goto(`${portal.origin}/operators?part=${part}`);
        await page.locator('.section').waitFor();
        await page.getByText('Loading …').first().waitFor({ state: 'detached' });
        expect(await page.evaluate('shift'), part).to.be.below(0.01);
      }
      await page.unroute('**/portal/operator/api/**');
      const top = () => page.evaluate<number>(`document.querySelector('.table-frame').offsetTop`);
      const before = await top();
      await page.getByRole('button', { name: `Pause ${id}` }).click();
      await page.getByText(`${id} is paused.`).waitFor();
      expect(await top()).to.equal(before);
    });
  }

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [360, 768, 1280]) {
      it(`has no fault of accessibility and fits at ${width} px, ${colorScheme}`, async () => {
        const id = `looks-${width}-${colorScheme}`;
        await portal.operator.list(id);
        await trade(id);
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        expect(await tab.violations('all'), 'sign-in').to.deep.equal([]);
        await signIn();
        for (const [part, shown] of [
          ['Accounts', 'No account awaits approval.'],
          ['Transfers', 'A sum shows no intent'],
          ['System', 'No rebuild is at work.'],
          ['Markets', id],
        ] as const) {
          await show(part);
          await page.getByText(shown).first().waitFor();
          await tab.picture(`operators-${part}-${width}-${colorScheme}`);
          expect(await tab.violations('all'), part).to.deep.equal([]);
          expect(await tab.overflow()).to.equal(0);
        }
        await page.getByRole('button', { name: `Resolve ${id}` }).click();
        await page.getByLabel('Outcome').selectOption('yes');
        await page.getByText('$40.00 is paid').waitFor();
        await tab.picture(`operators-resolve-${width}-${colorScheme}`);
        expect(await tab.violations('all'), 'dialog').to.deep.equal([]);
        expect(tab.complaints).to.deep.equal([]);
        expect(tab.foreign).to.deep.equal([]);
      });
    }
  }
});
