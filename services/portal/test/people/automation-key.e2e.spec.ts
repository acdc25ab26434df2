import { longTest } from '@paper/testkit';
import { expect } from 'chai';
import { faultsOf, PortalBrowser, proveByPassword } from './portal-browser.ts';
import { SignedIn } from '../support/signed-in.ts';
import { openFromMenu } from '../support/menu.ts';

const MARKET = 'bot-market';
const PERSON = { displayName: 'Fleet owner', signInName: 'fleet-owner', password: 'the owner of a fleet' };

interface Issued {
  readonly apiKey: { readonly id: string; readonly rawKey: string };
}

describe('the automation key', function () {
  this.timeout(180_000);
  let portal: PortalBrowser;

  before(async function () {
    const started = await PortalBrowser.start();
    if (started === undefined) return this.skip();
    portal = started;
    await portal.operator.list(MARKET, { title: 'Will bots trade?' });
    const maker = await portal.operator.open('A maker');
    await portal.client.ok('POST', '/api/orders', {
      key: maker.key,
      body: { marketId: MARKET, outcome: 'no', price: 0.45, quantity: 100 },
    });
  });

  afterEach(() => (portal as PortalBrowser | undefined)?.closeTabs());

  after(() => (portal as PortalBrowser | undefined)?.stop());

  it('is not needed in the API reference, which sends calls by the session', async () => {
    const reader = await SignedIn.up(portal.service.publicUrl, 'Reader');
    const { page } = await portal.open('/api/docs', reader.profile);
    await page.getByText('Requests go as Reader, by your session.').waitFor();
    const operation = page.locator('#operations-Portfolio-getPositions');
    await operation.getByRole('button').first().click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    const status = operation.locator('.live-responses-table .response-col_status').last();
    await status.waitFor();
    expect(await status.innerText()).to.match(/^200/);
    expect(await operation.locator('.curl-command').innerText()).not.to.include('svc_live_');
  });

  it('made in the browser, lets a bot set up its fleet and trade; the person sees it live', async () => {
    const { client } = portal;
    const { tab } = await portal.signUp(PERSON);
    const { page } = tab;

    // The person makes a sub-account in the browser, whose key is shown once.
    await openFromMenu(page, 'Developers');
    await page.getByLabel('Display name').fill('Made by hand');
    await portal.endProofs();
    await page.getByRole('button', { name: 'Create the sub-account' }).click();
    await proveByPassword(page, PERSON.password);
    const byHand = page.getByRole('region', { name: 'Made by hand', exact: true });
    const keyOfSub = await byHand.getByText(/^svc_live_/).textContent();
    await byHand.getByRole('button', { name: 'I have stored it' }).click();
    await byHand.getByText('no use noted yet').waitFor();
    expect(await page.content()).not.to.match(/svc_live_\w/);
    const portfolio = await client.ok<{ summary: { displayName: string } }>('GET', '/api/portfolio', {
      key: keyOfSub!,
    });
    expect(portfolio.summary.displayName).to.equal('Made by hand');

    // Then the master key.
    await openFromMenu(page, 'Developers');
    await page.getByLabel('Name of the key').fill('fleet builder');
    await page.getByRole('button', { name: 'Make the master key' }).click();
    const shown = page.getByRole('group', { name: 'The new key fleet builder' });
    const master = (await shown.locator('code').first().textContent()) ?? '';
    expect(master).to.match(/^svc_live_/);
    expect(await page.getByRole('region', { name: 'The program in curl' }).textContent()).to.include(
      `KEY='${master}'\ncurl -s -X POST '${portal.service.publicUrl}/api/accounts/sub'`,
    );
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('list', { name: 'Master keys' }).getByText(master.slice(-4), { exact: true }).waitFor();
    expect(await page.content()).not.to.include(master);

    // A bot with that key alone sets up its fleet over the API, and trades.
    await openFromMenu(page, 'Developers');
    const made = await client.ok<Issued & { subAccount: { id: string } }>('POST', '/api/accounts/sub', {
      key: master,
      body: { displayName: 'Made by a bot' },
    });
    await client.ok('PUT', `/api/accounts/keys/${made.apiKey.id}/mandate`, { key: master, body: { maxOrderCost: 20 } });
    const order = await client.ok<{ status: string }>('POST', '/api/orders', {
      key: made.apiKey.rawKey,
      body: { marketId: MARKET, outcome: 'yes', price: 0.55, quantity: 10 },
    });
    expect(order.status).to.equal('filled');

    // The person sees it without a reload.
    const byBot = page.getByRole('region', { name: 'Made by a bot', exact: true });
    await byBot.getByText('$20.00 an order').waitFor();
    await byBot.getByRole('definition').filter({ hasText: '$9,994.50' }).waitFor();

    await byBot.getByRole('link', { name: 'View the portfolio' }).click();
    await page.waitForURL(`**/portfolio/${made.subAccount.id}`);
    await page.getByRole('main').getByText('Will bots trade?').first().waitFor();

    // Revoked in the browser, the key stops at once.
    await openFromMenu(page, 'Developers');
    await page.getByRole('button', { name: 'Revoke the key fleet builder of Fleet owner' }).click();
    await page.getByRole('button', { name: 'Revoke it' }).click();
    const masters = page.getByRole('list', { name: 'Master keys' });
    await masters.getByText('revoked', { exact: true }).waitFor();
    const refused = await client.request('GET', '/api/accounts/sub', { key: master });
    expect(refused.status).to.equal(401);

    // A closed sub-account stays listed, without keys.
    await page.getByRole('button', { name: 'Close Made by hand' }).click();
    await page.getByRole('button', { name: 'Close it for ever' }).click();
    const closed = page.getByRole('region', { name: 'Made by hand (closed)' });
    await closed.getByText('revoked', { exact: true }).waitFor();
    expect(await closed.getByRole('button').count()).to.equal(0);
    expect((await client.request('GET', '/api/portfolio', { key: keyOfSub! })).status).to.equal(401);
    expect(faultsOf(tab)).to.deep.equal([]);
  });

  it('and every other key is held to the limits that the person sets, changes and removes in the browser', async function () {
    longTest(this);
    const { client } = portal;
    const { tab } = await portal.signUp({ ...PERSON, signInName: 'limiter', displayName: 'Limiter' });
    const { page } = tab;
    await openFromMenu(page, 'Developers');
    await page.getByLabel('Display name').fill('Held');
    await page.getByRole('button', { name: 'Create the sub-account' }).click();
    const held = page.getByRole('region', { name: 'Held', exact: true });
    const key = (await held.getByText(/^svc_live_/).textContent()) ?? '';
    await held.getByRole('button', { name: 'I have stored it' }).click();
    const buy = async (quantity: number): Promise<string> => {
      const body = { marketId: MARKET, outcome: 'yes', price: 0.1, quantity };
      const answer = await client.request('POST', '/api/orders', { key, body });
      return answer.status === 200 ? 'taken' : String((answer.body as { code?: unknown }).code);
    };

    await portal.endProofs();
    await held.getByRole('button', { name: /^Limits of the key/ }).click();
    const dialog = page.getByRole('dialog', { name: /^Limits of the key/ });
    await dialog.getByLabel('Cost of one order').fill('a dollar');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').filter({ hasText: 'Write dollars with at most four decimals' }).waitFor();
    await dialog.getByLabel('Cost of one order').fill('1');
    await dialog.getByLabel('Only in certain markets').check();
    await dialog.getByLabel('Ids of these markets').fill(MARKET);
    await dialog.getByRole('button', { name: 'Save the limits' }).click();
    await proveByPassword(page, PERSON.password);
    await held.getByText('$1.00 an order').waitFor();
    expect([await buy(10), await buy(11)]).to.deep.equal(['taken', 'mandate_exceeded']);

    await held.getByRole('button', { name: /^Limits of the key/ }).click();
    expect(await dialog.getByLabel('Cost of one order').inputValue()).to.equal('1');
    await dialog.getByLabel('Cost of one order').fill('');
    await dialog.getByLabel('Ids of these markets').fill('');
    await dialog.getByRole('button', { name: 'Save the limits' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await buy(1)).to.equal('mandate_exceeded');

    await held.getByRole('button', { name: /^Limits of the key/ }).click();
    await dialog.getByRole('button', { name: 'Remove all limits' }).click();
    await dialog.waitFor({ state: 'detached' });
    await held.getByText(/^Limits:/).waitFor({ state: 'detached' });
    expect(await buy(11)).to.equal('taken');
    expect(faultsOf(tab)).to.deep.equal([]);
  });
});
