import { createRateLimiter } from '@paper/http';
import { expect } from 'chai';
import type { Reply } from './http-harness.ts';
import { codesIn, order, refusal, TradingFloor } from './trading-floor.ts';
import type { Trader } from './trading-floor.ts';

describe('the rate limits of batches', () => {
  let floor: TradingFloor;
  let nowMs = 0;
  /** With the usual limits, or with fewer commands a second. */
  const open = async (commandsPerSecond = 100): Promise<void> => {
    nowMs = 0;
    const rateLimiter = createRateLimiter({ commandsPerSecond, now: () => nowMs });
    floor = await TradingFloor.open({ rateLimiter });
    // What opening it took comes back.
    nowMs += 10_000;
  };
  afterEach(() => floor.close());

  /** Items that are refused for their form: they count as any others. */
  const items = (count: number): readonly unknown[] => Array.from({ length: count }, () => 5);
  const left = (reply: Reply): string | undefined =>
    /^"([\w-]+)";r=\d+/.exec(reply.headers.get('ratelimit') ?? '')?.[0];

  it('count a batch as one command for each ten items that are begun', async () => {
    await open();
    let expected = 200;
    for (const [count, cost] of [
      [1, 1],
      [10, 1],
      [11, 2],
      [20, 2],
      [21, 3],
      [50, 5],
    ] as const) {
      expected -= cost;
      expect(left(await floor.batch(floor.ada, items(count))), String(count)).to.equal(`"commands";r=${expected}`);
    }
  });

  it('take one before the body is read: a batch that cannot be read costs one', async () => {
    await open();
    const reply = await floor.send('POST', '/api/orders/batch', floor.ada, { orders: [] });
    expect([reply.status, left(reply)]).to.deep.equal([400, '"commands";r=199']);
  });

  it('let the rest go below zero, and have it given back by time', async () => {
    await open(20);
    for (let sent = 0; sent < 39; sent += 1) await floor.batch(floor.ada, [5]);
    const last = await floor.batch(floor.ada, [...items(49), order()]);
    expect([codesIn(last).at(-1), left(last)]).to.deep.equal(['ok', '"commands";r=0']);
    // One is left out of minus four and those that come back, 20 in a second.
    const refused = await floor.batch(floor.ada, [5]);
    expect(refusal(refused)).to.deep.equal([429, 'rate_limited']);
    expect(refused.headers.get('retry-after')).to.equal('1');
    nowMs += 200;
    expect((await floor.batch(floor.ada, [5])).status).to.equal(429);
    // A body is not looked at before its turn.
    expect((await floor.send('POST', '/api/orders/batch', floor.ada, { orders: [] })).status).to.equal(429);
    nowMs += 50;
    expect((await floor.batch(floor.ada, [5])).status).to.equal(200);
  });

  it('count the rest against the fleet too', async () => {
    // 32 commands at once of a key, 160 of a fleet.
    await open(16);
    const keys: Trader[] = [];
    for (let made = 0; made < 6; made += 1) {
      keys.push(await floor.issueKey(floor.ada, floor.ada.accountId, ['trade']));
      nowMs += 10_000;
    }
    const [one, two, ...others] = keys as [Trader, Trader, ...Trader[]];
    for (let sent = 0; sent < 20; sent += 1) {
      expect((await floor.batch(others[sent % 4] as Trader, items(50))).status).to.equal(200);
    }
    // 100 of the fleet's are used.
    for (let sent = 0; sent < 60; sent += 1) {
      expect((await floor.send('POST', '/api/orders', sent % 2 === 0 ? one : two, {})).status).to.equal(400);
    }
    const refused = await floor.batch(floor.sub, items(1));
    expect(refusal(refused)).to.deep.equal([429, 'rate_limited']);
    expect(refused.body['error']).to.equal('Too many commands of this fleet: try again in 1 s');
  });

  it('allow a fleet 1,000 orders a second over all batches of all of its keys, and refuse more as a whole', async () => {
    await open();
    for (let sent = 0; sent < 19; sent += 1) {
      expect((await floor.batch(sent % 2 === 0 ? floor.ada : floor.sub, items(50))).status).to.equal(200);
    }
    expect((await floor.batch(floor.ada, items(10))).status).to.equal(200);
    // 40 are left.
    const length = floor.length;
    const refused = await floor.batch(
      floor.sub,
      Array.from({ length: 41 }, () => order()),
    );
    expect(refusal(refused)).to.deep.equal([429, 'rate_limited']);
    expect(refused.body['error']).to.equal('Too many orders in batches of this fleet: try again in 1 s');
    expect(refused.headers.get('retry-after')).to.equal('1');
    expect(refused.headers.get('ratelimit')).to.equal('"batch-orders";r=40;t=1');
    expect(floor.length).to.equal(length);
    expect((await floor.batch(floor.bob, items(50))).status).to.equal(200);
    expect((await floor.send('POST', '/api/orders', floor.ada, order())).status).to.equal(200);
    expect((await floor.batch(floor.sub, items(40))).status).to.equal(200);
    expect((await floor.batch(floor.ada, items(1))).status).to.equal(429);
    nowMs += 50;
    expect((await floor.batch(floor.ada, items(50))).status).to.equal(200);
  });

  it('count a preview as one command', async () => {
    await open();
    const reply = await floor.send('POST', '/api/orders/preview', floor.ada, order());
    expect([reply.status, left(reply)]).to.deep.equal([200, '"commands";r=199']);
  });
});
