import type {
  ListedAccountBody,
  MarketHoldersBody,
  OneSidedTransferBody,
  RebuildStatusBody,
} from '@paper/contracts/operator';
import type { Command } from '@paper/exchange/commands';
import { base, listMarket, openAccount, OPERATOR, SYSTEM } from '@paper/testkit';
import { expect } from 'chai';
import { OPERATOR_TOKEN, rawKey } from './read-harness.ts';
import type { ReadHarness } from './read-harness.ts';
import { trade, tradingHarness } from './trading-harness.ts';

const approve = (accountId: string): Command => ({
  ...base(OPERATOR, `approve-${accountId}`),
  type: 'ApproveAccount',
  accountId,
});
const resolve = (marketId: string): readonly Command[] => [
  {
    ...base(OPERATOR, `resolve-${marketId}`),
    type: 'ResolveMarket',
    citationUrl: null,
    headline: null,
    marketId,
    outcome: 'yes',
    source: null,
  },
  { ...base(SYSTEM, `continue-${marketId}`), type: 'ContinueRun', marketId },
];

describe("the operator's reads", function () {
  this.timeout(60_000);
  let harness: ReadHarness;

  afterEach(() => harness.close());

  const get = async <T>(path: string): Promise<T> => {
    const { status, body } = await harness.client.request('GET', path, { key: OPERATOR_TOKEN });
    expect(status, path).to.equal(200);
    return body as T;
  };
  const refusal = async (path: string, key: string): Promise<unknown> => {
    const { status, body } = await harness.client.request('GET', path, { key });
    return [status, (body as { code?: unknown }).code];
  };

  it('are for operators only', async () => {
    harness = await tradingHarness();
    await harness.projected();
    for (const path of ['markets/m/holders', 'accounts', 'transfers', 'rebuild']) {
      expect(await refusal(`/api/operator/${path}`, rawKey('ann')), path).to.deep.equal([403, 'forbidden']);
      expect(await refusal(`/api/operator/${path}`, 'wrong-token-of-nobody'), path).to.deep.equal([
        401,
        'not_authenticated',
      ]);
    }
  });

  it('wait for what was answered before: a market that was just listed, an account that was just opened', async () => {
    harness = await tradingHarness();
    await harness.projected();
    const reads: Promise<unknown>[] = [];
    let answered = 0;
    await harness.heldUp(async () => {
      await harness.submit(listMarket('new'), openAccount('cat'));
      for (const path of ['markets', 'accounts', 'markets/new/holders']) {
        reads.push(get<unknown>(`/api/operator/${path}`).finally(() => (answered += 1)));
      }
      // Does not wait for the read models, and is asked last.
      await harness.client.ok('GET', '/api/health');
      expect(answered, 'answers while the projection is held up').to.equal(0);
    });
    const [markets, accounts, holders] = (await Promise.all(reads)) as [
      { readonly id: string }[],
      { readonly id: string }[],
      MarketHoldersBody,
    ];
    expect(markets.map(({ id }) => id)).to.deep.equal(['new', 'm']);
    expect(accounts.map(({ id }) => id)).to.include('cat');
    expect(holders.marketId).to.equal('new');
  });

  it('show who holds shares of a market, with totals of all', async () => {
    harness = await tradingHarness();
    await trade(harness, 'a1 ann buy yes 10 @ 0.55', 'b1 bob buy no 10 @ 0.45');
    await trade(harness, 's1 sub buy yes 3 @ 0.40', 'b2 bob buy no 3 @ 0.60');
    const all = await get<MarketHoldersBody>('/api/operator/markets/m/holders');
    expect(all).to.deep.include({ marketId: 'm', accounts: 3, yesShares: 13, noShares: 13 });
    expect(all.holders.map(({ accountId, yesShares, noShares }) => [accountId, yesShares, noShares])).to.deep.equal([
      ['bob', 0, 13],
      ['ann', 10, 0],
      ['sub', 3, 0],
    ]);
    const first = await get<MarketHoldersBody>('/api/operator/markets/m/holders?limit=1');
    expect(first).to.deep.equal({ ...all, holders: all.holders.slice(0, 1) });
    expect(await refusal('/api/operator/markets/none/holders', OPERATOR_TOKEN)).to.deep.equal([
      404,
      'market_not_found',
    ]);
  });

  it('show a market without shares as such', async () => {
    harness = await tradingHarness();
    await harness.projected();
    expect(await get('/api/operator/markets/m/holders')).to.deep.equal({
      marketId: 'm',
      accounts: 0,
      yesShares: 0,
      noShares: 0,
      holders: [],
    });
  });

  it('list the primary accounts that await approval, page by page', async () => {
    harness = await tradingHarness({ settings: { complianceMode: 'kyc' } });
    await harness.projected();
    const list = async (query: string) =>
      (await get<ListedAccountBody[]>(`/api/operator/accounts${query}`)).map(({ id, approved }) => [id, approved]);
    expect(await list('?approved=false')).to.deep.equal([
      ['bob', false],
      ['ann', false],
    ]);
    await trade(harness, approve('bob'));
    expect(await list('?approved=false')).to.deep.equal([['ann', false]]);
    expect(await list('?approved=true')).to.deep.equal([['bob', true]]);
    const { headers } = await harness.client.request('GET', '/api/operator/accounts?limit=1', { key: OPERATOR_TOKEN });
    const next = /^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? 'none';
    expect((await get<ListedAccountBody[]>(next)).map(({ id }) => id)).to.deep.equal(['ann']);
  });

  it('list closed accounts as such, and as waiting for nothing', async () => {
    harness = await tradingHarness({ settings: { complianceMode: 'kyc' } });
    await harness.projected();
    await trade(harness, { ...base(OPERATOR, 'close-bob'), type: 'CloseAccount', accountId: 'bob' });
    const list = async (query: string) =>
      (await get<ListedAccountBody[]>(`/api/operator/accounts${query}`)).map(({ id, closed }) => [id, closed]);
    expect(await list('')).to.deep.equal([
      ['bob', true],
      ['ann', false],
    ]);
    expect(await list('?approved=false')).to.deep.equal([['ann', false]]);
  });

  it('have nobody who awaits approval where nothing has to be approved', async () => {
    harness = await tradingHarness();
    await harness.projected();
    expect(await get('/api/operator/accounts?approved=false')).to.deep.equal([]);
    expect(await get<ListedAccountBody[]>('/api/operator/accounts?approved=true')).to.have.length(2);
  });

  it('list pairs of accounts between which trades moved money, by the worth of the shares now', async () => {
    harness = await tradingHarness();
    await harness.submit(listMarket('n'));
    // Ann sells bob 500 YES for $0.10 each in both markets; both are worth $1 in the end.
    await trade(harness, 'a1 ann buy no 500 @ 0.90 in n', 'b1 bob buy yes 500 @ 0.10 in n');
    await trade(harness, 'a2 ann buy no 500 @ 0.90', 'b2 bob buy yes 500 @ 0.10');
    // And bob loses $50 to sub.
    await trade(harness, 's1 sub buy yes 100 @ 0.50', 'b3 bob buy no 100 @ 0.50', ...resolve('m'), ...resolve('n'));
    const transfers = (query: string) =>
      get<OneSidedTransferBody[]>(`/api/operator/transfers?from=1970-01-01T00:00:00Z${query}`);
    const [pair, ...others] = await transfers('&above=100');
    expect(others).to.deep.equal([]);
    expect(pair).to.deep.include({ amount: 900, trades: 2, shares: 1_000 });
    expect([pair?.from.accountId, pair?.to.accountId]).to.deep.equal(['ann', 'bob']);
    expect(await transfers('')).to.deep.equal([]);
    expect(await transfers('&above=900')).to.deep.equal([]);
    expect((await transfers('&above=0')).map(({ amount }) => amount)).to.deep.equal([900, 50]);
    expect(await get('/api/operator/transfers?above=0'), 'the trades are older than a week').to.deep.equal([]);
    expect(await refusal('/api/operator/transfers?above=-1', OPERATOR_TOKEN)).to.deep.equal([400, 'validation_failed']);
  });

  it('show the schemas of the read models', async () => {
    harness = await tradingHarness();
    await harness.projected();
    const status = await get<RebuildStatusBody>('/api/operator/rebuild');
    expect(status.running).to.equal(false);
    expect(status.schemas).to.have.length(1);
    expect(status.schemas[0]).to.include({ status: 'active', seq: harness.log.events.length, version: status.version });
  });
});
