import { expect } from 'chai';
import { FakeClock, until } from '@paper/testkit';
import type { Reply } from './http-harness.ts';
import { codesIn, order, refusal, resultsIn, TradingFloor } from './trading-floor.ts';
import type { Trader } from './trading-floor.ts';

const INVALID = [400, 'validation_failed'];
const FORBIDDEN = [403, 'forbidden'];

describe('the dead-man switch over HTTP', () => {
  let floor: TradingFloor;
  beforeEach(async () => (floor = await TradingFloor.open()));
  afterEach(() => floor.close());

  const set = (as: Trader | null, seconds: unknown, idempotencyKey?: string): Promise<Reply> =>
    floor.send('PUT', '/api/dead-man-switch', as, { seconds }, idempotencyKey);

  it('is armed so many seconds from the time of its event, each time anew', async () => {
    for (const seconds of [5, 3_600, 60]) {
      const reply = await set(floor.ada, seconds);
      const { event } = floor.eventsFrom(floor.length - 1)[0] ?? {};
      if (event?.type !== 'DeadManSwitchSet') throw new Error('the switch was not set');
      expect(event).to.deep.include({ accountId: floor.ada.accountId, cancelsAt: event.at + seconds * 1_000 });
      expect(reply.body).to.deep.equal({ cancelsAt: new Date(event.at + seconds * 1_000).toISOString() });
      expect(reply.headers.get('x-journal-seq')).to.equal(String(floor.length));
      // Nobody learns from the journal when it would fire.
      expect(floor.harness.log.events.at(-1)?.publicText).to.not.include(String(event.cancelsAt));
    }
  });

  it('is turned off by 0, and where it is off appends nothing', async () => {
    await set(floor.ada, 60);
    expect((await set(floor.ada, 0)).body).to.deep.equal({ cancelsAt: null });
    const before = floor.length;
    expect((await set(floor.ada, 0)).body).to.deep.equal({ cancelsAt: null });
    expect((await set(floor.bob, 0)).body).to.deep.equal({ cancelsAt: null });
    expect(floor.length).to.equal(before);
  });

  it('takes 0 and whole numbers of 5 to 3600 alone', async () => {
    const before = floor.length;
    for (const seconds of [1, 4, 3_601, -1, 5.5, '60', null, undefined, true]) {
      const reply = await set(floor.ada, seconds);
      expect(refusal(reply), String(seconds)).to.deep.equal(INVALID);
      expect(reply.body['error']).to.match(/^validation failure: seconds: /);
    }
    const extended = await floor.send('PUT', '/api/dead-man-switch', floor.ada, { seconds: 60, accountId: 'x' });
    expect(refusal(extended)).to.deep.equal(INVALID);
    expect(floor.length).to.equal(before);
  });

  it('does not remember an Idempotency-Key, so a heartbeat with one key goes on working', async () => {
    const before = floor.length;
    for (const seconds of [60, 60, 30]) {
      const reply = await set(floor.ada, seconds, 'heartbeat');
      expect([reply.status, reply.headers.get('idempotent-replayed')]).to.deep.equal([200, null]);
    }
    expect(floor.length).to.equal(before + 3);
    expect(codesIn(await floor.batch(floor.ada, [order()], 'heartbeat'))).to.deep.equal(['ok']);
  });

  it('needs a key with trade, of any account', async () => {
    const viewer = await floor.issueKey(floor.ada, floor.ada.accountId, ['view', 'master']);
    expect(refusal(await set(viewer, 60))).to.deep.equal(FORBIDDEN);
    expect((await set(null, 60)).body).to.deep.equal({ error: 'Not authenticated', code: 'not_authenticated' });
    expect((await set(floor.sub, 60)).status).to.equal(200);
  });

  it("cancels its account's orders when the clock passes it, and no others", async () => {
    const clock = new FakeClock();
    const timed = await TradingFloor.open({ clock });
    const { ada, bob, sub } = timed;
    for (const as of [ada, ada, bob, sub]) await timed.place(as);
    await timed.send('PUT', '/api/dead-man-switch', ada, { seconds: 5 });
    const [expiring] = resultsIn(
      await timed.batch(sub, [order({ expiresAt: new Date(clock.now() + 3_000).toISOString() })]),
    );
    const before = timed.length;
    clock.advance(2_999);
    expect((await timed.send('DELETE', '/api/orders/none', bob)).status).to.equal(200);
    expect(timed.length).to.equal(before);
    clock.advance(1);
    await until('the order has expired', () => timed.length === before + 1);
    expect(timed.eventsFrom(before)[0]?.event).to.deep.include({ orderId: expiring?.order?.['id'], reason: 'expired' });
    clock.advance(2_000);
    await until('the switch has fired', () => timed.length === before + 4);
    const events = timed.eventsFrom(before + 1).map(({ event }) => event);
    const reasons = events.map((event) => event.type === 'OrderCancelled' && [event.accountId, event.reason]);
    expect(reasons).to.deep.equal([[ada.accountId, 'dead_man_switch'], [ada.accountId, 'dead_man_switch'], false]);
    expect(events.at(-1)).to.deep.include({ type: 'DeadManSwitchSet', cancelsAt: null });
    expect((await timed.send('DELETE', '/api/orders', sub)).body['cancelled']).to.equal(1);
    await timed.close();
  });
});

describe('a merge of shares over HTTP', () => {
  let floor: TradingFloor;
  beforeEach(async () => {
    floor = await TradingFloor.open();
    // Ada has 10 YES and 6 NO shares, at 0.60 and 0.50, and 1 of each is to be sold.
    await floor.place(floor.bob, { outcome: 'no', price: 0.4 });
    await floor.place(floor.ada, { price: 0.6 });
    await floor.place(floor.bob, { price: 0.5, quantity: 6 });
    await floor.place(floor.ada, { outcome: 'no', price: 0.5, quantity: 6 });
    await floor.place(floor.ada, { outcome: 'no', side: 'sell', price: 0.99, quantity: 1 });
  });
  afterEach(() => floor.close());

  const CASH = 10_000 - 6 - 3;
  const merge = (as: Trader | null, body: unknown, idempotencyKey?: string): Promise<Reply> =>
    floor.send('POST', '/api/positions/merge', as, body, idempotencyKey);

  it('turns pairs of free shares into $1 each: so many, or all', async () => {
    const some = await merge(floor.ada, { marketId: 'm', quantity: 2 });
    expect([some.status, some.body]).to.deep.equal([200, { marketId: 'm', merged: 2, cash: CASH + 2 }]);
    expect(some.headers.get('x-journal-seq')).to.equal(String(floor.length));
    const rest = await merge(floor.ada, { marketId: 'm' });
    expect(rest.body).to.deep.equal({ marketId: 'm', merged: 3, cash: CASH + 5 });
  });

  it('merges 0 and appends nothing where there is nothing and no quantity', async () => {
    await merge(floor.ada, { marketId: 'm' });
    const before = floor.length;
    for (const [as, marketId, cash] of [
      [floor.ada, 'm', CASH + 5],
      [floor.ada, 'n', CASH + 5],
      [floor.sub, 'm', 10_000],
    ] as const) {
      expect((await merge(as, { marketId })).body).to.deep.equal({ marketId, merged: 0, cash });
    }
    expect(floor.length).to.equal(before);
  });

  it('refuses more than is free', async () => {
    for (const [as, quantity] of [
      [floor.ada, 6],
      [floor.sub, 1],
      [floor.ada, Number.MAX_SAFE_INTEGER],
    ] as const) {
      expect(refusal(await merge(as, { marketId: 'm', quantity }))).to.deep.equal([400, 'insufficient_shares']);
    }
  });

  it('refuses a market that is unknown or settled; one that is paused or closed it does not', async () => {
    expect(refusal(await merge(floor.ada, { marketId: 'none' }))).to.deep.equal([400, 'market_not_found']);
    await floor.harness.operate('POST', '/api/operator/markets/m/pause');
    expect((await merge(floor.ada, { marketId: 'm', quantity: 1 })).body['merged']).to.equal(1);
    await floor.harness.operate('POST', '/api/operator/markets/m/close');
    expect((await merge(floor.ada, { marketId: 'm', quantity: 1 })).body['merged']).to.equal(1);
    await floor.harness.operate('POST', '/api/operator/markets/m/resolve', { outcome: 'yes' });
    for (const body of [{ marketId: 'm' }, { marketId: 'm', quantity: 1 }]) {
      expect(refusal(await merge(floor.ada, body))).to.deep.equal([400, 'market_already_resolved']);
    }
  });

  it('refuses a form that is wrong', async () => {
    for (const body of [
      {},
      { marketId: '' },
      { marketId: 'm', quantity: 0 },
      { marketId: 'm', quantity: 1.5 },
      { marketId: 'm', quantity: null },
      { marketId: 'm', accountId: 'x' },
    ]) {
      expect(refusal(await merge(floor.ada, body)), JSON.stringify(body)).to.deep.equal(INVALID);
    }
  });

  it('repeats its first answer for an Idempotency-Key', async () => {
    const first = await merge(floor.ada, { marketId: 'm', quantity: 2 }, 'k');
    await merge(floor.ada, { marketId: 'm', quantity: 1 });
    const before = floor.length;
    const again = await merge(floor.ada, { marketId: 'm', quantity: 2 }, 'k');
    expect([again.body, again.headers.get('idempotent-replayed')]).to.deep.equal([first.body, 'true']);
    expect(floor.length).to.equal(before);
    const other = await merge(floor.ada, { marketId: 'm' }, 'k');
    expect(refusal(other)).to.deep.equal([400, 'idempotency_conflict']);
  });

  it('needs a key with trade', async () => {
    const viewer = await floor.issueKey(floor.ada, floor.ada.accountId, ['view', 'master']);
    expect(refusal(await merge(viewer, { marketId: 'm' }))).to.deep.equal(FORBIDDEN);
    expect((await merge(null, {})).body).to.deep.equal({ error: 'Not authenticated', code: 'not_authenticated' });
  });
});

describe('the mandate of a key over HTTP', () => {
  let floor: TradingFloor;
  beforeEach(async () => (floor = await TradingFloor.open()));
  afterEach(() => floor.close());

  const set = (as: Trader | null, keyId: string, mandate: unknown, idempotencyKey?: string): Promise<Reply> =>
    floor.send('PUT', `/api/accounts/keys/${keyId}/mandate`, as, mandate, idempotencyKey);

  it('is answered with its key, and removed by null', async () => {
    const mandate = {
      maxOrderCost: 25.5,
      maxReserved: 0,
      maxShares: 1_000_000_000,
      spendPerDay: 1_000_000_000,
      marketIds: ['m', 'not listed yet'],
      reduceOnly: false,
    };
    const reply = await set(floor.ada, floor.sub.keyId, mandate);
    const key = reply.body['key'] as Record<string, unknown>;
    expect(reply.status).to.equal(200);
    expect(key).to.have.all.keys(
      'id',
      'name',
      'permissions',
      'last4',
      'createdAt',
      'revokedAt',
      'lastUsedOn',
      'mandate',
    );
    expect(key).to.deep.include({ id: floor.sub.keyId, mandate, name: 'default', permissions: ['view', 'trade'] });
    expect(key['last4']).to.equal(floor.sub.key.slice(-4));
    expect(reply.headers.get('x-journal-seq')).to.equal(String(floor.length));
    const before = floor.length;
    expect((await set(floor.ada, floor.sub.keyId, mandate)).body).to.deep.equal(reply.body);
    expect(floor.length).to.equal(before);
    const removed = await set(floor.ada, floor.sub.keyId, null);
    expect(removed.body).to.deep.equal({ key: { ...key, mandate: null } });
    expect(floor.length).to.equal(before + 1);
  });

  it('is private in the journal', async () => {
    await set(floor.ada, floor.sub.keyId, { marketIds: ['of-no-concern'], maxOrderCost: 12.3456 });
    const stored = floor.harness.log.events.at(-1);
    expect(stored?.publicText).to.not.match(/of-no-concern|123456|mandate"/);
    expect(stored?.privateText).to.include('of-no-concern');
  });

  it('limits orders of its key, in batches and previews too, and says which limit', async () => {
    await set(floor.ada, floor.sub.keyId, { maxOrderCost: 4 });
    const dear = order({ marketId: 'fine', price: 0.4001 });
    const text = 'Mandate exceeded: maxOrderCost is 4, this order would make it 4.001';
    const expected = { error: text, code: 'mandate_exceeded' };
    const single = await floor.send('POST', '/api/orders', floor.sub, dear);
    expect([single.status, single.body]).to.deep.equal([400, expected]);
    const preview = await floor.send('POST', '/api/orders/preview', floor.sub, dear);
    expect([preview.status, preview.body]).to.deep.equal([400, expected]);
    const [refused, placed] = resultsIn(await floor.batch(floor.sub, [dear, order()]));
    expect(refused).to.deep.equal({ ok: false, ...expected });
    expect(placed?.ok).to.equal(true);
    const path = `/api/orders/${String(placed?.order?.['id'])}`;
    expect((await floor.send('PATCH', path, floor.sub, { price: 0.41 })).body['code']).to.equal('mandate_exceeded');
    expect((await floor.send('PATCH', path, floor.sub, { quantity: 9 })).status).to.equal(200);
    // It is the caller's: of the primary's key, for the same account, there is none.
    expect(codesIn(await floor.batch(floor.ada, [{ ...dear, accountId: floor.sub.accountId }]))).to.deep.equal(['ok']);
    expect((await floor.send('DELETE', '/api/orders', floor.sub)).body['cancelled']).to.equal(2);
    await set(floor.ada, floor.sub.keyId, null);
    expect((await floor.send('POST', '/api/orders', floor.sub, dear)).status).to.equal(200);
  });

  it('is checked after the tick, and before shares and balance', async () => {
    await set(floor.ada, floor.sub.keyId, { marketIds: [] });
    const rows = [
      [{ marketId: 'none' }, 'market_not_found'],
      [{ price: 0.405 }, 'invalid_tick'],
      [{ side: 'sell' }, 'mandate_exceeded'],
    ] as const;
    for (const [more, code] of rows) expect(codesIn(await floor.batch(floor.sub, [order(more)]))).to.deep.equal([code]);
  });

  it('that is {} limits nothing, and yet its key cannot grant', async () => {
    const reply = await set(floor.ada, floor.ada.keyId, {});
    expect((reply.body['key'] as Record<string, unknown>)['mandate']).to.deep.equal({});
    const { ada, sub } = floor;
    const sent = [
      await set(ada, sub.keyId, { maxShares: 1 }),
      await set(ada, ada.keyId, null),
      await floor.send('POST', `/api/accounts/sub/${sub.accountId}/keys`, ada, { name: 'x', permissions: ['view'] }),
      await floor.send('POST', `/api/accounts/sub/${ada.accountId}/keys`, ada, { name: 'x', permissions: ['view'] }),
      await floor.send('POST', '/api/accounts/sub', ada, { displayName: 'Another' }),
      await floor.send('DELETE', `/api/accounts/sub/${sub.accountId}`, ada),
      // It is refused before the form of a body is looked at.
      await set(ada, ada.keyId, { maxOrders: 1 }),
      await floor.send('POST', `/api/accounts/sub/${ada.accountId}/keys`, ada, {}),
      await floor.send('POST', '/api/accounts/sub', ada, {}),
    ];
    for (const { status, body } of sent) {
      expect([status, body]).to.deep.equal([403, { error: 'Forbidden', code: 'forbidden' }]);
    }
    expect((await floor.send('POST', '/api/orders', ada, order())).status).to.equal(200);
    expect((await floor.send('DELETE', `/api/accounts/keys/${sub.keyId}`, ada)).status).to.equal(403);
    expect((await floor.send('DELETE', `/api/accounts/keys/${ada.keyId}`, ada)).body).to.deep.equal({ ok: true });
  });

  it('is set by a key of a primary with master alone, for a key of its own fleet', async () => {
    const { ada, bob, sub } = floor;
    const trader = await floor.issueKey(ada, ada.accountId, ['view', 'trade']);
    const before = floor.length;
    const rows = [
      [sub, sub.keyId, 'primary_account_required'],
      [sub, 'unknown', 'primary_account_required'],
      [trader, sub.keyId, 'forbidden'],
      [bob, sub.keyId, 'forbidden'],
      [bob, ada.keyId, 'forbidden'],
      [ada, 'unknown', 'forbidden'],
    ] as const;
    for (const [as, keyId, code] of rows) expect(refusal(await set(as, keyId, {}))).to.deep.equal([403, code]);
    expect((await set(null, sub.keyId, {})).body).to.deep.equal({
      error: 'Not authenticated',
      code: 'not_authenticated',
    });
    expect(floor.length).to.equal(before);
    expect((await set(ada, trader.keyId, { reduceOnly: true })).status).to.equal(200);
  });

  it('refuses a form that is wrong', async () => {
    const before = floor.length;
    const rows: readonly unknown[] = [
      ...[5, [], 'null', undefined],
      ...['maxOrderCost', 'maxReserved', 'spendPerDay'].flatMap((name) =>
        [-0.0001, 0.00001, 1_000_000_000.0001, '1', null].map((value) => ({ [name]: value })),
      ),
      ...[-1, 0.5, 1_000_000_001, null].map((maxShares) => ({ maxShares })),
      ...['m', [''], [1], ['m\u0000'], Array.from({ length: 101 }, () => 'm'), null].map((marketIds) => ({
        marketIds,
      })),
      ...['true', 1, null].map((reduceOnly) => ({ reduceOnly })),
      { maxOrders: 1 },
    ];
    for (const body of rows) {
      expect(refusal(await set(floor.ada, floor.sub.keyId, body)), JSON.stringify(body)).to.deep.equal(INVALID);
    }
    expect(floor.length).to.equal(before);
    expect(
      (await set(floor.ada, floor.sub.keyId, { marketIds: Array.from({ length: 100 }, () => 'm') })).status,
    ).to.equal(200);
  });

  it('does not remember an Idempotency-Key', async () => {
    for (const maxShares of [1, 2, 1]) {
      const reply = await set(floor.ada, floor.sub.keyId, { maxShares }, 'k');
      expect([reply.status, reply.headers.get('idempotent-replayed')]).to.deep.equal([200, null]);
      expect(reply.body['key']).to.deep.include({ mandate: { maxShares } });
    }
  });
});

describe('the methods of the paths of orders', () => {
  let floor: TradingFloor;
  before(async () => (floor = await TradingFloor.open()));
  after(() => floor.close());

  it('name those that this side serves', async () => {
    for (const [path, allow] of [
      ['/api/orders', 'DELETE, POST'],
      ['/api/orders/x', 'DELETE, PATCH'],
      ['/api/orders/batch', 'POST'],
      ['/api/orders/preview', 'POST'],
      ['/api/dead-man-switch', 'PUT'],
      ['/api/positions/merge', 'POST'],
      ['/api/accounts/keys/k/mandate', 'PUT'],
    ] as const) {
      const reply = await floor.send('OPTIONS', path, floor.ada);
      expect([...refusal(reply), reply.headers.get('allow')], path).to.deep.equal([405, 'method_not_allowed', allow]);
    }
  });
});
