import { randomUUID } from 'node:crypto';
import { startStandalone } from '@paper/testkit/exchange';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { createCheckedClient, operatorClient } from '@paper/testkit/http';
import type { CheckedClient, OperatorClient } from '@paper/testkit/http';
import { installedChromium, launchChromium, openTab } from '@paper/testkit/browser';
import type { Tab } from '@paper/testkit/browser';
import type { BrowserContextOptions } from 'playwright-core';
import { startTamperingProxy } from './tampering-proxy.ts';
import type { TamperingProxy } from './tampering-proxy.ts';

/** A standalone behind a proxy, and a Chromium that sees only the proxy. */
export interface PortalInBrowser {
  readonly origin: string;
  readonly proxy: TamperingProxy;
  readonly service: RunningStandalone;
  /** Straight to the service. */
  readonly client: CheckedClient;
  readonly operator: OperatorClient;
  /** Opens a page in a fresh profile. */
  readonly open: (path: string, options?: BrowserContextOptions) => Promise<Tab>;
  /** Signs a new person up in the tab's profile, and loads its page again. Gives the account's id. */
  readonly signUp: (tab: Tab, name: string, displayName?: string) => Promise<string>;
  /** Closes the tabs. */
  readonly closeTabs: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** What every test asks of Chromium; undefined where none is installed and none is required. */
export function chromiumForTests(): string | undefined {
  if (installedChromium === undefined && process.env['REQUIRE_SERVERS'] === '1') {
    throw new Error('no Chromium is installed');
  }
  return installedChromium;
}

/** @param env settings of the standalone */
export async function startPortalInBrowser(
  executablePath: string,
  env: Readonly<Record<string, string>> = {},
): Promise<PortalInBrowser> {
  const proxy = await startTamperingProxy();
  const { origin } = proxy;
  const service = await startStandalone({
    env: { PUBLIC_URL: origin, SIGN_UPS_PER_HOUR: '1000', SIGN_UPS_PER_DAY: '1000', ...env },
  });
  proxy.serve(service.baseUrl);
  const client = await createCheckedClient(service.baseUrl);
  const browser = await launchChromium(executablePath);
  const tabs: Tab[] = [];
  return {
    origin,
    proxy,
    service,
    client,
    operator: operatorClient(client, service.operatorToken),
    async open(path, options) {
      const tab = await openTab(browser, `${origin}${path}`, options);
      tabs.push(tab);
      return tab;
    },
    async signUp({ page }, name, displayName = `Trader ${name}`) {
      const answer = await page.request.post(`${origin}/portal/sign-up`, {
        headers: { origin },
        data: {
          signInName: name,
          displayName,
          password: `a passphrase of ${randomUUID()}`,
          idempotencyKey: randomUUID(),
        },
      });
      const text = await answer.text();
      if (answer.status() !== 201) throw new Error(`sign-up: ${answer.status()} ${text}`);
      await page.reload();
      return (JSON.parse(text) as { person: { accountId: string } }).person.accountId;
    },
    async closeTabs() {
      for (const tab of tabs.splice(0)) await tab.close();
    },
    async stop() {
      await browser.close();
      await proxy.close();
      await service.stop();
    },
  };
}
