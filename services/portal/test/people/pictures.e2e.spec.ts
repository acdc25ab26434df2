import { isLongSuiteLeftOut } from '@paper/testkit';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { PAGES } from '../../src/pages/paths.ts';
import type { PageName } from '../../src/pages/paths.ts';
import { SignedIn } from '../support/signed-in.ts';
import { PortalBrowser } from './portal-browser.ts';

const docs = path.resolve(import.meta.dirname, '../../../../docs');

/** Pages whose pictures would show next to nothing. */
const WITHOUT: ReadonlySet<string> = new Set(['confirm']);
const NAMES = (Object.keys(PAGES) as PageName[]).filter((name) => !WITHOUT.has(name));
const WINDOW = { viewport: { width: 1200, height: 760 }, colorScheme: 'light' } as const;

/** The smallest picture that is not an empty window, in bytes. */
const BYTES_MIN = 8_000;

/** Takes the pictures of docs/portal.md on the demo's markets. With PICTURES=1 it writes them there. */
describe('the pictures of the pages', function () {
  if (isLongSuiteLeftOut()) return;
  this.timeout(240_000);
  const isWriting = process.env['PICTURES'] === '1';
  const folder = isWriting ? path.join(docs, 'portal') : mkdtempSync(path.join(tmpdir(), 'pictures-'));
  let portal: PortalBrowser;

  before(async function () {
    const started = await PortalBrowser.start({ DEMO: 'on', HOUSE_BOTS: 'on' });
    if (started === undefined) return this.skip();
    portal = started;
    mkdirSync(folder, { recursive: true });
  });

  after(async () => {
    await (portal as PortalBrowser | undefined)?.stop();
    if (!isWriting) rmSync(folder, { recursive: true, force: true });
  });

  it('show each page', async () => {
    const { service } = portal;
    const marketId = 'apple-services-record-2027';
    const ada = await SignedIn.up(service.publicUrl, 'Ada');
    const { subAccount } = await ada.call<{ subAccount: { id: string } }>('POST', '/portal/sub-accounts', {
      displayName: 'Momentum bot',
    });
    await ada.call('POST', '/portal/automation-key', { name: 'fleet builder' });
    const keys = `/portal/sub-accounts/${subAccount.id}/keys` as const;
    await ada.call('POST', keys, { name: 'laptop', permissions: ['view', 'trade'], mandate: { maxOrderCost: 25 } });
    await ada.call('POST', '/portal/as/me/orders', {
      marketId,
      orderType: 'market',
      timeInForce: 'IOC',
      outcome: 'yes',
      quantity: 40,
    });
    const person = await portal.open('/', { ...WINDOW, ...ada.profile });
    const visitor = await portal.open('/', WINDOW);
    for (const name of NAMES) {
      const isForVisitors = name === 'sign-up' || name === 'sign-in' || name === 'recover';
      const tab = isForVisitors ? visitor : person;
      const address = PAGES[name].path.replace(':id', marketId).replace(':accountId', subAccount.id);
      await tab.page.goto(service.publicUrl + address);
      await tab.settled();
      const file = path.join(folder, `${name}.png`);
      await tab.page.screenshot({ path: file });
      expect(statSync(file).size, name).to.be.greaterThan(BYTES_MIN);
    }
  });

  it('stand in docs/portal.md, one of each page', () => {
    const page = readFileSync(path.join(docs, 'portal.md'), 'utf8');
    const shown = [...page.matchAll(/\]\(portal\/([\w-]+)\.png\)/g)].map(([, name]) => name);
    expect(shown).to.include.members(NAMES);
  });
});
