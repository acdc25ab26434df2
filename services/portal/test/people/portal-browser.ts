import { runningPostgres } from '@paper/embedded-postgres';
import { withClient } from '@paper/runtime';
import { connectPortal } from '../../src/base/database.ts';
import { makeInvite } from '../../src/identity/invites.ts';
import { startStandalone } from '@paper/testkit/exchange';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { createCheckedClient, operatorClient } from '@paper/testkit/http';
import type { CheckedClient, OperatorClient } from '@paper/testkit/http';
import { installedChromium, launchChromium, openTab } from '@paper/testkit/browser';
import type { Browser, BrowserContextOptions, Page, Tab } from '@paper/testkit/browser';
import { whenSignedIn } from '../support/menu.ts';

/** A person who signs up in a test. */
export interface TestPerson {
  readonly displayName: string;
  readonly signInName: string;
  readonly password: string;
}

/** A standalone with its portal, and a browser that opens its pages. */
export class PortalBrowser {
  readonly #tabs: Tab[] = [];

  private constructor(
    readonly service: RunningStandalone,
    readonly browser: Browser,
    /** Checks each answer of the API against its document. */
    readonly client: CheckedClient,
    readonly operator: OperatorClient,
  ) {}

  /**
   * Starts both. Undefined where no Chromium is installed and REQUIRE_SERVERS is not set.
   *
   * @param env settings of the standalone
   */
  static async start(env: Readonly<Record<string, string>> = {}): Promise<PortalBrowser | undefined> {
    if (installedChromium === undefined) {
      if (process.env['REQUIRE_SERVERS'] === '1') throw new Error('no Chromium is installed');
      return undefined;
    }
    const [browser, service] = await Promise.all([
      launchChromium(installedChromium),
      startStandalone({ env: { SIGN_UPS_PER_HOUR: '1000', SIGN_UPS_PER_DAY: '1000', ...env } }),
    ]);
    const client = await createCheckedClient(service.baseUrl);
    return new PortalBrowser(service, browser, client, operatorClient(client, service.operatorToken));
  }

  /** Opens a page in a fresh browser profile. */
  async open(path: string, options?: BrowserContextOptions): Promise<Tab> {
    const tab = await openTab(this.browser, this.service.publicUrl + path, options);
    this.#tabs.push(tab);
    return tab;
  }

  /** Signs a person up in a fresh browser profile. */
  async signUp(person: TestPerson): Promise<{ readonly tab: Tab }> {
    const tab = await this.open('/sign-up');
    const { page } = tab;
    await page.getByLabel('Display name').fill(person.displayName);
    await page.getByLabel('Sign-in name').fill(person.signInName);
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    await page.getByRole('button', { name: 'Sign up' }).click();
    await whenSignedIn(page);
    return { tab };
  }

  /** Makes all sessions as if their last proof were more than five minutes ago. */
  async endProofs(): Promise<void> {
    const connectionString = runningPostgres(this.service.dataDir) ?? '';
    await withClient({ connectionString }, (client) =>
      client.query("update portal.sessions set proven_until = now() - interval '1 second'"),
    );
  }

  /** Makes an invite, as an operator does. Gives its link. */
  async invite(uses: number): Promise<string> {
    const db = connectPortal(runningPostgres(this.service.dataDir) ?? '', () => undefined);
    const expiresAt = new Date(Date.now() + 3_600_000);
    const { token } = await makeInvite(db, { madeBy: 'a test', uses, expiresAt });
    await db.destroy();
    return `${this.service.publicUrl}/sign-up?invite=${token}`;
  }

  /** Whether anything is stored about a person with this sign-in name. */
  async isKnown(signInName: string): Promise<boolean> {
    const connectionString = runningPostgres(this.service.dataDir) ?? '';
    const people = await withClient({ connectionString }, (client) =>
      client.query('select from portal.people where sign_in_name = $1', [signInName]),
    );
    return people.rowCount !== 0;
  }

  async closeTabs(): Promise<void> {
    for (const tab of this.#tabs.splice(0)) await tab.close();
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.service.stop();
  }
}

/** Reads the recovery codes that a page shows, and says that they are stored. */
export async function storeCodes(page: Page): Promise<readonly string[]> {
  const list = page.getByRole('list', { name: 'Recovery codes' });
  await list.waitFor();
  const codes = await list.getByRole('listitem').allTextContents();
  await page.getByLabel('I have stored these codes').check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await list.waitFor({ state: 'detached' });
  return codes;
}

/** Signs a person in on the page Sign in. */
export async function signIn(page: Page, { signInName, password }: Omit<TestPerson, 'displayName'>): Promise<void> {
  await page.getByLabel('Sign-in name or e-mail address').fill(signInName);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Gives the password in the dialog that asks for a proof. */
export async function proveByPassword(page: Page, password: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Is it you?' });
  await dialog.getByLabel('Password').fill(password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** Presses Tab until the element has the focus. @throws where it does not get it. */
export async function tabTo(page: Page, target: ReturnType<Page['locator']>): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < 300; presses += 1) {
    if ((await target.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('the Tab key does not reach the element');
}

/** What went wrong in a tab, without the browser's own lines about answers that the test asked for, such as a 403. */
export function faultsOf({ complaints, foreign }: Tab): readonly string[] {
  return [...foreign, ...complaints.filter((line) => !/^Failed to load resource: .* status of 4\d\d/.test(line))];
}
