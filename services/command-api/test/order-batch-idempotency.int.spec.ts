import { expect } from 'chai';
import { createMemoryLog } from '@paper/journal';
import { codesIn, order, refusal, resultsIn, TradingFloor } from './trading-floor.ts';
import type { Reply } from './http-harness.ts';

const CONFLICT = [400, 'idempotency_conflict'];

describe('the Idempotency-Key of a batch of orders', () => {
  let floor: TradingFloor;
  const log = createMemoryLog();
  beforeEach(async () => (floor = await TradingFloor.open()));
  afterEach(() => floor.close());

  const bid = order({ price: 0.41 });
  const unheld = order({ side: 'sell', price: 0.9 });
  const replayed = (reply: Reply): string | null => reply.headers.get('idempotent-replayed');
  const idsIn = (reply: Reply) => resultsIn(reply).map((result) => result.order?.['id']);

  it('lets the whole be sent again: what was accepted is repeated, what was refused is decided anew', async () => {
    const first = await floor.batch(floor.ada, [bid, unheld, order()], 'k');
    expect(codesIn(first)).to.deep.equal(['ok', 'insufficient_shares', 'ok']);
    expect(replayed(first)).to.equal(null);
    const length = floor.length;
    const again = await floor.batch(floor.ada, [bid, unheld, order()], 'k');
    expect(again.body).to.deep.equal(first.body);
    expect(replayed(again)).to.equal('true');
    expect(floor.length).to.equal(length);
    // The receipt of the newest first answer.
    for (const name of ['x-journal-seq', 'x-journal-hash']) {
      expect(again.headers.get(name)).to.equal(first.headers.get(name));
    }
  });

  it('lets a refused item be corrected, and further items be added', async () => {
    const first = await floor.batch(floor.ada, [bid, unheld], 'k');
    const corrected = await floor.batch(floor.ada, [bid, order({ price: 0.42 })], 'k');
    expect(codesIn(corrected)).to.deep.equal(['ok', 'ok']);
    expect(idsIn(corrected)[0]).to.equal(idsIn(first)[0]);
    expect(replayed(corrected)).to.equal(null);
    const longer = await floor.batch(floor.ada, [bid, order({ price: 0.42 }), order({ price: 0.43 })], 'k');
    expect(idsIn(longer).slice(0, 2)).to.deep.equal(idsIn(corrected));
    expect(codesIn(longer)[2]).to.equal('ok');
    expect(replayed(longer)).to.equal(null);
    const shorter = await floor.batch(floor.ada, [bid], 'k');
    expect(idsIn(shorter)).to.deep.equal(idsIn(first).slice(0, 1));
    expect(replayed(shorter)).to.equal('true');
  });

  it('is a conflict for an item with another content, and for no other', async () => {
    const first = await floor.batch(floor.ada, [bid, order()], 'k');
    const length = floor.length;
    const again = await floor.batch(floor.ada, [order({ price: 0.39 }), order()], 'k');
    expect(codesIn(again)).to.deep.equal(['idempotency_conflict', 'ok']);
    expect(idsIn(again)[1]).to.equal(idsIn(first)[1]);
    expect(replayed(again)).to.equal('true');
    expect(floor.length).to.equal(length);
    const all = await floor.batch(floor.ada, [order({ price: 0.39 }), order({ price: 0.38 })], 'k');
    expect(codesIn(all)).to.deep.equal(['idempotency_conflict', 'idempotency_conflict']);
    expect(replayed(all)).to.equal(null);
  });

  it('takes an item for the same whatever the order of its properties', async () => {
    const first = await floor.batch(floor.ada, [bid], 'k');
    const turned = Object.fromEntries(Object.entries(bid).reverse());
    expect((await floor.batch(floor.ada, [turned], 'k')).body).to.deep.equal(first.body);
  });

  it('is a pair with the index, and no text of both', async () => {
    const twelve = Array.from({ length: 12 }, () => order({ quantity: 1 }));
    await floor.batch(floor.ada, twelve, 'k');
    for (const key of ['k1', 'k\u00201', 'k:1', 'k/1']) {
      const reply = await floor.batch(floor.ada, [order({ quantity: 2 }), order({ quantity: 3 })], key);
      expect(codesIn(reply), key).to.deep.equal(['ok', 'ok']);
      expect(replayed(reply), key).to.equal(null);
    }
  });

  it('that a single command used is a conflict for the whole, whatever its items are', async () => {
    expect((await floor.send('POST', '/api/orders', floor.ada, order(), 'k')).status).to.equal(200);
    const length = floor.length;
    const rows = [[order()], [order(), 5], [5], [order({ accountId: floor.bob.accountId })], [bid, unheld]];
    for (const items of rows) {
      expect(refusal(await floor.batch(floor.ada, items, 'k')), JSON.stringify(items)).to.deep.equal(CONFLICT);
    }
    expect(floor.length).to.equal(length);
  });

  it('that a batch used is a conflict for a single command', async () => {
    await floor.batch(floor.ada, [unheld, bid], 'k');
    const rows = [
      await floor.send('POST', '/api/orders', floor.ada, bid, 'k'),
      await floor.send('PATCH', '/api/orders/unknown', floor.ada, { quantity: 1 }, 'k'),
      await floor.send('DELETE', '/api/orders/unknown', floor.ada, undefined, 'k'),
      await floor.send('POST', '/api/positions/merge', floor.ada, { marketId: 'm' }, 'k'),
    ];
    for (const reply of rows) expect(refusal(reply)).to.deep.equal(CONFLICT);
  });

  it('is free again where nothing of the batch was accepted', async () => {
    await floor.batch(floor.ada, [unheld, 5], 'k');
    expect((await floor.send('POST', '/api/orders', floor.ada, bid, 'k')).status).to.equal(200);
  });

  it("is the caller's: another account's is another, and a sub-account that an item is for has none", async () => {
    const first = await floor.batch(floor.ada, [order({ accountId: floor.sub.accountId })], 'k');
    const own = await floor.batch(floor.sub, [order({ accountId: floor.sub.accountId })], 'k');
    expect(codesIn(own)).to.deep.equal(['ok']);
    expect(idsIn(own)).to.not.deep.equal(idsIn(first));
    expect(replayed(await floor.batch(floor.bob, [order()], 'k'))).to.equal(null);
  });

  it('is refused where it is none, before any item is decided', async () => {
    const length = floor.length;
    for (const key of ['', 'x'.repeat(256)]) {
      expect(refusal(await floor.batch(floor.ada, [order()], key))).to.deep.equal([400, 'validation_failed']);
    }
    expect(floor.length).to.equal(length);
  });

  it('is remembered through a restart', async () => {
    const before = await TradingFloor.open({ log });
    const first = await before.batch(before.ada, [bid, order()], 'k');
    const { ada } = before;
    await before.close();
    const after = await TradingFloor.open({ log });
    const again = await after.batch(ada, [bid, order()], 'k');
    expect(again.body).to.deep.equal(first.body);
    expect(replayed(again)).to.equal('true');
    await after.close();
  });
});
