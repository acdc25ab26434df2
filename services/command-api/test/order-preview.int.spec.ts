import { createState, evolve } from '@paper/exchange';
import type { State } from '@paper/exchange';
import { decode } from '@paper/journal';
import { createRandom, longTest } from '@paper/testkit';
import type { Random } from '@paper/testkit';
import { expect } from 'chai';
import type { Reply } from './http-harness.ts';
import { order, refusal, resultsIn, TradingFloor } from './trading-floor.ts';
import type { ItemReply, Trader } from './trading-floor.ts';

type Json = Readonly<Record<string, unknown>>;

describe('a preview over HTTP', () => {
  let floor: TradingFloor;
  beforeEach(async () => (floor = await TradingFloor.open()));
  afterEach(() => floor.close());

  const preview = (as: Trader, item: unknown, idempotencyKey?: string): Promise<Reply> =>
    floor.send('POST', '/api/orders/preview', as, item, idempotencyKey);

  it('shows what the order would do, and does nothing', async () => {
    await floor.place(floor.bob, { outcome: 'no', price: 0.5, quantity: 3 });
    await floor.place(floor.bob, { outcome: 'no', price: 0.45, quantity: 4 });
    const before = floor.length;
    const reply = await preview(floor.ada, order({ price: 0.6 }));
    expect(reply.body).to.deep.equal({
      averagePrice: 0.5286,
      cashAfter: 10_000 - 3.7,
      cost: 3.7,
      filledQty: 7,
      fills: [
        { price: 0.5, quantity: 3 },
        { price: 0.55, quantity: 4 },
      ],
      freeCashAfter: 10_000 - 3.7 - 1.8,
      noSharesAfter: 0,
      price: 0.6,
      quantity: 10,
      reason: null,
      reserved: 1.8,
      seq: before,
      status: 'partial',
      yesSharesAfter: 7,
    });
    expect(reply.headers.get('x-journal-seq')).to.equal(String(before));
    expect(reply.headers.get('x-journal-hash')).to.equal(floor.harness.log.events.at(-1)?.hash);
    expect(floor.length).to.equal(before);
    expect((await preview(floor.ada, order({ price: 0.6 }))).body).to.deep.equal(reply.body);
  });

  it('has the proceeds of a sale as a negative cost', async () => {
    await floor.place(floor.bob, { outcome: 'no', price: 0.6 });
    await floor.place(floor.ada, { price: 0.4 });
    await floor.place(floor.bob, { price: 0.3, quantity: 4 });
    const { body } = await preview(floor.ada, order({ side: 'sell', price: 0.3, timeInForce: 'IOC' }));
    expect(body).to.deep.include({ averagePrice: 0.3, cost: -1.2, cashAfter: 9_997.2, reason: 'ioc_remainder' });
    expect(body).to.deep.include({ status: 'cancelled', yesSharesAfter: 6, reserved: 0 });
  });

  it('has the figures of the account that it is for', async () => {
    await floor.place(floor.sub, { price: 0.3 });
    const { body } = await preview(floor.ada, order({ accountId: floor.sub.accountId }));
    expect(body).to.deep.include({ cashAfter: 10_000, freeCashAfter: 10_000 - 3 - 4, reserved: 4, status: 'open' });
  });

  const REFUSALS: readonly (readonly [what: string, item: unknown])[] = [
    ['a form that is wrong', { ...order(), leverage: 2 }],
    ['a body that is no object', 5],
    ['null', null],
    ['an expiresAt that has passed', order({ expiresAt: '2020-02-29T00:00:00Z' })],
    ['an unknown market', order({ marketId: 'none' })],
    ['a price off the tick', order({ price: 0.405 })],
    ['a price finer than $0.0001', order({ price: 0.40001 })],
    ['a clientOrderId that is taken', order({ clientOrderId: 'taken' })],
    ['shares that are not there', order({ side: 'sell' })],
    ['a balance that is too small', order({ quantity: undefined, notional: 5_000, price: 0.9 })],
    ['an account of another fleet', order({ accountId: 'bob' })],
  ];
  for (const [what, given] of REFUSALS) {
    it(`is refused as the order would be for ${what}`, async () => {
      await floor.batch(floor.ada, [
        order({ clientOrderId: 'taken', quantity: 1, price: 0.01 }),
        order({ quantity: undefined, notional: 5_000, price: 0.5 }),
        order({ quantity: undefined, notional: 4_000, price: 0.5 }),
      ]);
      const item = what.includes('fleet') ? { ...(given as object), accountId: floor.bob.accountId } : given;
      const shown = await preview(floor.ada, item);
      const [result] = resultsIn(await floor.batch(floor.ada, [item]));
      expect(result).to.deep.equal({ ok: false, error: shown.body['error'], code: shown.body['code'] });
      expect(shown.status).to.equal(shown.body['code'] === 'forbidden' ? 403 : 400);
    });
  }

  it('ignores an Idempotency-Key, whatever it is', async () => {
    await floor.send('POST', '/api/orders', floor.ada, order(), 'used');
    for (const key of ['used', 'new', '', 'x'.repeat(256)]) {
      const reply = await preview(floor.ada, order(), key);
      expect([reply.status, reply.headers.get('idempotent-replayed')]).to.deep.equal([200, null]);
    }
    // The preview has not used it either.
    const placed = await floor.send('POST', '/api/orders', floor.ada, order({ price: 0.3 }), 'new');
    expect([placed.status, placed.headers.get('idempotent-replayed')]).to.deep.equal([200, null]);
  });

  it('needs a key with trade', async () => {
    expect(refusal(await floor.send('POST', '/api/orders/preview', null, order()))).to.deep.equal([
      401,
      'not_authenticated',
    ]);
    const viewer = await floor.issueKey(floor.ada, floor.ada.accountId, ['view']);
    expect(refusal(await preview(viewer, order()))).to.deep.equal([403, 'forbidden']);
  });

  it('is the order sent next, in random cases', async function () {
    this.timeout(30_000);
    await expectPreviewsToHold(floor, createRandom(1), 300);
  });

  it('is the order sent next, in 10,000 random cases', async function () {
    longTest(this);
    this.timeout(600_000);
    await expectPreviewsToHold(floor, createRandom(2), 10_000);
  });
});

/** Previews and then sends random orders, and compares what was shown with what was done. */
async function expectPreviewsToHold(floor: TradingFloor, random: Random, cases: number): Promise<void> {
  const state = createState();
  let folded = 0;
  const foldNew = (): number => {
    const start = folded;
    for (; folded < floor.length; folded += 1) {
      const { event, command } = decode(floor.harness.log.events[folded] as never);
      evolve(state, event, command);
    }
    return start;
  };
  const traders = [floor.ada, floor.sub, floor.bob, await floor.openAccount('Cy'), await floor.openAccount('Dee')];
  const seen = { refused: 0, filled: 0, partial: 0, open: 0, cancelled: 0 };
  for (let at = 0; at < cases; at += 1) {
    const as = random.pick(traders);
    const item = randomItem(random, floor, as, at);
    const told = `case ${at}: ${JSON.stringify(item)}`;
    foldNew();
    const length = floor.length;
    const shown = await floor.send('POST', '/api/orders/preview', as, item);
    expect(floor.length, told).to.equal(length);
    const [result] = resultsIn(await floor.batch(as, [item]));
    if (shown.status !== 200) {
      seen.refused += 1;
      expect(result, told).to.deep.equal({ ok: false, error: shown.body['error'], code: shown.body['code'] });
      expect(floor.length, told).to.equal(length);
      continue;
    }
    const start = foldNew();
    expect(shown.body, told).to.deep.equal(doneBy(floor, state, start, result));
    seen[shown.body['status'] as keyof typeof seen] += 1;
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).to.be.greaterThan(cases / 500);
}

/** What an order did, in the form of its preview. */
function doneBy(floor: TradingFloor, state: State, start: number, result?: ItemReply): Json {
  const done = result?.order ?? {};
  const outcome = String(done['outcome']);
  const events = floor.eventsFrom(start).map(({ event }) => event);
  const fills: { price: number; quantity: number }[] = [];
  let value = 0;
  for (const event of events) {
    if (event.type !== 'OrderFilled') continue;
    const own = outcome === 'yes' ? event.yesPriceUnits : 10_000 - event.yesPriceUnits;
    value += own * event.quantity;
    const last = fills.at(-1);
    if (last?.price === own / 10_000) last.quantity += event.quantity;
    else fills.push({ price: own / 10_000, quantity: event.quantity });
  }
  const filled = Number(done['filledQty']);
  const account = state.accounts.get(String(done['userId']));
  if (account === undefined) throw new Error('the order has no owner');
  const position = state.markets.get(String(done['marketId']))?.positionOf(account);
  return {
    averagePrice: filled === 0 ? null : Math.floor((2 * value + filled) / (2 * filled)) / 10_000,
    cashAfter: account.cashUnits / 10_000,
    cost: ((done['side'] === 'buy' ? 1 : -1) * value) / 10_000 + 0,
    filledQty: filled,
    fills,
    freeCashAfter: (account.cashUnits - account.reservedUnits) / 10_000,
    noSharesAfter: position?.no ?? 0,
    price: done['price'],
    quantity: done['quantity'],
    reason: events.find((event) => event.type === 'OrderCancelled')?.reason ?? null,
    reserved: done['reservedAmount'],
    seq: start,
    status: done['status'],
    yesSharesAfter: position?.yes ?? 0,
  };
}

/** An order with a price near the middle, so that about half of them meet another. */
function randomItem(random: Random, floor: TradingFloor, as: Trader, at: number): Json {
  const isMarket = random.chance(0.2);
  const marketId = random.weighted([
    [45, 'm'],
    [45, 'fine'],
    [1, 'none'],
  ]);
  const cents = (): number => Math.min(99, Math.max(1, 50 + random.int(-8, 8))) / 100;
  const fineness = marketId === 'fine' || random.chance(0.05) ? random.int(0, 9) / 10_000 : 0;
  const price = Math.round((cents() + fineness) * 10_000) / 10_000;
  const timeInForce = random.pick(['GTC', 'GTC', 'GTC', 'IOC', 'FOK']);
  const isByNotional = random.chance(0.25);
  const some = (probability: number, name: string, value: unknown): Json =>
    random.chance(probability) ? { [name]: value } : {};
  return {
    marketId,
    outcome: random.pick(['yes', 'no']),
    side: random.chance(0.35) ? 'sell' : 'buy',
    orderType: isMarket ? 'market' : 'limit',
    timeInForce,
    ...some(isMarket ? 0.3 : 0.99, 'price', price),
    ...some(
      isByNotional ? 0.3 : 1,
      'quantity',
      random.weighted([
        [9, random.int(1, 20)],
        [1, random.int(100, 500)],
      ]),
    ),
    ...some(isByNotional ? 1 : 0.02, 'notional', random.pick([1, 5, 12.3456, 250, 5_000])),
    ...some(isMarket ? 0.3 : 0.02, 'maxPrice', cents()),
    ...some(isMarket ? 0.3 : 0.02, 'slippage', random.pick([0, 0.01, 0.0342, 0.25])),
    ...some(0.15, 'postOnly', true),
    ...some(0.1, 'expiresAt', '2999-01-01T00:00:00Z'),
    ...some(0.1, 'expiresAt', new Date(Date.now() + 86_400_000).toISOString()),
    ...some(0.1, 'clientOrderId', `c-${random.chance(0.5) ? at : random.int(0, 20)}`),
    ...some(0.1, 'accountId', random.pick([as, floor.sub, floor.bob]).accountId),
  };
}
