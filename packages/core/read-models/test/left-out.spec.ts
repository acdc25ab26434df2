import { decode } from '@paper/journal';
import { SimulatedJournal } from '@paper/testkit';
import { expect } from 'chai';
import { Batch } from '../src/projection/batch.ts';
import type { OrderRow } from '../src/models/orders/table.ts';
import { Fold } from '../src/projection/fold.ts';
import type { MarketFold } from '../src/projection/market-fold.ts';
import { planBatch } from '../src/projection/plan.ts';
import type { TableName } from '../src/models/tables.ts';

const KEPT: ReadonlySet<TableName> = new Set(['accounts', 'positions']);

describe('a batch that leaves tables out', () => {
  /** Some events folded at once, and the markets that are live after them. */
  async function folded(tables?: ReadonlySet<TableName>) {
    const simulated = new SimulatedJournal({ seed: 3 });
    await simulated.run(50);
    const markets = new Map<string, MarketFold>();
    const fold = new Fold(markets, { trades: 0, volume_shares: 0 });
    const batch = new Batch({ tables });
    const stored = await simulated.journal.read(1, simulated.head.seq);
    for (const event of stored.map(decode)) fold.apply(event, batch);
    fold.finish(batch);
    return { batch, markets };
  }

  it('encodes no rows of theirs', async () => {
    const { batch } = await folded(KEPT);
    const { endedOrders, fills, settlements, history, minutes } = batch.added;
    for (const rows of [endedOrders, fills, settlements, history, minutes]) expect(rows.rows).to.equal(0);
    let encoded = 0;
    const [order] = batch.placed.values();
    const watched = new Proxy(order as OrderRow, {
      get(row, name) {
        encoded += 1;
        return Reflect.get(row, name) as unknown;
      },
    });
    batch.placed.clear();
    batch.placed.set('watched', watched);
    expect(new Set(planBatch('s', batch).map(({ table }) => table))).to.deep.equal(KEPT);
    expect(encoded).to.equal(0);
  });

  it('leaves the memory of the projection as it is with all of them', async () => {
    const [some, all] = [await folded(KEPT), await folded()];
    expect(all.batch.added.history.rows).to.be.greaterThan(0);
    expect(all.batch.added.minutes.rows).to.be.greaterThan(0);
    expect(all.markets.size).to.be.greaterThan(0);
    expect(some.markets).to.deep.equal(all.markets);
  });
});
