import { expect } from 'chai';
import { createClient } from '../src/index.ts';
import type { ClientOptions } from '../src/index.ts';
import { json, scriptedServer } from './scripted-server.ts';

const HOUR_MS = 3_600_000;

describe('the clock of a live exchange', () => {
  const server = scriptedServer();
  const client = (options: Partial<ClientOptions> = {}) =>
    createClient({ baseUrl: server.baseUrl, key: 'k', ...options });
  const order = { marketId: 'm', outcome: 'yes', price: 0.5, quantity: 1 } as const;

  it('is this computer’s until an answer has X-Time, and then the exchange’s', async () => {
    const ours = client();
    expect(await ours.now()).to.be.closeTo(Date.now(), 1_000);
    const theirs = Date.now() - HOUR_MS;
    server.script = [json(400, {}, { 'x-time': new Date(theirs).toISOString() })];
    await ours.fetchMarkets().then(undefined, () => undefined);
    expect(await ours.now()).to.be.within(theirs, theirs + 60_000);
  });

  it('sleep lasts as long as it says, and ends with its signal', async () => {
    const begun = performance.now();
    await client().sleep(20);
    expect(performance.now() - begun).to.be.at.least(19);
    const ending = new AbortController();
    const asleep = client().sleep(HOUR_MS, { signal: ending.signal });
    ending.abort();
    await asleep;
    await client({ signal: ending.signal }).sleep(HOUR_MS);
  });

  it('every gives the time at once and at each period, leaves out what passed, and ends with its signal', async () => {
    const ending = new AbortController();
    const ours = client();
    const begun = await ours.now();
    const at: number[] = [];
    for await (const now of ours.every(20, { signal: ending.signal })) {
      at.push(now - begun);
      // The second time passes meanwhile.
      if (at.length === 1) await ours.sleep(25);
      if (at.length === 3) ending.abort();
    }
    expect(at).to.have.length(3);
    expect(at[1]).to.be.at.least(40);
    expect(at[2]).to.be.at.least(60);
    // A period after the beginning, this test would have failed by its time limit.
    const first = await ours.every(60_000).next();
    expect(first.value).to.be.at.least(begun);
    const error = await ours
      .every(0)
      .next()
      .catch((caught: unknown) => caught);
    expect(error).to.be.instanceOf(RangeError);
  });

  it('with a prefix, Idempotency-Keys are counted; a repeat has the same one, and one that is given counts for none', async () => {
    const cut = { 'retry-after': '0' };
    server.script = [json(200, {}), json(503, {}, cut), json(200, {}), json(200, {}), json(200, {})];
    const ours = client({ idempotencyPrefix: 'mine-' });
    await ours.createOrder(order);
    await ours.createOrder(order);
    await ours.createOrder(order, { idempotencyKey: 'given' });
    await ours.createOrder(order);
    const keys = server.seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys).to.deep.equal(['mine-1', 'mine-2', 'mine-2', 'given', 'mine-3']);
  });
});
