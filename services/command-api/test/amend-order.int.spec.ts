import { createMemoryLog, decode, encodeDecision } from '@paper/journal';
import type { MemoryLog } from '@paper/journal';
import { expect } from 'chai';
import { httpHarness } from './http-harness.ts';
import type { Reply } from './http-harness.ts';
import { order, refusal, resultsIn, TradingFloor } from './trading-floor.ts';
import type { Trader } from './trading-floor.ts';

type Json = Readonly<Record<string, unknown>>;

/** The log, with the change that is its last event as rules before version 5 decided it. */
function asFormerly(log: MemoryLog): MemoryLog {
  const [before, last] = log.events.slice(-2).map(decode);
  if (before === undefined || last?.event.type !== 'OrderAmended' || last.command === null) {
    throw new Error('the last event is no change of an order');
  }
  const untold = { clientOrderId: null, expiresAt: null, filledCostUnits: null, postOnly: null };
  const events = [{ ...last.event, ...untold }];
  const { stored } = encodeDecision({ command: last.command, events, head: before, salt: '00'.repeat(16) });
  return { ...createMemoryLog(), events: [...log.events.slice(0, -1), ...stored] };
}

const CONFLICT = [400, 'idempotency_conflict'];

describe('a change of an order over HTTP', () => {
  let floor: TradingFloor;
  beforeEach(async () => (floor = await TradingFloor.open()));
  afterEach(() => floor.close());

  const amend = (as: Trader, id: string, change: unknown, idempotencyKey?: string): Promise<Reply> =>
    floor.send('PATCH', `/api/orders/${id}`, as, change, idempotencyKey);
  const cancel = (as: Trader, id: string, idempotencyKey?: string): Promise<Reply> =>
    floor.send('DELETE', `/api/orders/${id}`, as, undefined, idempotencyKey);
  const typesFrom = (start: number): readonly string[] => floor.eventsFrom(start).map(({ event }) => event.type);

  /** An order of a batch of one, with all that an answer tells of it. */
  const placeInFull = async (more: Json = {}): Promise<Json> => {
    const [placed] = resultsIn(await floor.batch(floor.ada, [order(more)]));
    return placed?.order ?? {};
  };

  it('of its total only is answered with the whole order, in its place', async () => {
    const placed = await placeInFull({ clientOrderId: 'bid-1', postOnly: true, expiresAt: '2026-12-31T00:00:00.000Z' });
    const before = floor.length;
    const reply = await amend(floor.ada, String(placed['id']), { quantity: 4 });
    expect(reply.status).to.equal(200);
    expect(reply.body).to.deep.equal({ ...placed, quantity: 4, reservedAmount: 1.6, seq: floor.length });
    expect(typesFrom(before)).to.deep.equal(['OrderAmended']);
    expect(reply.headers.get('x-journal-seq')).to.equal(String(floor.length));
    expect(reply.headers.get('x-journal-hash')).to.equal(floor.harness.log.events.at(-1)?.hash);
  });

  it('of its price enters again with its id, and may fill at once', async () => {
    await floor.place(floor.bob, { outcome: 'no', price: 0.5, quantity: 6 });
    const placed = await placeInFull();
    const before = floor.length;
    const reply = await amend(floor.ada, String(placed['id']), { price: 0.55 });
    const changed = { price: 0.55, filledQty: 6, status: 'partial', reservedAmount: 2.2, averagePrice: 0.5 };
    expect(reply.body).to.deep.equal({ ...placed, ...changed, seq: floor.length });
    expect(typesFrom(before)).to.deep.equal(['OrderReplaced', 'OrderFilled']);
    const raised = await amend(floor.ada, String(placed['id']), { quantity: 20 });
    const more = { ...changed, quantity: 20, reservedAmount: 7.7, seq: floor.length };
    expect(raised.body).to.deep.equal({ ...placed, ...more });
  });

  it('to the same values appends nothing', async () => {
    const placed = await placeInFull({ clientOrderId: 'bid-1' });
    const id = String(placed['id']);
    const before = floor.length;
    for (const same of [{ price: 0.4 }, { quantity: 10 }, { price: 0.4, quantity: 10 }]) {
      const reply = await amend(floor.ada, id, same, 'same');
      expect([reply.status, reply.body]).to.deep.equal([200, placed]);
      expect(reply.headers.get('x-journal-hash')).to.equal(floor.harness.log.events.at(-1)?.hash);
    }
    expect(floor.length).to.equal(before);
  });

  it('of an order by notional keeps its shares where only its price is amended', async () => {
    const placed = await floor.send(
      'POST',
      '/api/orders',
      floor.ada,
      order({ quantity: undefined, notional: 400, price: 0.5 }),
    );
    expect(placed.body).to.deep.include({ quantity: 800 });
    const reply = await amend(floor.ada, String(placed.body['id']), { price: 0.4 });
    expect(reply.body).to.deep.include({ quantity: 800, price: 0.4, reservedAmount: 320 });
  });

  it('that would take cancels a postOnly order', async () => {
    await floor.place(floor.bob, { outcome: 'no', price: 0.5 });
    const [placed] = resultsIn(await floor.batch(floor.ada, [order({ postOnly: true })]));
    const reply = await amend(floor.ada, String(placed?.order?.['id']), { price: 0.5 });
    expect(reply.status).to.equal(200);
    expect(reply.body).to.include({ status: 'cancelled', filledQty: 0, reason: 'post_only', seq: floor.length });
    const { event } = floor.eventsFrom(floor.length - 1)[0] ?? {};
    expect(event).to.deep.include({ type: 'OrderCancelled', reason: 'post_only' });
  });

  const FORMS: readonly (readonly [what: string, change: unknown, error: RegExp])[] = [
    ['nothing', {}, /^validation failure: body: must have price, quantity or both$/],
    ['null', null, /^validation failure: body: /],
    ['null for the price', { price: null, quantity: 4 }, /^validation failure: price: /],
    ['null for the quantity', { quantity: null }, /^validation failure: quantity: /],
    ['a price of 1', { price: 1 }, /^validation failure: price: /],
    ['no shares', { quantity: 0 }, /^validation failure: quantity: /],
    ['501 shares', { quantity: 501 }, /^validation failure: quantity: /],
    ['half a share', { quantity: 1.5 }, /^validation failure: quantity: /],
    ['another field', { quantity: 4, timeInForce: 'IOC' }, /^validation failure: timeInForce: /],
  ];
  for (const [what, change, error] of FORMS) {
    it(`to ${what} is refused for its form, whatever the order is`, async () => {
      const live = await floor.place(floor.ada);
      for (const id of [live, 'unknown']) {
        const reply = await amend(floor.ada, id, change);
        expect(refusal(reply)).to.deep.equal([400, 'validation_failed']);
        expect(reply.body['error']).to.match(error);
      }
    });
  }

  it('to no more than is filled is refused', async () => {
    const id = await floor.place(floor.ada);
    await floor.place(floor.bob, { outcome: 'no', price: 0.6, quantity: 4 });
    for (const quantity of [3, 4]) {
      const reply = await amend(floor.ada, id, { quantity });
      expect(refusal(reply)).to.deep.equal([400, 'validation_failed']);
      expect(reply.body['error']).to.equal(
        'validation failure: quantity: must be greater than the 4 shares that are filled',
      );
    }
    expect((await amend(floor.ada, id, { quantity: 5 })).body).to.deep.include({ quantity: 5, status: 'partial' });
  });

  it('is refused as a new order would be, and leaves the order as it was', async () => {
    const id = await floor.place(floor.ada);
    const rows: readonly (readonly [Json, string])[] = [
      [{ price: 0.405 }, 'invalid_tick'],
      [{ price: 0.40001 }, 'invalid_tick'],
    ];
    const before = floor.length;
    for (const [change, code] of rows) expect(refusal(await amend(floor.ada, id, change))).to.deep.equal([400, code]);
    expect(floor.length).to.equal(before);
    await floor.place(floor.ada, { quantity: undefined, notional: 5_000, price: 0.5 });
    await floor.place(floor.ada, { quantity: undefined, notional: 4_990, price: 0.5 });
    expect(refusal(await amend(floor.ada, id, { quantity: 100 }))).to.deep.equal([400, 'insufficient_balance']);
    await floor.harness.operate('POST', '/api/operator/markets/m/pause');
    expect(refusal(await amend(floor.ada, id, { price: 0.41 }))).to.deep.equal([400, 'market_not_active']);
    expect((await amend(floor.ada, id, { quantity: 9 })).body).to.deep.include({ quantity: 9, price: 0.4 });
    expect((await cancel(floor.ada, id)).body).to.deep.equal({ ok: true });
  });

  it('needs free shares for a larger sale', async () => {
    await floor.place(floor.bob, { outcome: 'no', price: 0.5 });
    await floor.place(floor.ada, { price: 0.5 });
    const id = await floor.place(floor.ada, { side: 'sell', price: 0.9, quantity: 6 });
    expect((await amend(floor.ada, id, { quantity: 10, price: 0.8 })).status).to.equal(200);
    expect(refusal(await amend(floor.ada, id, { quantity: 11 }))).to.deep.equal([400, 'insufficient_shares']);
  });

  it('of an unknown order is 404, of one that has ended 400', async () => {
    for (const id of ['unknown', 'client', '00000000-0000-7000-8000-000000000000']) {
      const reply = await amend(floor.ada, id, { quantity: 4 });
      expect(refusal(reply)).to.deep.equal([404, 'not_found']);
    }
    const cancelled = await floor.place(floor.ada);
    await cancel(floor.ada, cancelled);
    const killed = await floor.place(floor.ada, { timeInForce: 'IOC' });
    await floor.place(floor.bob, { outcome: 'no', price: 0.5 });
    const filled = await floor.place(floor.ada, { price: 0.5 });
    for (const id of [cancelled, killed, filled]) {
      expect(refusal(await amend(floor.ada, id, { quantity: 4 }))).to.deep.equal([400, 'order_not_open']);
    }
  });

  it("of another's order is 403, live or ended", async () => {
    const { ada, bob, sub } = floor;
    const trader = await floor.issueKey(ada, ada.accountId, ['view', 'trade']);
    const sibling = await floor.send('POST', '/api/accounts/sub', ada, { displayName: 'Sibling' });
    const { apiKey } = sibling.body as unknown as { apiKey: { rawKey: string } };
    const orders = {
      ofAda: [await floor.place(ada), await floor.place(ada)],
      ofSub: [await floor.place(sub), await floor.place(sub)],
    };
    await cancel(ada, orders.ofAda[1] ?? '');
    await cancel(ada, orders.ofSub[1] ?? '');
    const rows = [
      [bob, orders.ofAda],
      [bob, orders.ofSub],
      // A sub-account's key may neither change the primary's orders nor a sibling's.
      [sub, orders.ofAda],
      [{ ...sub, key: apiKey.rawKey }, orders.ofSub],
      // A primary's key needs master for a sub-account's.
      [trader, orders.ofSub],
    ] as const;
    for (const [as, ids] of rows) {
      for (const id of ids) {
        const reply = await amend(as, id, { quantity: 4 });
        expect([reply.status, reply.body]).to.deep.equal([403, { error: 'Forbidden', code: 'forbidden' }]);
      }
    }
    expect((await amend(ada, orders.ofSub[0] ?? '', { quantity: 4 })).body).to.deep.include({ userId: sub.accountId });
    expect(refusal(await amend(ada, orders.ofSub[1] ?? '', { quantity: 4 }))).to.deep.equal([400, 'order_not_open']);
  });

  it('needs a key with trade', async () => {
    const id = await floor.place(floor.ada);
    const viewer = await floor.issueKey(floor.ada, floor.ada.accountId, ['view', 'master']);
    expect(refusal(await amend(viewer, id, {}))).to.deep.equal([403, 'forbidden']);
    const reply = await floor.send('PATCH', `/api/orders/${id}`, null, {});
    expect([reply.status, reply.body]).to.deep.equal([401, { error: 'Not authenticated', code: 'not_authenticated' }]);
  });

  describe('with an Idempotency-Key', () => {
    it('is repeated, also when the order has ended meanwhile', async () => {
      const id = await floor.place(floor.ada);
      const first = await amend(floor.ada, id, { quantity: 4 }, 'k');
      expect(first.headers.get('idempotent-replayed')).to.equal(null);
      await cancel(floor.ada, id);
      const before = floor.length;
      const again = await amend(floor.ada, id, { quantity: 4 }, 'k');
      expect([again.status, again.body]).to.deep.equal([200, first.body]);
      expect(again.headers.get('idempotent-replayed')).to.equal('true');
      expect(again.headers.get('x-journal-seq')).to.equal(first.headers.get('x-journal-seq'));
      expect(floor.length).to.equal(before);
    });

    it('that was remembered before the upgrade is repeated with what is known of its order', async () => {
      const placed = await placeInFull({ clientOrderId: 'bid-1', postOnly: true });
      const id = String(placed['id']);
      const first = await amend(floor.ada, id, { quantity: 4 }, 'k');
      const upgraded = await httpHarness({ log: asFormerly(floor.harness.log) });
      try {
        const { key } = floor.ada;
        const again = await upgraded.call('PATCH', `/api/orders/${id}`, {
          key,
          body: { quantity: 4 },
          idempotencyKey: 'k',
        });
        expect(again.headers.get('idempotent-replayed')).to.equal('true');
        expect([again.status, again.body]).to.deep.equal([200, first.body]);
        expect(again.headers.get('x-journal-seq')).to.equal(first.headers.get('x-journal-seq'));
      } finally {
        await upgraded.close();
      }
    });

    it('is a conflict with another change, another order, or another method', async () => {
      const id = await floor.place(floor.ada);
      const other = await floor.place(floor.ada);
      await amend(floor.ada, id, { quantity: 4 }, 'k');
      expect(refusal(await amend(floor.ada, id, { quantity: 5 }, 'k'))).to.deep.equal(CONFLICT);
      expect(refusal(await amend(floor.ada, other, { quantity: 4 }, 'k'))).to.deep.equal(CONFLICT);
      // It is looked at before the order.
      expect(refusal(await amend(floor.ada, 'unknown', { quantity: 4 }, 'k'))).to.deep.equal(CONFLICT);
      expect(refusal(await cancel(floor.ada, id, 'k'))).to.deep.equal(CONFLICT);
      expect(refusal(await amend(floor.ada, id, {}, 'k'))).to.deep.equal([400, 'validation_failed']);
    });

    it('lets a cancel be repeated, too', async () => {
      const id = await floor.place(floor.ada);
      expect((await cancel(floor.ada, id, 'k')).headers.get('idempotent-replayed')).to.equal(null);
      const again = await cancel(floor.ada, id, 'k');
      expect([again.body, again.headers.get('idempotent-replayed')]).to.deep.equal([{ ok: true }, 'true']);
      expect(refusal(await cancel(floor.ada, 'unknown', 'k'))).to.deep.equal(CONFLICT);
    });
  });
});
