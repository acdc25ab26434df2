import type { RecentTradeBody } from '@paper/contracts/markets';
import { listMarket } from '@paper/testkit';
import { expect } from 'chai';
import type { ReadHarness } from './read-harness.ts';
import { cancel, get, trade, tradingHarness } from './trading-harness.ts';

interface Listed {
  readonly id: string;
  readonly createdAt: string;
  readonly marketId: string;
}

describe('filters of lists', function () {
  this.timeout(60_000);
  let harness: ReadHarness;

  before(async () => {
    harness = await tradingHarness();
    await harness.submit(listMarket('n'));
    await trade(harness, 'a1 ann buy yes 4 @ 0.50', 'b1 bob buy no 3 @ 0.50', 'a2 ann buy yes 2 @ 0.40');
    await trade(harness, 'a3 ann buy yes 1 @ 0.30', cancel('ann', 'a3'), 's1 sub buy yes 2 @ 0.20');
    await trade(harness, 'b2 bob buy no 1 @ 0.50', 'b3 bob buy no 2 @ 0.60');
  });
  after(() => harness.close());

  const listed = async (who: string, path: string): Promise<readonly Listed[]> => {
    const all: Listed[] = [];
    for (let next: string | null = path; next !== null;) {
      const answer = await get(harness, who, next);
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
      all.push(...(answer.body as readonly Listed[]));
      ({ next } = answer);
    }
    return all;
  };
  const ids = async (who: string, path: string) => (await listed(who, path)).map(({ id }) => id);
  const refusal = async (who: string, path: string) => {
    const { status, body } = await get(harness, who, path);
    return [status, (body as { readonly code: string }).code];
  };

  it('list orders of one status, on pages of one too', async () => {
    expect(await ids('ann', '/api/orders?status=filled')).to.have.members(['a1', 'a2']);
    expect(await ids('ann', '/api/orders?status=cancelled&limit=1')).to.deep.equal(['a3']);
    expect(await ids('ann', '/api/orders?status=open')).to.deep.equal([]);
    expect(await ids('sub', '/api/orders?status=open')).to.deep.equal(['s1']);
    expect(await refusal('ann', '/api/orders?status=gone')).to.deep.equal([400, 'validation_failed']);
  });

  it('list the orders of a sub-account for its primary, and of no other account', async () => {
    expect(await ids('ann', '/api/orders?accountId=sub')).to.deep.equal(['s1']);
    expect(await ids('ann', '/api/orders?accountId=ann&status=cancelled')).to.deep.equal(['a3']);
    for (const [who, account] of [
      ['ann', 'bob'],
      ['ann', 'nobody'],
      ['sub', 'ann'],
      ['sub', 'sib'],
    ] as const) {
      expect(await refusal(who, `/api/orders?accountId=${account}`), `${who}: ${account}`).to.deep.equal([
        403,
        'forbidden',
      ]);
    }
  });

  it('list the trades of one market and of a span of time', async () => {
    const trades = await listed('ann', '/api/trades/recent');
    expect(trades.length).to.be.greaterThan(2);
    expect(await listed('ann', '/api/trades/recent?marketId=m&limit=1')).to.deep.equal(trades);
    expect(await listed('ann', '/api/trades/recent?marketId=n')).to.deep.equal([]);
    for (const { createdAt: at } of trades) {
      const since = trades.filter(({ createdAt }) => createdAt >= at);
      const before = trades.filter(({ createdAt }) => createdAt < at);
      expect(await listed('ann', `/api/trades/recent?from=${at}&limit=1`)).to.deep.equal(since);
      expect(await listed('ann', `/api/trades/recent?to=${at}&marketId=m`)).to.deep.equal(before);
    }
    expect(await listed('ann', '/api/trades/recent?from=2999-01-01T00:00:00Z')).to.deep.equal([]);
    expect(await listed('ann', '/api/trades/recent?to=2999-01-01T00:00:00.5Z')).to.deep.equal(trades);
    for (const time of ['2026-02-30T00:00:00Z', '2026-01-01', '2026-01-01T00:00:00+01:00', '']) {
      const path = `/api/trades/recent?from=${encodeURIComponent(time)}`;
      expect(await refusal('ann', path), time).to.deep.equal([400, 'validation_failed']);
    }
  });

  it('list all trades for a download: oldest first, without the names of markets', async () => {
    const recent = (await listed('ann', '/api/trades/recent')) as readonly RecentTradeBody[];
    const trades = recent.map(({ market: _market, ...of }) => of).reverse();
    for (const query of ['', '?limit=1', '?marketId=m&limit=2', '?from=1970-01-01T00:00:00Z&to=2999-01-01T00:00:00Z']) {
      expect(await listed('ann', `/api/trades${query}`), query).to.deep.equal(trades);
    }
    for (const { createdAt: at } of trades) {
      const [since, before] = [`/api/trades?from=${at}`, `/api/trades?to=${at}&limit=1`];
      expect(await listed('ann', since)).to.deep.equal(trades.filter(({ createdAt }) => createdAt >= at));
      expect(await listed('ann', before)).to.deep.equal(trades.filter(({ createdAt }) => createdAt < at));
    }
    expect(await listed('ann', '/api/trades?marketId=n')).to.deep.equal([]);
    expect(await refusal('ann', '/api/trades?format=xml')).to.deep.equal([400, 'validation_failed']);
  });

  it('write the download as CSV and as lines of JSON too, page by page', async () => {
    for (const query of ['', '&limit=2']) {
      const asJson = await get(harness, 'ann', `/api/trades?format=json${query}`);
      const trades = asJson.body as readonly Readonly<Record<string, unknown>>[];
      const [lines, table] = await Promise.all(
        ['ndjson', 'csv'].map((format) => fetch(`${harness.url}/api/trades?format=${format}${query}`)),
      );
      expect(lines?.headers.get('content-type')).to.equal('application/x-ndjson; charset=utf-8');
      expect(lines?.headers.get('content-disposition')).to.equal('attachment; filename="trades.ndjson"');
      expect(await lines?.text()).to.equal(trades.map((one) => `${JSON.stringify(one)}\n`).join(''));
      expect(table?.headers.get('content-type')).to.equal('text/csv; charset=utf-8; header=present');
      const rows = trades.map((one) => Object.values(one).join(','));
      expect(await table?.text()).to.equal(
        [Object.keys(trades[0] ?? {}).join(','), ...rows].map((row) => `${row}\r\n`).join(''),
      );
      for (const [format, response] of Object.entries({ csv: table, ndjson: lines })) {
        expect(response?.headers.get('cache-control')).to.equal('no-cache');
        expect(response?.headers.get('etag')).to.match(/^"/);
        expect(response?.headers.get('link') ?? null).to.equal(
          asJson.headers.get('link')?.replace('format=json', `format=${format}`) ?? null,
        );
      }
    }
  });
});
