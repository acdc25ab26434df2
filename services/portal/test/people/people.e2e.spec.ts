import { eventually, longTest } from '@paper/testkit';
import { expect } from 'chai';
import { faultsOf, PortalBrowser, proveByPassword, signIn, storeCodes, tabTo } from './portal-browser.ts';
import { openFromMenu, signOut, whenSignedIn } from '../support/menu.ts';
import { addAuthenticator } from '../support/virtual-authenticator.ts';

const MARKET = 'keyboard-market';

const personOf = (name: string) => ({
  displayName: `Trader ${name}`,
  signInName: name,
  password: 'a long and quiet sentence',
});

describe('people in a browser', function () {
  this.timeout(180_000);
  let portal: PortalBrowser;

  before(async function () {
    const started = await PortalBrowser.start();
    if (started === undefined) return this.skip();
    portal = started;
    await portal.operator.list(MARKET, { title: 'Will the keyboard do?' });
    const maker = await portal.operator.open('A maker');
    await portal.client.ok('POST', '/api/orders', {
      key: maker.key,
      body: { marketId: MARKET, outcome: 'no', price: 0.45, quantity: 100 },
    });
  });

  afterEach(() => (portal as PortalBrowser | undefined)?.closeTabs());

  after(() => (portal as PortalBrowser | undefined)?.stop());

  it('by keyboard alone: sign-up, a market, a first order that fills, and the portfolio', async () => {
    const tab = await portal.open('/');
    const { page } = tab;
    const { keyboard } = page;
    const press = async (role: 'button' | 'link', name: string | RegExp): Promise<void> => {
      await tabTo(page, page.getByRole(role, { name }).first());
      await keyboard.press('Enter');
    };
    const type = async (label: string, text: string): Promise<void> => {
      const field = page.getByLabel(label, { exact: true }).and(page.locator('input:not([type="radio"])'));
      await tabTo(page, field);
      await keyboard.type(text);
    };

    await press('link', 'Sign up');
    await type('Display name', 'Keys only');
    await type('Sign-in name', 'keys-only');
    await type('Password', 'long enough, and by hand');
    await keyboard.press('Enter');
    await press('link', /Will the keyboard do\?/);
    await page.getByRole('heading', { name: 'Will the keyboard do?' }).waitFor();
    await type('Amount in $', '5.50');
    await keyboard.press('Enter');
    await page.getByText('Bought 10 Yes at 0.55 on average for $5.50').waitFor();

    await press('link', 'Portfolio');
    await page
      .getByRole('main')
      .getByText(/Will the keyboard do\?/)
      .first()
      .waitFor();
    await press('button', 'Store recovery codes');
    await tabTo(page, page.getByLabel('I have stored these codes'));
    await keyboard.press('Space');
    await press('button', 'Continue');
    await page.getByText('Nothing lets you back in yet').waitFor({ state: 'detached' });

    expect(faultsOf(tab)).to.deep.equal([]);
  });

  it('a refused sign-up says why beside the field, and keeps what was typed', async () => {
    const { page } = await portal.open('/sign-up');
    await page.getByLabel('Display name').fill('Trader of errors');
    await page.getByLabel('Sign-in name').fill('ab');
    await page.getByLabel('Password', { exact: true }).fill('a long and quiet sentence');
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByRole('alert').filter({ hasText: 'A sign-in name has 3 to 64 characters.' }).waitFor();
    const field = page.getByLabel('Sign-in name');
    expect(await field.getAttribute('aria-invalid')).to.equal('true');
    expect(await field.and(page.locator(':focus')).count()).to.equal(1);
    expect(await page.getByLabel('Display name').inputValue()).to.equal('Trader of errors');
  });

  it('a passkey signs up, signs in, and proves who it is', async () => {
    const tab = await portal.open('/help');
    const { page } = tab;
    await addAuthenticator(page);
    await page.getByRole('link', { name: 'Sign up' }).click();
    await page.getByLabel('Display name').fill('Holder of a key');
    await page.getByLabel('Sign-in name').fill('passkey-only');
    await page.getByRole('button', { name: 'Sign up with a passkey' }).click();
    await whenSignedIn(page);

    await openFromMenu(page, 'Account');
    await page.getByRole('list', { name: 'Your passkeys' }).getByText('First passkey').waitFor();
    await page.getByText('You have no password.').waitFor();
    await page.getByRole('button', { name: 'Remove the passkey First passkey' }).click();
    await page.getByRole('alert').filter({ hasText: 'This is your only way to sign in' }).waitFor();

    await signOut(page);
    await page.goto(`${portal.service.publicUrl}/sign-in?next=%2Faccount`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();

    await portal.endProofs();
    await page.getByRole('button', { name: 'Make new codes' }).click();
    await page.getByRole('dialog', { name: 'Is it you?' }).getByRole('button', { name: 'Use a passkey' }).click();
    expect(await storeCodes(page)).to.have.length(10);
    expect(faultsOf(tab)).to.deep.equal([]);
  });

  it('a proof shows the error of its newest attempt alone, a wrong password beside its field', async () => {
    const { tab } = await portal.signUp(personOf('prover'));
    const { page } = tab;
    await page.goto(`${portal.service.publicUrl}/security`);
    await page.evaluate("navigator.credentials.get = () => Promise.reject(new DOMException('no', 'NotAllowedError'))");
    await portal.endProofs();
    await page.getByText('Change the display name', { exact: true }).click();
    await page.getByLabel('New display name').fill('Proven by hand');
    await page.getByRole('button', { name: 'Use this name' }).click();
    const dialog = page.getByRole('dialog', { name: 'Is it you?' });
    const password = dialog.getByLabel('Password');
    const shows = async (text: string, isOfPassword: boolean): Promise<void> => {
      await dialog.getByRole('alert').filter({ hasText: text }).waitFor();
      expect(await dialog.getByRole('alert').count()).to.equal(1);
      expect(await password.getAttribute('aria-invalid')).to.equal(String(isOfPassword));
    };
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await shows('Type your password.', true);
    await dialog.getByRole('button', { name: 'Use a passkey' }).click();
    await shows('The browser made no use of a passkey', false);
    await password.fill('a wrong and quiet sentence');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await shows('wrong', true);
    await password.and(page.locator(':focus')).waitFor();
    expect(faultsOf(tab)).to.deep.equal([]);
  });

  it('a display name is changed after a proof, and the page says when it can be changed again', async () => {
    const person = personOf('renamed');
    const { tab } = await portal.signUp(person);
    const { page } = tab;
    await page.goto(`${portal.service.publicUrl}/security`);
    await portal.endProofs();
    const change = async (name: string): Promise<void> => {
      await page.getByLabel('New display name').fill(name);
      await page.getByRole('button', { name: 'Use this name' }).click();
    };
    await page.getByText('Change the display name', { exact: true }).click();
    await change('Changed by hand');
    await proveByPassword(page, person.password);
    await page.getByText('Your display name is Changed by hand now.').waitFor();
    await page.getByText('Everybody sees you as Changed by hand.').waitFor();
    await change('Changed again');
    await page.getByRole('alert').filter({ hasText: 'A display name can be changed once in 7 days' }).waitFor();
    expect(await page.getByLabel('New display name').inputValue()).to.equal('Changed again');
    await change('House of hands');
    await page.getByRole('alert').filter({ hasText: 'eads like "house"' }).waitFor();
    await page.goto(`${portal.service.publicUrl}/portfolio`);
    await page.getByText('Changed by hand').first().waitFor();
    expect(faultsOf(tab)).to.deep.equal([]);
  });

  it('a recovery code gives the account back, shows which keys work, and ends all other sessions', async function () {
    // Every run tests recovery without a browser.
    longTest(this);
    const person = personOf('forgetful');
    const { tab: former } = await portal.signUp(person);
    await openFromMenu(former.page, 'Account');
    await former.page.getByRole('button', { name: 'Store recovery codes' }).click();
    const [code = ''] = await storeCodes(former.page);
    const tab = await portal.open('/recover');
    const { page } = tab;
    const recover = async (password: string): Promise<void> => {
      await page.getByLabel('Sign-in name or e-mail address').fill(person.signInName);
      await page.getByLabel('Recovery code').fill(code.toUpperCase());
      await page.getByLabel('New password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Set the new password' }).click();
    };
    await recover('another long sentence');
    await page.getByRole('heading', { name: `It is your account again, ${person.displayName}` }).waitFor();
    await page.getByRole('list', { name: 'Keys that work' }).getByText('may view, trade, master').waitFor();
    await page.getByRole('button', { name: 'Continue to your account' }).click();
    await page.getByText('9 unused codes are left.').waitFor();

    await former.page.goto(`${portal.service.publicUrl}/security`);
    await former.page.getByText('This page is for people who are signed in.').waitFor();
    await former.page.goto(`${portal.service.publicUrl}/sign-in`);
    await signIn(former.page, person);
    await former.page
      .getByLabel('Password', { exact: true })
      .and(former.page.locator('[aria-invalid="true"]'))
      .waitFor();
    await signIn(former.page, { ...person, password: 'another long sentence' });
    await whenSignedIn(former.page);

    await signOut(page);
    await page.goto(`${portal.service.publicUrl}/recover`);
    await recover('a third long sentence');
    await page.getByRole('alert').filter({ hasText: 'or the code is used' }).waitFor();
  });

  it('a sign-out reaches all tabs and takes what is private', async function () {
    longTest(this);
    const person = personOf('two-tabs');
    const { tab } = await portal.signUp(person);
    const other = await tab.page.context().newPage();
    await other.goto(`${portal.service.publicUrl}/security`);
    await other.getByText(person.signInName, { exact: true }).waitFor();
    await signOut(tab.page);
    await other.getByText('This page is for people who are signed in.').waitFor();
    expect(await other.content()).not.to.include(person.signInName);

    // And a sign-in, too.
    await tab.page.goto(`${portal.service.publicUrl}/sign-in`);
    await signIn(tab.page, person);
    await other.getByText(person.signInName, { exact: true }).waitFor();
  });

  it('shows all that is stored, ends a session of another device, and deletes the account', async () => {
    const person = personOf('leaver');
    const { tab } = await portal.signUp(person);
    const { page } = tab;
    const elsewhere = await portal.open('/sign-in');
    await signIn(elsewhere.page, person);
    await whenSignedIn(elsewhere.page);

    await openFromMenu(page, 'Account');
    const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
    await eventually('two sessions are listed', async () => (await sessions.count()) === 2);
    await page.getByRole('button', { name: /^End the session/ }).click();
    await eventually('one session is left', async () => (await sessions.count()) === 1);
    await elsewhere.page.reload();
    await elsewhere.page.getByRole('link', { name: 'Sign in' }).waitFor();

    await page.getByRole('button', { name: 'Show it' }).click();
    const stored = page.getByRole('region', { name: 'Everything that is stored about me' }).locator('pre');
    expect(JSON.parse((await stored.textContent()) ?? '')).to.have.nested.property('person.signInName', 'leaver');

    await portal.endProofs();
    await page.getByRole('button', { name: 'Delete my account' }).click();
    await page.getByRole('button', { name: 'Delete it for ever' }).click();
    await page.getByRole('alert').filter({ hasText: 'Type leaver to delete the account.' }).waitFor();
    await page.getByLabel('Your sign-in name (leaver)').fill('leaver');
    await page.getByRole('button', { name: 'Delete it for ever' }).click();
    await proveByPassword(page, person.password);
    await page.getByText('your account is being deleted').waitFor();
    await signIn(page, person);
    await page.getByLabel('Password', { exact: true }).and(page.locator('[aria-invalid="true"]')).waitFor();

    // It goes on by itself to its end: the public name is gone, and both names are free.
    await eventually('nothing is stored any more', async () => !(await portal.isKnown(person.signInName)));
    await eventually('the leaderboard has no such name', async () => {
      const ranked = await portal.client.ok<{ displayName: string }[]>('GET', '/api/leaderboard?limit=500');
      return ranked.every(({ displayName }) => displayName !== person.displayName);
    });
    await page.goto(`${portal.service.publicUrl}/leaderboard`);
    await page.getByRole('table').waitFor();
    expect(await page.content()).not.to.include(person.displayName);
    expect(faultsOf(tab)).to.deep.equal([]);
    await portal.signUp(person);
  });

  it('a sign-out everywhere reaches this browser and all others', async function () {
    longTest(this);
    const person = personOf('everywhere');
    const { tab } = await portal.signUp(person);
    const elsewhere = await portal.open('/sign-in');
    await signIn(elsewhere.page, person);
    await whenSignedIn(elsewhere.page);
    await openFromMenu(tab.page, 'Account');
    await tab.page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await tab.page.getByText('This page is for people who are signed in.').waitFor();
    await elsewhere.page.getByRole('link', { name: 'Portfolio' }).click();
    await elsewhere.page.getByText('This page is for people who are signed in.').waitFor();
    expect(await elsewhere.page.content()).not.to.include(person.displayName);
  });
});
