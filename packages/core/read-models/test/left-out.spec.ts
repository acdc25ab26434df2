import { decode } from '@paper/journal';
import { SimulatedJournal } from '@paper/testkit';
import { expect } from 'chai';
import { createFold } from '../src/models/index.ts';
import type { OrderRow } from '../src/models/orders/table.ts';
import type { TableName } from '../src/models/tables.ts';

const KEPT: ReadonlySet<string> = new Set<TableName>(['accounts', 'positions']);

describe('a fold that leaves tables out', () => {
  /** Some events folded at once. */
  async function folded(tables?: ReadonlySet<string>) {
    const simulated = new SimulatedJournal({ seed: 3 });
    await simulated.run(50);
    const fold = createFold({ positionsMax: 0, writes: ({ name }) => tables?.has(name) !== false });
    const stored = await simulated.journal.read(1, simulated.head.seq);
    for (const event of stored.map(decode)) fold.apply(event);
    return fold;
  }

  it('encodes no rows of theirs', async () => {
    const fold = await folded(KEPT);
    let encoded = 0;
    const { placed } = fold.rows.orders;
    const [order] = placed.values();
    const watched = new Proxy(order as OrderRow, {
      get(row, name) {
        encoded += 1;
        return Reflect.get(row, name) as unknown;
      },
    });
    placed.clear();
    placed.set('watched', watched);
    expect(new Set(fold.planBatch('s').map(({ table }) => table))).to.deep.equal(KEPT);
    expect(encoded).to.equal(0);
  });

  it('leaves the memory of the projection as it is with all of them', async () => {
    const [some, all] = [await folded(KEPT), await folded()];
    const planned = new Set(all.planBatch('s').map(({ table }) => table));
    for (const table of ['fills', 'market_history', 'market_minutes', 'orders']) expect(planned).to.include(table);
    some.planBatch('s');
    expect(all.rows.markets.live.size).to.be.greaterThan(0);
    expect(some.rows.markets).to.deep.equal(all.rows.markets);
  });
});
