import { endpoints, publishedCost } from '@paper/contracts';
import type { TraderBody } from '@paper/contracts/accounts';
import type { PortfolioBody } from '@paper/contracts/portfolio';
import { decode } from '@paper/journal';
import {
  base,
  listMarket,
  openAccount,
  openSubAccount,
  OPERATOR,
  orderFrom,
  SCENARIO_AT,
  SYSTEM,
} from '@paper/testkit';
import { expect } from 'chai';
import { keyHash } from './read-harness.ts';
import type { ReadHarness } from './read-harness.ts';
import { get, trade, tradingHarness } from './trading-harness.ts';

const close = (accountId: string) =>
  ({ ...base(OPERATOR, `close-${accountId}`), type: 'CloseAccount', accountId }) as const;

describe('a trader', function () {
  this.timeout(60_000);
  let harness: ReadHarness;

  afterEach(() => harness.close());

  /** The answer without a key. */
  const read = (id: string): Promise<TraderBody> =>
    harness.client.ok<TraderBody>('GET', `/api/traders/${encodeURIComponent(id)}`);
  const refusal = async (path: string): Promise<unknown> => {
    const { status, body } = await harness.client.request('GET', path);
    const { code, error } = body as { readonly code: string; readonly error: string };
    return [status, code, error];
  };
  const unknown = (id: string) => [404, 'account_not_found', `No trader has the id ${id}`];
  const portfolio = async (who: string, query = ''): Promise<PortfolioBody['summary']> =>
    ((await get(harness, who, `/api/portfolio${query}`)).body as PortfolioBody).summary;

  it('is shown with what it is worth, and with nothing of who owns it', async () => {
    harness = await tradingHarness();
    await trade(harness, 'a1 ann buy yes 10 @ 0.55', 's1 sub buy yes 4 @ 0.55', 'b1 bob buy no 14 @ 0.45');
    for (const who of ['ann', 'bob', 'sub']) {
      const trader = await read(who);
      expect(Object.keys(trader)).to.deep.equal(Object.keys(endpoints.getTrader.answer.shape));
      const { displayName, pnl, portfolioValue } = await portfolio(who);
      expect(trader).to.include({ id: who, displayName, pnl, portfolioValue, openPositions: 1 });
    }
    expect(await read('ann')).to.include({ trades: 1, volume: 5.5, since: '1970-01-01T00:16:40.000Z' });
    expect(await read('bob')).to.include({ trades: 2, volume: 6.3 });
    // Before its first fill too.
    expect(await read('sib')).to.deep.include({
      trades: 0,
      volume: 0,
      pnl: 0,
      portfolioValue: 10_000,
      openPositions: 0,
    });
    const { headers } = await harness.client.request('GET', '/api/traders/ann');
    expect(headers.get('x-journal-seq')).to.equal(String(harness.log.events.length));
    expect(headers.get('etag')).to.be.a('string');
    expect(publishedCost(endpoints.getTrader.cost ?? { base: 1 })).to.deep.equal({ default: 5, max: 5, base: 5 });
  });

  it('has 200 points of equity at most, each as the portfolio was just after a trade', async () => {
    harness = await tradingHarness();
    const closesAt = SCENARIO_AT + 10_000_000;
    await harness.submit(listMarket('n', { closesAt }));
    const orders = Array.from({ length: 300 }, (_, n) => {
      const cents = 30 + (n % 40);
      const at = SCENARIO_AT + 10_000 * n;
      return [
        { ...orderFrom(`a${n} ann buy yes 2 @ 0.${cents} in n`), at },
        { ...orderFrom(`b${n} bob buy no 2 @ 0.${100 - cents} in n`), at: at + 1 },
      ];
    });
    const paid = SCENARIO_AT + 3_100_000;
    await trade(
      harness,
      ...orders.flat(),
      { ...base(OPERATOR, 'void'), at: paid, type: 'VoidMarket', marketId: 'n', priceUnits: 2_500, reason: 'test' },
      ...['run-1', 'run-2'].map(
        (id) => ({ ...base(SYSTEM, id), at: paid + 1, type: 'ContinueRun', marketId: 'n' }) as const,
      ),
    );
    const { equity, portfolioValue, since } = await read('ann');
    expect(equity).to.have.length.within(190, 200);
    expect(equity[0]).to.deep.equal({ at: since, value: 10_000 });
    expect(equity.at(-1)).to.deep.equal({ at: new Date(paid + 1).toISOString(), value: portfolioValue });
    const seqOf = new Map(
      harness.log.events
        .filter(({ type }) => type === 'OrderFilled')
        .map((stored) => [new Date(decode(stored).event.at).toISOString(), stored.seq]),
    );
    for (const { at, value } of equity.slice(1, -1).filter((_, index) => index % 20 === 0)) {
      const { portfolioValue: then } = await portfolio('ann', `?asOfSeq=${seqOf.get(at) ?? 0}`);
      expect(value, at).to.equal(then);
    }
    expect(new Set(equity.map(({ value }) => value)).size).to.be.above(30);

    const readFrom = async (from: string): Promise<TraderBody['equity']> =>
      (await harness.client.ok<TraderBody>('GET', `/api/traders/ann?from=${from}`)).equity;
    const [middle] = equity.slice(100);
    const [first, ...later] = await readFrom(middle?.at ?? '');
    expect(first).to.deep.equal(middle);
    // The same number of points as of the whole time, so they are nearer to each other.
    expect(later).to.have.length.within(90, 199);
    expect(later.at(-1)).to.deep.equal(equity.at(-1));
    expect(await readFrom('1970-01-01T00:00:00Z')).to.deep.equal(equity);
    expect(await readFrom('2027-01-01T00:00:00Z')).to.deep.equal(equity.slice(-1));
    expect(await refusal('/api/traders/ann?from=yesterday')).to.deep.equal([
      400,
      'validation_failed',
      'validation failure: from: must be an ISO 8601 time in UTC, such as 2027-12-31T23:59:00Z',
    ]);
  });

  it('is unknown once closed or forgotten, with another starting balance, and where there is none', async () => {
    harness = await tradingHarness();
    const rich = { keyHash: keyHash('rich'), startingBalanceUnits: 200_000_000 };
    await trade(harness, openAccount('rich', rich), openAccount('cat', { keyHash: keyHash('cat') }));
    await trade(harness, 'r1 rich buy yes 1 @ 0.5', 'c1 cat buy no 1 @ 0.5');
    expect(await read('cat')).to.include({ trades: 1 });
    expect(await refusal('/api/traders/rich')).to.deep.equal(unknown('rich'));
    await trade(harness, close('cat'));
    expect(await refusal('/api/traders/cat')).to.deep.equal(unknown('cat'));
    await trade(harness, { ...base(OPERATOR, 'forget-cat'), type: 'ForgetDisplayNames', accountId: 'cat' });
    expect(await refusal('/api/traders/cat')).to.deep.equal(unknown('cat'));
    // A primary closes with its sub-accounts.
    await trade(harness, close('ann'));
    for (const id of ['ann', 'sub', 'none', 'ANN', '0', "bob' or 1=1", 'bob/../bob', 'ä', 'b'.repeat(300)]) {
      expect(await refusal(`/api/traders/${encodeURIComponent(id)}`), id).to.deep.equal(unknown(id));
    }
    const [status, code, error] = (await refusal('/api/traders/%00')) as string[];
    expect([status, code]).to.deep.equal([400, 'validation_failed']);
    expect(error).to.match(/^validation failure: id: /);
    expect(await read('bob')).to.include({ trades: 0 });
  });

  it('is found by a read that was sent after its opening was answered', async () => {
    harness = await tradingHarness();
    await harness.projected();
    const reads: Promise<TraderBody>[] = [];
    await harness.heldUp(async () => {
      await harness.submit(
        openAccount('new', { keyHash: keyHash('new') }),
        openSubAccount('s3', { keyHash: keyHash('s3') }),
      );
      reads.push(read('new'), read('s3'));
      // Does not wait for the read models, and is asked last.
      await harness.client.ok('GET', '/api/health');
    });
    expect((await Promise.all(reads)).map(({ id }) => id)).to.deep.equal(['new', 's3']);
  });
});
