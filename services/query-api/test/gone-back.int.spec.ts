import { endpoints } from '@paper/contracts';
import type { Caller, Endpoint } from '@paper/contracts';
import { openAccount } from '@paper/testkit';
import { expect } from 'chai';
import { keyHash } from './read-harness.ts';
import type { ReadHarness } from './read-harness.ts';
import { get, trade, tradingHarness } from './trading-harness.ts';

const ANN: Caller = { kind: 'key', accountId: 'ann', keyId: 'k', permissions: ['view'], primaryAccountId: null };

/** The sequence at which the market is listed and nothing has traded. */
const PAST = 10;

/**
 * Every read of the read models. Boards are computed in advance, the journal is not a read model, and the progress of a
 * rebuild is read while there is none.
 */
const READS: readonly (readonly [Endpoint, { readonly params?: object; readonly query?: object }])[] = [
  [endpoints.listOrders, {}],
  [endpoints.listFills, {}],
  [endpoints.getPortfolio, {}],
  [endpoints.getPortfolio, { query: { asOfSeq: String(PAST) } }],
  [endpoints.getPositions, {}],
  [endpoints.listSubAccounts, {}],
  [endpoints.listKeys, {}],
  [endpoints.listRecentSignals, {}],
  [endpoints.getOrderHistory, { params: { id: 'a1' } }],
  [endpoints.listLedger, {}],
  [endpoints.listMarketsByPhase, {}],
  [endpoints.listHolders, { params: { id: 'm' } }],
  [endpoints.listAccounts, {}],
  [endpoints.listOneSidedTransfers, { query: { above: 1_000 } }],
  [endpoints.listMarkets, {}],
  [endpoints.getMarket, { params: { id: 'm' } }],
  [endpoints.getOrderBook, { params: { marketId: 'm' } }],
  [endpoints.getOrderBook, { params: { marketId: 'm' }, query: { asOfSeq: String(PAST) } }],
  [endpoints.getMarketEvents, { params: { id: 'm' } }],
  [endpoints.getMarketCandles, { params: { id: 'm' }, query: { period: '1' } }],
  [endpoints.listRecentTrades, {}],
  [endpoints.getActivity, {}],
];

const CLIENT = { signal: new AbortController().signal, address: 'address:test' };

/**
 * The moment between the recovery of a crashed Postgres and the projector's notice: the reported progress is ahead,
 * while the tables have lost the last commits.
 */
describe('a read whose wait was over before the read models went back', function () {
  this.timeout(60_000);
  let harness: ReadHarness;

  before(async () => {
    harness = await tradingHarness();
    await trade(harness, 'a1 ann buy yes 10 @ 0.55', 'b1 bob buy no 4 @ 0.45');
  });
  after(() => harness.close());

  const read = async ([endpoint, { params = {}, query = {} }]: (typeof READS)[number]) => {
    const handler = harness.routes.find((one) => one.endpoint === endpoint)?.handler;
    if (handler === undefined) throw new Error(`${endpoint.id} is not read here`);
    const answer = await handler(
      ANN,
      { params, query: { limit: 50, ...query }, body: null, idempotency: null },
      CLIENT,
    );
    return answer.seq;
  };

  it('is not answered by what they were, and is when they are back, whatever is read', async () => {
    // One after another: together they would wait for each other's turns, on a slow machine for too long.
    for (const one of READS) await read(one);
    await harness.heldUp(async () => {
      await harness.submit(openAccount('later'));
      harness.progress.set(harness.log.events.length);
      for (const outcome of await Promise.allSettled(READS.map(read))) {
        expect(outcome).to.have.property('status', 'rejected');
        expect(outcome).to.have.nested.property('reason.code', 'unavailable');
      }
    });
    for (const one of READS) {
      const isPast = 'asOfSeq' in (one[1].query ?? {});
      expect(await read(one), one[0].id).to.equal(isPast ? PAST : harness.log.events.length);
    }
  });

  it('does not refuse a key that was issued: whose it is may be in what they do not show', async () => {
    await harness.heldUp(async () => {
      await harness.submit(openAccount('new', { keyHash: keyHash('new'), permissions: ['view'] }));
      harness.progress.set(harness.log.events.length);
      const { status, headers } = await get(harness, 'new', '/api/orders');
      expect([status, headers.get('retry-after')]).to.deep.equal([503, '1']);
    });
    expect((await get(harness, 'new', '/api/orders')).status).to.equal(200);
    expect((await get(harness, 'nobody', '/api/orders')).status).to.equal(401);
  });
});
