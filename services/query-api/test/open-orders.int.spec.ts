import type { OpenOrdersBody, OrderDetailBody } from '@paper/contracts/orders';
import { base, keyOf, listMarket, orderFrom } from '@paper/testkit';
import { expect } from 'chai';
import { keyHash, rawKey } from './read-harness.ts';
import type { ReadHarness } from './read-harness.ts';
import { cancel, get, trade, tradingHarness } from './trading-harness.ts';

describe('GET /api/orders/open', function () {
  this.timeout(60_000);
  let harness: ReadHarness;

  before(async () => {
    harness = await tradingHarness();
    await harness.submit(listMarket('other'));
    await trade(
      harness,
      { ...orderFrom('o1 ann buy yes 5 @ 0.40'), clientOrderId: 'open:1' },
      'o2 sub buy yes 5 @ 0.30',
      { ...orderFrom('o3 ann buy yes 5 @ 0.20'), marketId: 'other' },
      'o4 ann buy yes 1 @ 0.10',
      'o5 bob buy no 2 @ 0.60',
      cancel('ann', 'o4'),
      // It loses its place in the book, and keeps the one among the open orders: it was accepted first.
      {
        ...base(keyOf('ann'), 'amend-o1'),
        type: 'AmendOrder',
        offTick: false,
        orderId: 'o1',
        priceUnits: 4_100,
        quantity: null,
      },
    );
  });
  after(() => harness.close());

  /** The ids of every page, each order of which is what GET /api/orders/{id} gives. */
  const open = async (who: string, query: string): Promise<readonly string[]> => {
    const all: OrderDetailBody[] = [];
    for (let path: string | null = `/api/orders/open${query}`; path !== null;) {
      const answer = await get(harness, who, path);
      expect(answer.status, path).to.equal(200);
      const { orders, seq } = answer.body as OpenOrdersBody;
      expect(answer.headers.get('x-journal-seq')).to.equal(String(seq));
      all.push(...orders);
      path = answer.next;
    }
    for (const one of all) expect((await get(harness, who, `/api/orders/${one.id}`)).body).to.deep.equal(one);
    return all.map(({ id }) => id);
  };
  const refusal = async (who: string, query: string): Promise<unknown> => {
    const answer = await get(harness, who, `/api/orders/open${query}`);
    return [answer.status, (answer.body as { code?: unknown }).code];
  };

  it("lists the account's open orders in order of acceptance, as they are now, on pages of any size", async () => {
    for (const limit of ['', '?limit=1', '?limit=2', '?limit=5000']) {
      expect(await open('ann', limit), limit).to.deep.equal(['o1', 'o3']);
    }
    const { orders } = (await get(harness, 'ann', '/api/orders/open')).body as OpenOrdersBody;
    const [first] = orders;
    expect(first).to.include({ status: 'partial', averagePrice: 0.4, clientOrderId: 'open:1', price: 0.41 });
    expect(await open('ann', '?marketId=other')).to.deep.equal(['o3']);
    expect(await open('ann', '?marketId=none')).to.deep.equal([]);
    expect(await open('sib', '')).to.deep.equal([]);
  });

  it("lists a whole fleet's for a primary's key with master, and refuses every other", async () => {
    for (const query of ['?fleet=true', '?fleet=true&limit=1', '?fleet=true&limit=2']) {
      expect(await open('ann', query), query).to.deep.equal(['o1', 'o2', 'o3']);
    }
    await harness.submit({
      ...base(keyOf('ann'), 'issue-viewer'),
      type: 'IssueApiKey',
      accountId: 'ann',
      keyHash: keyHash('viewer'),
      keyId: 'viewer-key',
      last4: 'last',
      name: 'viewer',
      permissions: ['view'],
    });
    await harness.projected();
    expect(await open('viewer', '')).to.deep.equal(['o1', 'o3']);
    expect(await refusal('viewer', '?fleet=true')).to.deep.equal([403, 'forbidden']);
    expect(await refusal('sub', '?fleet=true')).to.deep.equal([403, 'primary_account_required']);
    expect(await refusal('ann', '?fleet=yes')).to.deep.equal([400, 'validation_failed']);
    expect(await refusal('ann', '?cursor=forged')).to.deep.equal([400, 'validation_failed']);
  });

  it('answers nothing but GET: `open` is no id of an order', async () => {
    for (const method of ['DELETE', 'PATCH', 'POST']) {
      const reply = await fetch(`${harness.url}/api/orders/open`, {
        method,
        headers: { authorization: `Bearer ${rawKey('ann')}` },
      });
      expect([reply.status, reply.headers.get('allow')], method).to.deep.equal([405, 'GET, HEAD']);
    }
  });
});
