import { expect } from 'chai';
import { codesIn, order, refusal, resultsIn, TradingFloor } from './trading-floor.ts';

const INVALID = 'validation_failed';

describe('a batch of orders over HTTP', () => {
  let floor: TradingFloor;
  beforeEach(async () => (floor = await TradingFloor.open()));
  afterEach(() => floor.close());

  it('places its items in their order, each by a command of its own', async () => {
    const before = floor.length;
    const reply = await floor.batch(floor.ada, [
      order({ price: 0.41 }),
      order({ outcome: 'no', side: 'sell' }),
      order({ price: 0.42, clientOrderId: 'bid-2' }),
    ]);
    const [first, second, third] = resultsIn(reply);
    expect(first).to.deep.include({ ok: true });
    expect(first?.order).to.deep.include({ price: 0.41, status: 'open', userId: floor.ada.accountId });
    expect(second).to.have.all.keys('ok', 'error', 'code');
    expect(second).to.deep.include({ ok: false, code: 'insufficient_shares' });
    expect(third?.order).to.deep.include({ price: 0.42 });
    const events = floor.eventsFrom(before);
    expect(events.map(({ event }) => event.type === 'OrderPlaced' && event.orderId)).to.deep.equal([
      first?.order?.['id'],
      third?.order?.['id'],
    ]);
    // Nothing that the journal shows joins two of them.
    expect(new Set(events.map(({ command }) => command?.correlationId)).size).to.equal(2);
    for (const { command } of events) expect(command?.causationId).to.equal(command?.id);
    expect(reply.headers.get('x-journal-seq')).to.equal(String(floor.length));
    expect(reply.headers.get('x-journal-hash')).to.equal(floor.harness.log.events.at(-1)?.hash);
  });

  it('answers OrderDetail, where POST /api/orders keeps exactly Order', async () => {
    const single = await floor.send('POST', '/api/orders', floor.ada, order());
    const extras = { clientOrderId: 'c', postOnly: true, expiresAt: inDays(1) };
    const [result] = resultsIn(await floor.batch(floor.ada, [order(extras)]));
    const { id, createdAt } = result?.order ?? {};
    const added = { ...extras, averagePrice: null, reason: null, seq: floor.length };
    expect(result?.order).to.deep.equal({ ...single.body, id, createdAt, ...added });
  });

  it('says at what price an item filled, and why its rest was cancelled', async () => {
    await floor.place(floor.bob, { outcome: 'no', price: 0.5, quantity: 4 });
    await floor.place(floor.bob, { outcome: 'no', price: 0.55, quantity: 3 });
    const items = [
      order({ price: 0.5, quantity: 8, timeInForce: 'IOC' }),
      order({ outcome: 'no', price: 0.9, quantity: 1 }),
      order({ price: 0.3, quantity: 1 }),
    ];
    const reply = await floor.batch(floor.ada, items, 'mixed');
    const told = resultsIn(reply).map((result) => {
      const { averagePrice, filledQty, reason, seq, status } = result.order ?? {};
      expect(floor.harness.log.events[Number(seq) - 1]?.type).to.equal(
        status === 'open' ? 'OrderPlaced' : 'OrderCancelled',
      );
      return [status, filledQty, averagePrice, reason];
    });
    expect(told).to.deep.equal([
      // (3 × 0.45 + 4 × 0.50) / 7 = 0.478571…
      ['cancelled', 7, 0.4786, 'ioc_remainder'],
      ['open', 0, null, null],
      ['cancelled', 0, null, 'self_trade'],
    ]);
    const again = await floor.batch(floor.ada, items, 'mixed');
    expect(again.body).to.deep.equal(reply.body);
  });

  it('decides a later item on what an earlier one left', async () => {
    await floor.place(floor.bob, { outcome: 'no', price: 0.5 });
    const codes = codesIn(
      await floor.batch(floor.ada, [
        order({ side: 'sell', price: 0.9, quantity: 4 }),
        order({ price: 0.5, quantity: 4 }),
        order({ side: 'sell', price: 0.9, quantity: 4 }),
      ]),
    );
    expect(codes).to.deep.equal(['insufficient_shares', 'ok', 'ok']);
  });

  /** Faults inside the array: they are those of the item. */
  const FAULTS: readonly (readonly [what: string, item: unknown, code: string, error: RegExp])[] = [
    ['a number', 5, INVALID, /^validation failure: body: must be a JSON object$/],
    ['null', null, INVALID, /^validation failure: body: must be a JSON object$/],
    ['a text', 'order', INVALID, /^validation failure: body: must be a JSON object$/],
    ['a list', [order()], INVALID, /^validation failure: body: must be a JSON object$/],
    ['an unknown property', order({ leverage: 2 }), INVALID, /^validation failure: leverage: is not a field here/],
    [
      '__proto__ as a property',
      JSON.parse(`{"__proto__":{},${JSON.stringify(order()).slice(1)}`),
      INVALID,
      /__proto__/,
    ],
    ['a property that is missing', { marketId: 'm' }, INVALID, /^validation failure: outcome: /],
    ['null for an optional field', order({ clientOrderId: null }), INVALID, /^validation failure: clientOrderId: /],
    ['null for postOnly', order({ postOnly: null }), INVALID, /^validation failure: postOnly: /],
    ['null for expiresAt', order({ expiresAt: null }), INVALID, /^validation failure: expiresAt: /],
    ['null for accountId', order({ accountId: null }), INVALID, /^validation failure: accountId: /],
    ['null for the quantity', order({ quantity: null }), INVALID, /^validation failure: quantity: /],
    ['NUL in a text', order({ marketId: 'm\u0000' }), INVALID, /^validation failure: marketId: .*NUL/],
    ['NUL in a name', { ...order(), 'a\u0000': 1 }, INVALID, /NUL/],
    ['half of a surrogate pair', order({ marketId: '\ud800' }), INVALID, /surrogate/],
    ['deep nesting', JSON.parse('['.repeat(40) + ']'.repeat(40)), INVALID, /nested deeper/],
    ['a notional finer than $0.0001', order({ notional: 10.00001 }), INVALID, /^validation failure: notional: /],
    ['a slippage finer than $0.0001', order({ slippage: 0.00001 }), INVALID, /^validation failure: slippage: /],
    ['a maxPrice finer than $0.0001', order({ maxPrice: 0.40001 }), INVALID, /^validation failure: maxPrice: /],
    ['a price finer than $0.0001', order({ price: 0.40001 }), 'invalid_tick', /tick size 0.01$/],
    ['a price off the tick', order({ price: 0.405 }), 'invalid_tick', /tick size 0.01$/],
    ['an unknown market', order({ marketId: 'none' }), 'market_not_found', /none$/],
    ['a limit without a price', order({ price: undefined }), INVALID, /^validation failure: price: /],
    ['postOnly with IOC', order({ postOnly: true, timeInForce: 'IOC' }), INVALID, /^validation failure: postOnly: /],
    ['postOnly of a market order', order({ postOnly: true, orderType: 'market' }), INVALID, /: postOnly: /],
    ['expiresAt with FOK', order({ expiresAt: inDays(1), timeInForce: 'FOK' }), INVALID, /: expiresAt: /],
    ['expiresAt that has passed', order({ expiresAt: '2020-02-29T00:00:00Z' }), INVALID, /: expiresAt: /],
    ['expiresAt more than 366 days ahead', order({ expiresAt: inDays(367) }), INVALID, /: expiresAt: /],
    ['expiresAt on a day that is none', order({ expiresAt: '2027-02-29T00:00:00Z' }), INVALID, /: expiresAt: /],
    ['expiresAt with an offset', order({ expiresAt: '2026-12-31T00:00:00+00:00' }), INVALID, /: expiresAt: /],
    ['a clientOrderId with a blank', order({ clientOrderId: 'a b' }), INVALID, /: clientOrderId: /],
    ['a clientOrderId of 65 characters', order({ clientOrderId: 'x'.repeat(65) }), INVALID, /: clientOrderId: /],
    ['an account of another fleet', order({ accountId: 'bob' }), 'forbidden', /^Forbidden$/],
  ];
  for (const [what, item, code, error] of FAULTS) {
    it(`refuses one item alone for ${what}`, async () => {
      const given = isOfBob(item) ? { ...(item as object), accountId: floor.bob.accountId } : item;
      for (const idempotencyKey of [undefined, 'once']) {
        const [first, refused, last] = resultsIn(
          await floor.batch(floor.ada, [order(), given, order()], idempotencyKey),
        );
        expect([first?.ok, last?.ok]).to.deep.equal([true, true]);
        expect(refused).to.have.all.keys('ok', 'error', 'code');
        expect(refused).to.deep.include({ ok: false, code });
        expect(refused?.error).to.match(error);
      }
    });
  }

  it('takes postOnly false as absent, and the properties of an item in any order', async () => {
    const reversed = Object.fromEntries(Object.entries(order({ timeInForce: 'IOC', postOnly: false })).reverse());
    expect(codesIn(await floor.batch(floor.ada, [reversed]))).to.deep.equal(['ok']);
  });

  /** Faults outside of the array: they are those of the whole. */
  const ENVELOPES: readonly (readonly [what: string, body: unknown, status: number, code: string])[] = [
    ['no list', {}, 400, INVALID],
    ['null in place of the list', { orders: null }, 400, INVALID],
    ['an object in place of the list', { orders: { 0: order() } }, 400, INVALID],
    ['a list as the body', [order()], 400, INVALID],
    ['null as the body', null, 400, INVALID],
    ['an empty list', { orders: [] }, 400, INVALID],
    ['51 orders', { orders: Array.from({ length: 51 }, () => order()) }, 400, INVALID],
    ['another property', { orders: [order()], atomic: true }, 400, INVALID],
    ['NUL in another property', { orders: [order()], 'a\u0000': 1 }, 400, INVALID],
    ['more than 64 KiB', { orders: [order(), 'x'.repeat(65_536)] }, 413, 'payload_too_large'],
  ];
  for (const [what, body, status, code] of ENVELOPES) {
    it(`refuses the whole for ${what}`, async () => {
      const before = floor.length;
      const reply = await floor.send('POST', '/api/orders/batch', floor.ada, body);
      expect(refusal(reply)).to.deep.equal([status, code]);
      expect(reply.body).to.have.all.keys('error', 'code');
      expect(floor.length).to.equal(before);
    });
  }

  it('takes 50 orders', async () => {
    const reply = await floor.batch(
      floor.ada,
      Array.from({ length: 50 }, (_, index) => order({ price: (index + 1) / 100 })),
    );
    const prices = resultsIn(reply).map((result) => result.order?.['price']);
    expect(prices).to.deep.equal(Array.from({ length: 50 }, (_, index) => (index + 1) / 100));
  });

  it('answers 200 where every item is refused, with the receipt of the newest event', async () => {
    const before = floor.length;
    const reply = await floor.batch(floor.ada, [5, order({ marketId: 'none' })]);
    expect(codesIn(reply)).to.deep.equal([INVALID, 'market_not_found']);
    expect(reply.headers.get('x-journal-seq')).to.equal(String(before));
    expect(reply.headers.get('x-journal-hash')).to.equal(floor.harness.log.events.at(-1)?.hash);
    expect(reply.headers.get('idempotent-replayed')).to.equal(null);
    expect(floor.length).to.equal(before);
    expect(codesIn(await floor.batch(floor.ada, [5]))).to.deep.equal([INVALID]);
  });

  it('needs a key with trade, which it says in the specified texts', async () => {
    for (const as of [null, { ...floor.ada, key: 'svc_live_unknown' }]) {
      const reply = await floor.send('POST', '/api/orders/batch', as, { orders: [] });
      expect([reply.status, reply.body]).to.deep.equal([
        401,
        { error: 'Not authenticated', code: 'not_authenticated' },
      ]);
    }
    const viewer = await floor.issueKey(floor.ada, floor.ada.accountId, ['view', 'master']);
    const reply = await floor.batch(viewer, []);
    expect([reply.status, reply.body]).to.deep.equal([403, { error: 'Forbidden', code: 'forbidden' }]);
  });

  it('asks for approval before it looks at the body', async () => {
    const strict = await TradingFloor.open({ settings: { complianceMode: 'kyc' } });
    for (const path of ['/api/orders/batch', '/api/orders/preview']) {
      expect(refusal(await strict.send('POST', path, strict.ada, 5))).to.deep.equal([403, 'kyc_required']);
    }
    await strict.close();
  });

  it('gives a duplicate clientOrderId to the first of two', async () => {
    const named = order({ clientOrderId: 'same' });
    expect(codesIn(await floor.batch(floor.ada, [named, named]))).to.deep.equal(['ok', 'duplicate_client_order_id']);
    // An order that is cancelled at once takes its id, a refused one does not.
    const killed = order({ clientOrderId: 'killed', timeInForce: 'FOK' });
    const refused = order({ clientOrderId: 'refused', marketId: 'none' });
    const codes = codesIn(await floor.batch(floor.ada, [killed, killed, refused, { ...refused, marketId: 'm' }]));
    expect(codes).to.deep.equal(['ok', 'duplicate_client_order_id', 'market_not_found', 'ok']);
  });

  describe('for an account', () => {
    const forAccount = (accountId: string, more = {}) => order({ accountId, ...more });

    it('of the fleet uses its cash and its clientOrderIds', async () => {
      const { ada, sub } = floor;
      const reply = await floor.batch(ada, [
        order({ clientOrderId: 'one' }),
        forAccount(sub.accountId, { clientOrderId: 'one' }),
        forAccount(sub.accountId, { clientOrderId: 'one' }),
        forAccount(ada.accountId, { clientOrderId: 'two' }),
      ]);
      expect(codesIn(reply)).to.deep.equal(['ok', 'ok', 'duplicate_client_order_id', 'ok']);
      const owners = resultsIn(reply).map((result) => result.order?.['userId']);
      expect(owners).to.deep.equal([ada.accountId, sub.accountId, undefined, ada.accountId]);
    });

    it('is the same refusal where it is unknown and where it is of another fleet', async () => {
      const { ada, bob, sub } = floor;
      const trader = await floor.issueKey(ada, ada.accountId, ['view', 'trade']);
      const rows = [
        [ada, 'unknown'],
        [ada, bob.accountId],
        [trader, sub.accountId],
        [sub, ada.accountId],
        [bob, sub.accountId],
      ] as const;
      const before = floor.length;
      for (const [as, accountId] of rows) {
        // An unknown market would be refused only after the account.
        const [result] = resultsIn(await floor.batch(as, [forAccount(accountId, { marketId: 'none' })]));
        expect(result).to.deep.equal({ ok: false, error: 'Forbidden', code: 'forbidden' });
      }
      expect(floor.length).to.equal(before);
      expect(codesIn(await floor.batch(sub, [forAccount(sub.accountId)]))).to.deep.equal(['ok']);
      expect(codesIn(await floor.batch(trader, [forAccount(ada.accountId)]))).to.deep.equal(['ok']);
    });

    it('is looked at after the form, and before an Idempotency-Key', async () => {
      const foreign = forAccount(floor.bob.accountId);
      expect(codesIn(await floor.batch(floor.ada, [{ ...foreign, quantity: 0 }]))).to.deep.equal([INVALID]);
      await floor.batch(floor.ada, [order()], 'used');
      expect(codesIn(await floor.batch(floor.ada, [foreign], 'used'))).to.deep.equal(['forbidden']);
    });
  });
});

/** A time this many days from now, in UTC. */
function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString();
}

function isOfBob(item: unknown): boolean {
  return typeof item === 'object' && item !== null && (item as { accountId?: unknown }).accountId === 'bob';
}
