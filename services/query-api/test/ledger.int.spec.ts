import type { LedgerEntryBody } from '@paper/contracts/journal';
import type { PortfolioBody } from '@paper/contracts/portfolio';
import { base, keyOf, OPERATOR, SYSTEM } from '@paper/testkit';
import { expect } from 'chai';
import { keyHash, rawKey } from './read-harness.ts';
import type { ReadHarness } from './read-harness.ts';
import { get, trade, tradingHarness } from './trading-harness.ts';

describe('the ledger', function () {
  this.timeout(60_000);
  let harness: ReadHarness;

  before(async () => {
    harness = await tradingHarness();
    await trade(
      harness,
      ...['a1 ann buy yes 10 @ 0.55', 'b1 bob buy no 4 @ 0.45', 's1 sub buy no 6 @ 0.40', 'b2 bob buy yes 6 @ 0.60'],
      {
        ...base(keyOf('ann'), 'second'),
        type: 'IssueApiKey',
        accountId: 'ann',
        keyHash: 'x',
        keyId: 'x',
        last4: 'last',
        name: 'x',
        permissions: ['view'],
      },
      { ...base(OPERATOR, 'void'), type: 'VoidMarket', marketId: 'm', priceUnits: 2_500, reason: 'test' },
      ...['run-1', 'run-2'].map((id) => ({ ...base(SYSTEM, id), type: 'ContinueRun', marketId: 'm' }) as const),
    );
  });
  after(() => harness.close());

  const pages = async (who: string, query: string) => {
    const entries: LedgerEntryBody[] = [];
    let path: string | null = `/api/ledger${query}`;
    while (path !== null) {
      const { status, body, next } = await get(harness, who, path);
      expect(status).to.equal(200);
      entries.push(...(body as LedgerEntryBody[]));
      path = next;
    }
    return entries;
  };

  it('has every movement of the fleet, each with its event', async () => {
    const entries = await pages('ann', '');
    expect(
      entries.map(
        (e) => `${e.accountId} ${e.type} cash ${e.cash} shares ${e.shares} ${e.outcome} @ ${e.price} ${e.orderId}`,
      ),
    ).to.deep.equal([
      'ann AccountOpened cash 10000 shares 0 null @ null null',
      'sub SubAccountOpened cash 10000 shares 0 null @ null null',
      'sib SubAccountOpened cash 10000 shares 0 null @ null null',
      'ann OrderFilled cash -2.2 shares 4 yes @ 0.55 a1',
      'sub OrderFilled cash -2.4 shares 6 no @ 0.4 s1',
      'ann PositionSettled cash 1 shares -4 yes @ 0.25 null',
      'sub PositionSettled cash 4.5 shares -6 no @ 0.75 null',
    ]);
    for (const { seq, eventId, type } of entries) {
      const { id, type: stored } = harness.log.events[seq - 1] ?? {};
      expect({ id, type: stored }).to.deep.equal({ id: eventId, type });
    }
  });

  it('adds up to the cash of the portfolio', async () => {
    for (const who of ['ann', 'bob']) {
      const own = (await pages(who, '?limit=2')).filter(({ accountId }) => accountId === who);
      const units = own.reduce((sum, { cash }) => sum + Math.round(cash * 10_000), 0);
      const { body } = await get(harness, who, '/api/portfolio');
      expect(units / 10_000).to.equal((body as PortfolioBody).summary.cash);
    }
  });

  it("is the whole fleet's for a sub-account's key too, and only that fleet's", async () => {
    expect(await pages('sub', '')).to.deep.equal(await pages('ann', ''));
    const others = (await pages('bob', '')).map(({ accountId }) => accountId);
    expect(new Set(others)).to.deep.equal(new Set(['bob']));
  });

  it('needs the permission to reconcile', async () => {
    await trade(harness, {
      ...base(keyOf('ann'), 'third'),
      type: 'IssueApiKey',
      accountId: 'ann',
      keyHash: keyHash('viewer'),
      keyId: 'viewer',
      last4: 'last',
      name: 'viewer',
      permissions: ['view', 'trade', 'master'],
    });
    const { status, body } = await get(harness, 'viewer', '/api/ledger');
    expect([status, (body as { code: string }).code]).to.deep.equal([403, 'forbidden']);
  });

  it('is the same as CSV, page by page', async () => {
    for (const query of ['', '&limit=3']) {
      const asJson = await get(harness, 'ann', `/api/ledger?format=json${query}`);
      const response = await fetch(`${harness.url}/api/ledger?format=csv${query}`, {
        headers: { authorization: `Bearer ${rawKey('ann')}` },
      });
      expect(response.headers.get('content-type')).to.equal('text/csv; charset=utf-8; header=present');
      expect(response.headers.get('content-disposition')).to.equal('attachment; filename="ledger.csv"');
      expect(response.headers.get('cache-control')).to.equal('no-store');
      expect(response.headers.get('link') ?? 'none').to.equal(
        asJson.headers.get('link')?.replace('format=json', 'format=csv') ?? 'none',
      );
      const [header = '', ...lines] = (await response.text()).trimEnd().split('\r\n');
      const rows = lines.map((line) => {
        const values = line.split(',').map((text) => (text === '' ? null : text));
        return Object.fromEntries(header.split(',').map((name, index) => [name, values[index]]));
      });
      const entries = asJson.body as readonly LedgerEntryBody[];
      const texts = entries.map((entry) =>
        Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, value === null ? null : String(value)])),
      );
      expect(rows).to.deep.equal(texts);
    }
  });

  it('refuses what is no form', async () => {
    for (const query of ['format=xml', 'format=', 'format=CSV', 'format=csv&format=csv']) {
      const { status, body } = await get(harness, 'ann', `/api/ledger?${query}`);
      expect([status, (body as { code: string }).code]).to.deep.equal([400, 'validation_failed']);
    }
  });
});
