import { Refused } from '@paper/contracts';
import { createState, evolve } from '@paper/exchange';
import { expect } from 'chai';
import { cancelOrders } from '../src/routes/cancel-orders.ts';
import type { CommandGateway } from '../src/command-gateway.ts';
import type { Reply } from './http-harness.ts';
import { codesIn, order, refusal, resultsIn, TradingFloor } from './trading-floor.ts';
import type { Trader } from './trading-floor.ts';

const INVALID = [400, 'validation_failed'];

describe('a cancel of many orders over HTTP', () => {
  let floor: TradingFloor;
  beforeEach(async () => (floor = await TradingFloor.open()));
  afterEach(() => floor.close());

  const cancel = (as: Trader | null, query = '', idempotencyKey?: string): Promise<Reply> =>
    floor.send('DELETE', `/api/orders${query === '' ? '' : `?${query}`}`, as, undefined, idempotencyKey);

  it('without a filter cancels all open orders of the account, oldest acceptance first', async () => {
    const { ada, bob, sub } = floor;
    const first = await floor.place(ada, { marketId: 'n' });
    await floor.place(sub);
    const second = await floor.place(ada, { price: 0.7 });
    const ended = await floor.place(ada);
    await floor.send('DELETE', `/api/orders/${ended}`, ada);
    const third = await floor.place(ada, { price: 0.2 });
    await floor.place(bob);
    const before = floor.length;
    const reply = await cancel(ada);
    expect([reply.status, reply.body]).to.deep.equal([200, { cancelled: 3, orderIds: [first, second, third] }]);
    const events = floor.eventsFrom(before).map(({ event }) => event);
    expect(events.map((event) => event.type === 'OrderCancelled' && [event.orderId, event.reason])).to.deep.equal([
      [first, 'user'],
      [second, 'user'],
      [third, 'user'],
    ]);
    expect(reply.headers.get('x-journal-seq')).to.equal(String(floor.length));
    expect(reply.headers.get('x-journal-hash')).to.equal(floor.harness.log.events.at(-1)?.hash);
    const again = await cancel(ada);
    expect(again.body).to.deep.equal({ cancelled: 0, orderIds: [] });
    expect(again.headers.get('x-journal-hash')).to.equal(floor.harness.log.events.at(-1)?.hash);
    expect(floor.length).to.equal(before + 3);
  });

  it('cancels what matches every given filter', async () => {
    const { ada, bob } = floor;
    // Ada has shares of both outcomes in both markets to sell.
    for (const marketId of ['m', 'n']) {
      for (const outcome of ['yes', 'no']) {
        await floor.place(bob, { marketId, outcome, price: 0.5, quantity: 2 });
        await floor.place(ada, { marketId, outcome: outcome === 'yes' ? 'no' : 'yes', price: 0.5, quantity: 2 });
      }
    }
    const bodies = ['m', 'n'].flatMap((marketId) =>
      ['yes', 'no'].flatMap((outcome) => [
        { marketId, outcome, side: 'buy', price: 0.1, quantity: 1 },
        { marketId, outcome, side: 'sell', price: 0.95, quantity: 1 },
      ]),
    );
    const filters = [null, 'm', 'n', 'none'].flatMap((marketId) =>
      [null, 'yes', 'no'].flatMap((outcome) => [null, 'buy', 'sell'].map((side) => ({ marketId, outcome, side }))),
    );
    for (const filter of filters) {
      const placed = resultsIn(await floor.batch(ada, bodies)).map((result) => String(result.order?.['id']));
      const given = Object.entries(filter).filter(([, value]) => value !== null) as [string, string][];
      const { body } = await cancel(ada, new URLSearchParams(given).toString());
      const matching = placed.filter((_, at) =>
        given.every(([name, value]) => bodies[at]?.[name as 'marketId' | 'outcome' | 'side'] === value),
      );
      expect(body, JSON.stringify(filter)).to.deep.equal({ cancelled: matching.length, orderIds: matching });
      expect((await cancel(ada)).body['cancelled']).to.equal(8 - matching.length);
    }
  });

  it('with fleet=true cancels those of the whole fleet, in the order of acceptance across its accounts', async () => {
    const { ada, bob, sub } = floor;
    const ids = [];
    for (const as of [sub, ada, sub, ada, ada]) ids.push(await floor.place(as));
    await floor.place(ada, { marketId: 'n' });
    const ofBob = await floor.place(bob);
    const before = floor.length;
    const { body } = await cancel(ada, 'fleet=true&marketId=m');
    expect(body).to.deep.equal({ cancelled: 5, orderIds: ids });
    // One decision an account, so that nothing public joins them.
    const decisions = floor.eventsFrom(before).filter(({ command }) => command !== null);
    expect(decisions.map(({ command }) => command?.type)).to.deep.equal(['CancelOrders', 'CancelOrders']);
    expect(new Set(decisions.map(({ command }) => command?.correlationId)).size).to.equal(2);
    expect((await cancel(bob)).body).to.deep.equal({ cancelled: 1, orderIds: [ofBob] });
  });

  it('for the fleet needs master and trade of a primary', async () => {
    const { ada, sub } = floor;
    await floor.place(ada);
    const trader = await floor.issueKey(ada, ada.accountId, ['trade']);
    const master = await floor.issueKey(ada, ada.accountId, ['view', 'master']);
    const before = floor.length;
    expect(refusal(await cancel(trader, 'fleet=true'))).to.deep.equal([403, 'forbidden']);
    expect(refusal(await cancel(sub, 'fleet=true'))).to.deep.equal([403, 'primary_account_required']);
    for (const query of ['', 'fleet=true']) {
      expect(refusal(await cancel(master, query))).to.deep.equal([403, 'forbidden']);
    }
    expect(floor.length).to.equal(before);
    expect((await cancel(sub)).body).to.deep.equal({ cancelled: 0, orderIds: [] });
    expect((await cancel(trader)).body['cancelled']).to.equal(1);
  });

  const MISTYPED = [
    ...[
      'market=m',
      'marketid=m',
      'marketId=m&status=open',
      '=',
      'x',
      '__proto__=1',
      'constructor=m',
      'marketId[]=m',
      '%00=1',
    ],
    ...[
      'marketId=m&marketId=m',
      'marketId=m&marketId=n',
      'side=buy&side=buy',
      'fleet=true&fleet=true',
      'outcome=yes&outcome=no',
    ],
    ...[
      'marketId=',
      'outcome=',
      'side',
      'outcome=YES',
      'outcome=y',
      'side=both',
      'side=bid',
      'marketId=%00',
      'marketId=%ff',
    ],
    ...['fleet', 'fleet=', 'fleet=false', 'fleet=1', 'fleet=TRUE', 'limit=1', 'cursor=x', 'outcome=yes;side=buy'],
  ];
  for (const query of MISTYPED) {
    it(`refuses ?${query}, and cancels nothing`, async () => {
      await floor.place(floor.ada);
      const before = floor.length;
      expect(refusal(await cancel(floor.ada, query))).to.deep.equal(INVALID);
      expect(floor.length).to.equal(before);
    });
  }

  it('names the parameter that it does not know', async () => {
    const { body } = await cancel(floor.ada, 'market=m');
    expect(body['error']).to.equal('validation failure: market: is not a field here; remove it');
  });

  it('cancels more than one decision can, and each order once', async function () {
    this.timeout(20_000);
    const { ada, sub } = floor;
    const placed: string[] = [];
    for (const as of [ada, sub, ada, sub, ada]) {
      for (let batch = 0; batch < 4; batch += 1) {
        const results = resultsIn(
          await floor.batch(
            as,
            Array.from({ length: 50 }, () => order({ quantity: 1 })),
          ),
        );
        placed.push(...results.map((result) => String(result.order?.['id'])));
      }
    }
    const before = floor.length;
    const { body } = await cancel(ada, 'fleet=true');
    expect(body).to.deep.equal({ cancelled: 1_000, orderIds: placed });
    expect(floor.length).to.equal(before + 1_000);
    const sizes = floor.eventsFrom(before).flatMap(({ decisionEvents }) => decisionEvents ?? []);
    expect(sizes).to.deep.equal([400, 200, 400]);
  });

  it('works while a market is paused', async () => {
    const id = await floor.place(floor.ada);
    await floor.harness.operate('POST', '/api/operator/markets/m/pause');
    expect((await cancel(floor.ada)).body).to.deep.equal({ cancelled: 1, orderIds: [id] });
  });

  it('accepts an Idempotency-Key, and does not remember it', async () => {
    for (let again = 0; again < 2; again += 1) {
      const id = await floor.place(floor.ada);
      const reply = await cancel(floor.ada, '', 'k');
      expect(reply.body).to.deep.equal({ cancelled: 1, orderIds: [id] });
      expect(reply.headers.get('idempotent-replayed')).to.equal(null);
    }
    expect(codesIn(await floor.batch(floor.ada, [order()], 'k'))).to.deep.equal(['ok']);
    expect((await cancel(floor.ada, '', '')).status).to.equal(200);
  });

  it('ends where its key was revoked before its turn', async () => {
    const { ada } = floor;
    await floor.place(ada);
    const state = createState();
    for (const { event, command } of floor.eventsFrom(0)) evolve(state, event, command);
    let decided = 0;
    const refuseAll: CommandGateway['submitSequence'] = (_lane, { next }) => {
      for (; next(state) !== null && decided < 10; decided += 1);
      return Promise.resolve(
        Array.from({ length: decided }, () => new Refused('not_authenticated', 'Not authenticated')),
      );
    };
    const cancelAll = cancelOrders({ submitSequence: refuseAll } as unknown as CommandGateway);
    const caller = { ...ada, kind: 'key', permissions: ['trade'], primaryAccountId: null } as const;
    const client = { address: '127.0.0.1', signal: new AbortController().signal };
    const asked = Promise.resolve(
      cancelAll(caller, { body: null, idempotency: null, params: null, query: {} }, client),
    );
    const refused: unknown = await asked.catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(Refused).and.include({ code: 'not_authenticated' });
    expect(decided).to.equal(1);
  });

  it('needs a key', async () => {
    const reply = await cancel(null, 'market=m');
    expect([reply.status, reply.body]).to.deep.equal([401, { error: 'Not authenticated', code: 'not_authenticated' }]);
  });
});
