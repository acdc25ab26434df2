import type { OrderBookBody } from '@paper/contracts/markets';
import type { PortfolioBody } from '@paper/contracts/portfolio';
import { base, openAccount, OPERATOR, SYSTEM } from '@paper/testkit';
import { expect } from 'chai';
import { rawKey } from './read-harness.ts';
import type { ReadHarness } from './read-harness.ts';
import { cancel, get, trade, tradingHarness } from './trading-harness.ts';

const KEPT = 'private, max-age=86400, immutable';

describe('the past by HTTP', function () {
  this.timeout(60_000);
  let harness: ReadHarness;
  /** Answers recorded while the journal ended at that sequence. */
  const answered = new Map<number, { readonly book: unknown; readonly portfolios: Map<string, unknown> }>();
  const seqNow = (): number => harness.log.events.length;

  before(async () => {
    harness = await tradingHarness();
    const steps = [
      'a1 ann buy yes 10 @ 0.55',
      'b1 bob buy no 4 @ 0.45',
      's1 sub buy no 6 @ 0.40',
      'b2 bob buy yes 6 @ 0.60',
      cancel('ann', 'a1'),
      'b3 bob sell yes 2 @ 0.70',
      { ...base(OPERATOR, 'resolve'), type: 'VoidMarket', marketId: 'm', priceUnits: 2_500, reason: 'test' } as const,
      ...['run-1', 'run-2'].map((id) => ({ ...base(SYSTEM, id), type: 'ContinueRun', marketId: 'm' }) as const),
    ];
    for (const step of steps) {
      await trade(harness, step);
      const portfolios = new Map<string, unknown>();
      for (const who of ['ann', 'bob', 'sub']) portfolios.set(who, (await get(harness, who, '/api/portfolio')).body);
      answered.set(seqNow(), { book: (await get(harness, 'ann', '/api/orderbook/m')).body, portfolios });
    }
  });
  after(() => harness.close());

  it('is what was answered then, and says of which event', async () => {
    expect([...answered.keys()]).to.have.length.above(6);
    for (const [seq, { book, portfolios }] of answered) {
      const past = await get(harness, 'ann', `/api/orderbook/m?asOfSeq=${seq}`);
      expect(past.body).to.deep.equal(book);
      expect(past.headers.get('x-journal-seq')).to.equal(String(seq));
      for (const [who, portfolio] of portfolios) {
        const own = await get(harness, who, `/api/portfolio?asOfSeq=${seq}`);
        expect(own.body, `${who} at ${seq}`).to.deep.equal(portfolio);
        expect(own.headers.get('x-journal-seq')).to.equal(String(seq));
      }
    }
  });

  it('is served within a decision too: there an order reserves nothing yet', async () => {
    const placed = harness.log.events.findLast(({ type }) => type === 'OrderFilled');
    const seq = (placed?.seq ?? 0) - 1;
    const { orders, summary } = (await get(harness, 'bob', `/api/portfolio?asOfSeq=${seq}`)).body as PortfolioBody;
    expect(orders[0]).to.include({ id: 'b2', status: 'open', filledQty: 0, reservedAmount: 0 });
    expect(summary).to.include({ openOrders: 1, cash: 9_998.2 });
    const { yes } = (await get(harness, 'ann', `/api/orderbook/m?asOfSeq=${seq}`)).body as OrderBookBody;
    expect(yes).to.deep.equal({
      bids: [{ price: 0.55, quantity: 6, orders: 1 }],
      asks: [{ price: 0.6, quantity: 6, orders: 1 }],
    });
  });

  it('never changes, so that clients may cache it', async () => {
    for (const path of ['/api/orderbook/m', '/api/portfolio']) {
      const { headers } = await get(harness, 'bob', `${path}?asOfSeq=${seqNow()}`);
      expect(headers.get('cache-control')).to.equal(KEPT);
      expect(headers.get('vary')).to.match(/^authorization, x-api-key(, accept-encoding)?$/);
      const again = await fetch(`${harness.url}${path}?asOfSeq=${seqNow()}`, {
        headers: { authorization: `Bearer ${rawKey('bob')}`, 'if-none-match': headers.get('etag') ?? '' },
      });
      expect([again.status, again.headers.get('cache-control')]).to.deep.equal([304, KEPT]);
    }
    expect((await get(harness, 'bob', '/api/portfolio')).headers.get('cache-control')).to.equal('no-store');
    expect((await get(harness, 'bob', '/api/orderbook/m')).headers.get('cache-control')).to.equal('no-cache');
  });

  it('shows every command that was answered before, as all reads with a key', async () => {
    await harness.submit(openAccount('later'));
    const { status } = await get(harness, 'ann', `/api/portfolio?asOfSeq=${seqNow()}`);
    expect(status).to.equal(200);
  });

  it('is refused where there is none', async () => {
    const opened = harness.log.events.find(({ type }) => type === 'AccountOpened')?.seq ?? 0;
    const listed = harness.log.events.find(({ type }) => type === 'MarketListed')?.seq ?? 0;
    const tooFar = `validation failure: asOfSeq: must not be above ${seqNow()}, the newest sequence of the journal`;
    for (const [path, status, code, error] of [
      [`/api/portfolio?asOfSeq=${seqNow() + 1}`, 400, 'validation_failed', tooFar],
      [`/api/orderbook/m?asOfSeq=${seqNow() + 1}`, 400, 'validation_failed', tooFar],
      [`/api/orderbook/m?asOfSeq=${listed - 1}`, 404, 'market_not_found', `at sequence ${listed - 1}`],
      ['/api/orderbook/nowhere?asOfSeq=9', 404, 'market_not_found', 'nowhere at sequence 9'],
      [`/api/portfolio?asOfSeq=${opened - 1}`, 404, 'account_not_found', `not open yet at sequence ${opened - 1}`],
      ['/api/portfolio?asOfSeq=0', 400, 'validation_failed', 'validation failure: asOfSeq: '],
      ['/api/portfolio?asOfSeq=-1', 400, 'validation_failed', 'validation failure: asOfSeq: '],
      ['/api/portfolio?asOfSeq=now', 400, 'validation_failed', 'validation failure: asOfSeq: '],
      ['/api/orderbook/m?asOfSeq=', 400, 'validation_failed', 'validation failure: asOfSeq: '],
      ['/api/orderbook/m?asOfSeq=1&asOfSeq=2', 400, 'validation_failed', 'validation failure: asOfSeq: '],
    ] as const) {
      const found = await get(harness, 'ann', path);
      expect([path, found.status, (found.body as { code: string }).code]).to.deep.equal([path, status, code]);
      expect((found.body as { error: string }).error).to.include(error);
    }
    for (const path of ['/api/orderbook/m', '/api/portfolio']) {
      for (const headers of [{}, { authorization: 'Bearer svc_live_nobody' }]) {
        expect((await fetch(`${harness.url}${path}?asOfSeq=1`, { headers })).status).to.equal(401);
      }
    }
  });
});
