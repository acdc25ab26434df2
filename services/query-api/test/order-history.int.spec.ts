import type { OrderHistoryBody } from '@paper/contracts/orders';
import { decode } from '@paper/journal';
import { base, keyOf, OPERATOR } from '@paper/testkit';
import { expect } from 'chai';
import type { ReadHarness } from './read-harness.ts';
import { cancel, get, trade, tradingHarness } from './trading-harness.ts';

type Entry = OrderHistoryBody['history'][number];

describe('the history of an order', function () {
  this.timeout(60_000);
  let harness: ReadHarness;

  before(async () => {
    harness = await tradingHarness();
  });
  after(() => harness.close());

  const historyOf = async (who: string, id: string): Promise<OrderHistoryBody> => {
    const { status, body } = await get(harness, who, `/api/orders/${id}/history`);
    expect(status).to.equal(200);
    return body as OrderHistoryBody;
  };
  /** Each entry as one line, after checking that the journal has it at its sequence. */
  const told = ({ history }: OrderHistoryBody): string[] => history.map(tell);
  const tell = (entry: Entry): string => {
    const stored = harness.log.events[entry.seq - 1];
    if (stored === undefined) throw new Error(`no event ${entry.seq}`);
    expect({ id: entry.id, type: entry.type as string }).to.deep.equal({ id: stored.id, type: stored.type });
    expect(entry.createdAt).to.equal(new Date(decode(stored).event.at).toISOString());
    const { reason, quantity, price, cash, filledQty, status, reservedAmount } = entry;
    return `${reason} ${quantity} @ ${price} cash ${cash} filled ${filledQty} ${status} reserved ${reservedAmount}`;
  };

  it('shows an order that rested, was filled in part, and was cancelled', async () => {
    await trade(harness, 'r1 ann buy yes 10 @ 0.55', 'r2 bob buy no 4 @ 0.45', cancel('ann', 'r1'));
    const history = await historyOf('ann', 'r1');
    expect(history.order).to.include({ id: 'r1', status: 'cancelled', filledQty: 4, userId: 'ann' });
    expect(told(history)).to.deep.equal([
      'placed 10 @ 0.55 cash 0 filled 0 open reserved 5.5',
      'maker 4 @ 0.55 cash -2.2 filled 4 partial reserved 3.3',
      'user 6 @ 0.55 cash 0 filled 4 cancelled reserved 0',
    ]);
    expect(told(await historyOf('bob', 'r2'))).to.deep.equal([
      'placed 4 @ 0.45 cash 0 filled 0 open reserved 0',
      'taker 4 @ 0.45 cash -1.8 filled 4 filled reserved 0',
    ]);
  });

  it('shows an order that filled at better prices and rests with the remainder', async () => {
    await trade(harness, 't1 bob buy no 3 @ 0.55', 't2 bob buy no 4 @ 0.50', 't3 ann buy yes 12 @ 0.60');
    const taken = [
      'placed 12 @ 0.6 cash 0 filled 0 open reserved 0',
      'taker 3 @ 0.45 cash -1.35 filled 3 partial reserved 0',
      'taker 4 @ 0.5 cash -2 filled 7 partial reserved 3',
    ];
    expect(told(await historyOf('ann', 't3'))).to.deep.equal(taken);
    await trade(harness, 't4 bob buy no 5 @ 0.40');
    const history = await historyOf('ann', 't3');
    expect(told(history)).to.deep.equal([...taken, 'maker 5 @ 0.6 cash -3 filled 12 filled reserved 0']);
    expect(history.order.status).to.equal('filled');
  });

  it('shows which key of the fleet placed, changed and cancelled an order, and none where a timer or the market did', async () => {
    await trade(
      harness,
      'k1 sub buy yes 5 @ 0.10',
      {
        ...base(keyOf('ann'), 'k1-amend'),
        type: 'AmendOrder',
        orderId: 'k1',
        offTick: false,
        priceUnits: 1_200,
        quantity: null,
      },
      { ...base(keyOf('ann'), 'k1-cancel'), type: 'CancelOrder', orderId: 'k1' },
      'k3 ann buy yes 5 @ 0.02 IOC',
    );
    await trade(harness, 'k4 ann buy yes 1 @ 0.03', 'k5 ann buy yes 1 @ 0.04', {
      ...base(keyOf('ann'), 'k-all'),
      type: 'CancelOrders',
      accountId: 'ann',
      marketId: null,
      outcome: null,
      side: null,
    });
    const senders = async (who: string, id: string) =>
      (await historyOf(who, id)).history.map(({ keyId, keyName, reason }) => [reason, keyId, keyName]);
    expect(await senders('sub', 'k1')).to.deep.equal([
      ['placed', 'sub-key', 'default'],
      ['replaced', 'ann-key', 'default'],
      ['user', 'ann-key', 'default'],
    ]);
    expect(await senders('ann', 'k3')).to.deep.equal([
      ['placed', 'ann-key', 'default'],
      ['no_liquidity', 'ann-key', 'default'],
    ]);
    for (const id of ['k4', 'k5']) {
      expect((await senders('ann', id)).at(-1)).to.deep.equal(['user', 'ann-key', 'default']);
    }
    expect(await senders('ann', 'r1')).to.deep.equal([
      ['placed', 'ann-key', 'default'],
      ['maker', null, null],
      ['user', 'ann-key', 'default'],
    ]);
  });

  it('shows why the rest of an order ended', async () => {
    await trade(harness, 'e1 bob buy no 2 @ 0.45', 'e2 ann buy yes 5 @ 0.55 IOC', 'e3 ann buy yes 5 @ 0.55 FOK');
    expect(told(await historyOf('ann', 'e2'))).to.deep.equal([
      'placed 5 @ 0.55 cash 0 filled 0 open reserved 0',
      'taker 2 @ 0.55 cash -1.1 filled 2 partial reserved 0',
      'ioc_remainder 3 @ 0.55 cash 0 filled 2 cancelled reserved 0',
    ]);
    expect(told(await historyOf('ann', 'e3'))).to.deep.equal([
      'placed 5 @ 0.55 cash 0 filled 0 open reserved 0',
      'fok_unfillable 5 @ 0.55 cash 0 filled 0 cancelled reserved 0',
    ]);
    await trade(
      harness,
      'e4 ann buy yes 5 @ 0.30',
      'e5 sub buy yes 1 @ 0.20',
      'e6 ann sell yes 3 @ 0.31',
      'e7 sub buy yes 1 @ 0.31',
    );
    expect(told(await historyOf('sub', 'e7')).at(-1)).to.equal(
      'self_trade 1 @ 0.31 cash 0 filled 0 cancelled reserved 0',
    );
    await trade(harness, 'e8 bob buy yes 1 @ 0.31');
    expect(told(await historyOf('ann', 'e6'))).to.deep.equal([
      'placed 3 @ 0.31 cash 0 filled 0 open reserved 0',
      'maker 1 @ 0.31 cash 0.31 filled 1 partial reserved 0',
    ]);
    await trade(harness, { ...base(OPERATOR, 'close'), type: 'CloseMarket', marketId: 'm' });
    expect(told(await historyOf('ann', 'e4')).at(-1)).to.equal(
      'market_closed 5 @ 0.3 cash 0 filled 0 cancelled reserved 0',
    );
    expect((await historyOf('ann', 'e4')).history.at(-1)).to.include({ keyId: null, keyName: null });
  });

  it('is cut into pages that together are the whole', async () => {
    for (const [id, limit] of ['t3', 'r1', 'e2', 'e3'].flatMap((one) => [1, 2, 3, 4].map((n) => [one, n] as const))) {
      const whole = await historyOf('ann', id);
      const entries: Entry[] = [];
      let path: string | null = `/api/orders/${id}/history?limit=${limit}`;
      while (path !== null) {
        const page = await get(harness, 'ann', path);
        const { order, history } = page.body as OrderHistoryBody;
        expect(order).to.deep.equal(whole.order);
        expect(history.length).to.be.within(1, limit);
        entries.push(...history);
        path = page.next;
      }
      expect(entries).to.deep.equal(whole.history);
    }
  });

  it("is shown to the order's account and to its primary, and to no other account", async () => {
    const ask = async (who: string, id: string) => {
      const { status, body } = await get(harness, who, `/api/orders/${id}/history`);
      return status === 200 ? status : [status, (body as { code: string }).code];
    };
    expect([await ask('sub', 'e5'), await ask('ann', 'e5')]).to.deep.equal([200, 200]);
    for (const [who, id] of [
      ['sib', 'e5'],
      ['bob', 'e5'],
      ['sub', 'r1'],
      ['bob', 'r1'],
      ['ann', 'none'],
    ] as const) {
      expect(await ask(who, id), `${who} ${id}`).to.deep.equal([404, 'not_found']);
    }
  });

  it("does not make another account's reads 503 by 150 parallel ones of one account", async () => {
    const flood = Array.from({ length: 150 }, () => get(harness, 'ann', '/api/orders/t3/history'));
    const statuses: number[] = [];
    for (let n = 0; n < 20; n += 1) {
      const path = n % 2 === 0 ? '/api/orders/t4/history' : '/api/portfolio?asOfSeq=9';
      statuses.push((await get(harness, 'bob', path)).status);
    }
    expect(statuses).to.deep.equal(Array<number>(20).fill(200));
    // Beyond 64 waiting requests, the account's further ones are refused.
    const own = (await Promise.all(flood)).map(({ status }) => status);
    expect(own).to.include.members([200, 429]);
    const { headers } = (await Promise.all(flood)).find(({ status }) => status === 429) ?? { headers: new Headers() };
    expect(headers.get('retry-after')).to.equal('1');
  });

  it("refuses a cursor of another order's history", async () => {
    const { next } = await get(harness, 'ann', '/api/orders/t3/history?limit=1');
    const other = (next ?? '').replace('/t3/', '/r1/');
    const { status, body } = await get(harness, 'ann', other);
    expect([status, (body as { code: string }).code]).to.deep.equal([400, 'validation_failed']);
  });
});
