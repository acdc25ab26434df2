import { isLongSuiteLeftOut } from '@paper/testkit';
import { generateKeyPairSync } from 'node:crypto';
import { signHead } from '@paper/auditor';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Tab } from '@paper/testkit/browser';
import { chromiumForTests, startPortalInBrowser } from './support/portal-in-browser.ts';
import type { PortalInBrowser } from './support/portal-in-browser.ts';

const { privateKey } = generateKeyPairSync('ed25519');
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

interface KeptReceipt {
  readonly accountId: string;
  readonly seq: number;
  readonly hash: string;
  readonly receivedAt: string;
  readonly order: Readonly<Record<string, unknown>>;
}

const fileOf = (name: string, content: object) => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify(content)),
});
const receiptsFile = (receipts: readonly KeptReceipt[]) =>
  fileOf('receipts.json', { format: 'paper-trading-receipts/1', receipts });

describe('the page of proof, in a browser', function () {
  if (isLongSuiteLeftOut()) return;
  this.timeout(120_000);
  let portal: PortalInBrowser;
  let tab: Tab;
  let page: Page;
  let receipt: KeptReceipt;

  before(async function () {
    const chromium = chromiumForTests();
    if (chromium === undefined) this.skip();
    portal = await startPortalInBrowser(chromium);
    await portal.operator.list('proof', { title: 'Will proof happen?' });
  });
  after(async () => {
    // Undefined where the suite was skipped.
    await (portal as PortalInBrowser | undefined)?.stop();
  });

  beforeEach(async () => {
    portal.proxy.tamper(null);
    tab = await portal.open('/proof');
    ({ page } = tab);
    const accountId = await portal.signUp(tab, `p${Math.random().toString(36).slice(2, 12)}`);
    receipt = await order(accountId, 0.4);
    await order(accountId, 0.41);
    await page.reload();
    await page.getByText('No receipt kept here').first().waitFor();
    await openDetails();
  });
  afterEach(() => portal.closeTabs());

  /** Places an order as the person, and gives its receipt. */
  const order = async (accountId: string, price: number): Promise<KeptReceipt> => {
    const answer = await page.request.post(`${portal.origin}/portal/as/me/orders`, {
      headers: { origin: portal.origin },
      data: { marketId: 'proof', outcome: 'yes', side: 'buy', price, quantity: 7 },
    });
    expect(answer.status(), await answer.text()).to.equal(200);
    const { 'x-journal-seq': seq, 'x-journal-hash': hash = '' } = answer.headers();
    const body = (await answer.json()) as KeptReceipt['order'];
    const { id, marketId, side, outcome, orderType, quantity, status } = body;
    return {
      accountId,
      seq: Number(seq),
      hash,
      receivedAt: new Date().toISOString(),
      order: { id, marketId, side, outcome, orderType, price: body['price'], quantity, status },
    };
  };
  const load = async (label: string, file: ReturnType<typeof fileOf>): Promise<void> => {
    await page.getByLabel(label, { exact: true }).setInputFiles(file);
  };
  const check = () => page.getByRole('button', { name: 'Check all my trades' }).click();
  /** Waits for the result, and opens what it shows and what it does not. */
  const holds = async (): Promise<void> => {
    await page.getByText('The receipt holds.').waitFor();
    await page.getByText('Details of this check').click();
  };
  const openDetails = () => page.getByText('Details: hashes, files and signed heads').click();
  const refused = async (said: RegExp): Promise<void> => {
    const alert = page.getByRole('alert').filter({ hasText: 'Refused' });
    await alert.waitFor();
    expect(await alert.textContent()).to.match(said);
  };
  const signedHead = async (seq: number): Promise<ReturnType<typeof signHead>> => {
    const { hash } = JSON.parse(
      await (await fetch(`${portal.service.baseUrl}/api/journal?from=${seq}&limit=1`)).text(),
    ) as {
      hash: string;
    };
    return signHead({ at: '2026-11-23T08:00:00.000Z', hash, seq, shard: 'main' }, PEM);
  };

  it('shows which orders have a receipt here, checks one, and says what is shown and what is not', async () => {
    await load('Load receipts', receiptsFile([receipt]));
    await page.getByText('Receipts added: 1. Here already: 0.').waitFor();
    expect(await page.getByText('No receipt kept here').count()).to.equal(1);
    await check();
    await holds();
    const text = await page.locator('main').innerText();
    expect(text).to.include(`Event ${receipt.seq} is in the journal with the receipt's hash ${receipt.hash}`);
    expect(text).to.include('buy 7 Yes in proof, 0 filled in this decision');
    expect(text).to.include('No signed head was given');
    expect(tab.complaints).to.deep.equal([]);
    expect(tab.foreign).to.deep.equal([]);
  });

  it('keeps the receipt of an order that the ticket sent, and checks it', async () => {
    await page.goto(`${portal.origin}/markets/proof?price=0.3&unit=shares`);
    const ticket = page.getByRole('region', { name: 'Order', exact: true });
    await ticket.getByRole('textbox', { name: 'Amount in shares' }).fill('9');
    await ticket.getByRole('button', { name: 'Buy Yes · $2.70' }).click();
    await page.getByText('Its receipt is kept in this browser.').waitFor();
    await page.goto(`${portal.origin}/proof`);
    await page.getByRole('link', { name: 'See the proof of: buy 9 Yes at 0.30' }).click();
    await page.getByRole('heading', { name: 'Proof of an order' }).waitFor();
    await page.getByText('Placed: buy 9 Yes at 0.30').waitFor();
    await holds();
    expect(await page.locator('main').innerText()).to.include('buy 9 Yes in proof, 0 filled in this decision');
  });

  it('keeps receipts over a reload, and gives them as the file that was loaded', async () => {
    await load('Load receipts', receiptsFile([receipt]));
    await page.getByText('Receipts added: 1.').waitFor();
    await page.reload();
    await openDetails();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the receipts as a file' }).click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    expect(JSON.parse(Buffer.concat(chunks).toString())).to.deep.equal({
      format: 'paper-trading-receipts/1',
      receipts: [receipt],
    });
  });

  it('checks up to a signed head, and names its key', async () => {
    await load('Load receipts', receiptsFile([receipt]));
    const head = await signedHead(receipt.seq + 1);
    await load('Load a signed head', fileOf('head.json', head));
    await page.getByText(`The head of event ${head.seq} is kept here. Its signature is good.`).waitFor();
    await check();
    await holds();
    const text = await page.locator('main').innerText();
    expect(text).to.include(`signed at ${head.at} by the key ${head.publicKey}`);
    expect(text).to.include(`Events after ${head.seq}.`);
  });

  it("shows an order without a receipt as the journal's record of today, to anyone, and says that it is none", async () => {
    const visitor = await portal.open(`/proof/${String(receipt.order['id'])}`);
    await visitor.page.getByText("This is the journal's record of today, not a receipt.").waitFor();
    await visitor.page.getByText('An order to buy 7 Yes at 0.40 in').waitFor();
    await visitor.page.getByRole('link', { name: 'Will proof happen?' }).waitFor();
    await visitor.page.getByRole('button', { name: 'Check the record' }).click();
    await visitor.page.getByText('The record fits.').waitFor();
    await visitor.page.getByText('Details of this check').click();
    const text = await visitor.page.locator('main').innerText();
    expect(text).to.include(`Event ${receipt.seq} is in the journal with the hash ${receipt.hash}`);
    expect(text).to.include('only a receipt shows that').and.not.include('can have been changed since the answer');
    expect(await visitor.violations('all')).to.deep.equal([]);
    expect(await visitor.overflow()).to.equal(0);
    const unknown = await page.goto(`${portal.origin}/proof/nothing`);
    expect(unknown?.status()).to.equal(404);
    await page.getByRole('heading', { name: 'No such order' }).waitFor();
  });

  it('refuses a journal with a changed event', async () => {
    await load('Load receipts', receiptsFile([receipt]));
    portal.proxy.tamper((body, path) =>
      path.startsWith('/api/journal') ? body.replaceAll('\\"quantity\\":7', '\\"quantity\\":8') : body,
    );
    await check();
    await refused(/at event \d+: the hash is [0-9a-f]{64}, the texts give [0-9a-f]{64}/);
  });

  it('refuses a changed receipt, by its hash and by what it says of the order', async () => {
    const hash = receipt.hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
    await load('Load receipts', receiptsFile([{ ...receipt, hash }]));
    await check();
    await refused(/and a receipt says/);
    await page.getByRole('button', { name: 'Delete the receipts here' }).click();
    await page.getByRole('button', { name: 'Delete them for good' }).click();
    await load('Load receipts', receiptsFile([{ ...receipt, order: { ...receipt.order, quantity: 70 } }]));
    await check();
    await refused(/the receipt says quantity 70 of order .*, the journal 7/);
  });

  it('refuses a changed head by its signature, and a signed one that the journal does not have', async () => {
    await load('Load receipts', receiptsFile([receipt]));
    const head = await signedHead(receipt.seq + 1);
    await load('Load a signed head', fileOf('head.json', { ...head, seq: head.seq + 1 }));
    await page.getByText('The signature of this head does not fit its fields').waitFor();
    const other = signHead({ at: head.at, hash: 'ab'.repeat(32), seq: head.seq, shard: 'main' }, PEM);
    await load('Load a signed head', fileOf('head.json', other));
    await page.getByText(`The head of event ${other.seq} is kept here.`).waitFor();
    await check();
    await refused(/and the signed head says (ab){32}/);
  });

  it('does not overwrite a receipt by another for the same event', async () => {
    await load('Load receipts', receiptsFile([receipt]));
    await page.getByText('Receipts added: 1.').waitFor();
    await load('Load receipts', receiptsFile([{ ...receipt, hash: 'ab'.repeat(32) }]));
    await page.getByText(`The receipt of event ${receipt.seq} was refused`).waitFor();
    await check();
    await holds();
  });

  it('checks a receipt by hand, by keyboard alone', async () => {
    await page.getByLabel('Event', { exact: true }).focus();
    await page.keyboard.type('x');
    await page.keyboard.press('Enter');
    await page.getByText('This must be 64 hex digits.').waitFor();
    await page.keyboard.press('Backspace');
    await page.keyboard.type(String(receipt.seq));
    await page.keyboard.press('Tab');
    await page.keyboard.type(receipt.hash);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('The receipt holds.').waitFor();
    expect(await page.locator(':focus').textContent()).to.equal(`Receipt of event ${receipt.seq}`);
  });

  it('needs no crypto.subtle, which a page without a secure context does not have', async () => {
    await load('Load receipts', receiptsFile([receipt]));
    const [worker] = await Promise.all([page.waitForEvent('worker'), check()]);
    const code = await (await fetch(worker.url().replace(portal.origin, portal.service.baseUrl))).text();
    expect(code).not.to.include('subtle');
    await holds();
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [360, 768, 1280]) {
      it(`has no fault of accessibility and fits at ${width} px, ${colorScheme}`, async () => {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        await load('Load receipts', receiptsFile([receipt]));
        await load('Load a signed head', fileOf('head.json', await signedHead(receipt.seq)));
        await check();
        await holds();
        await tab.picture(`proof-${width}-${colorScheme}`);
        expect(await tab.violations('all')).to.deep.equal([]);
        expect(await tab.overflow()).to.equal(0);
        expect(tab.complaints).to.deep.equal([]);
      });
    }
  }
});
