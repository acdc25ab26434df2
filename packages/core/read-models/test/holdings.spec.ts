import { decode } from '@paper/journal';
import { expect } from 'chai';
import { CopiedRows } from '@paper/pg-bulk';
import { SimulatedJournal } from '@paper/testkit';
import { dump } from '@paper/testkit/dumps';
import { createFold } from '../src/models/index.ts';

describe('what accounts have, added up from the beginning', () => {
  it('is what they have in the exchange, after batches of any size', async () => {
    for (const batchSize of [1, 50, 10_000]) {
      const simulated = new SimulatedJournal({ seed: 5 });
      await simulated.run(600);
      const fold = createFold({ positionsMax: Infinity, writes: () => true });
      const events = (await simulated.journal.read(1, simulated.head.seq)).map(decode);
      for (let from = 0; from < events.length; from += batchSize) {
        for (const event of events.slice(from, from + batchSize)) fold.apply(event);
        fold.planBatch('s');
      }
      const { holdings } = fold.rows.positions;
      const { accounts, markets } = dump(simulated.state);
      for (const [id, { cash }] of accounts) expect(fold.rows.accounts.cashUnits(id)).to.equal(cash);
      let positions = 0;
      for (const [id, market] of markets) {
        positions += market.positions.length;
        expect([...(holdings?.positions(id) ?? [])]).to.have.deep.members(
          market.positions.map(([account, { yes, no, yesCost, noCost }]) => [
            account,
            { yes_shares: yes, no_shares: no, yes_cost_units: yesCost, no_cost_units: noCost },
          ]),
        );
      }
      expect(positions).to.be.greaterThan(8);
      expect(holdings?.size).to.equal(positions);
    }
  });

  it('lets fills and settlements be copied as they are', async () => {
    const simulated = new SimulatedJournal({ seed: 5 });
    await simulated.run(600);
    const events = (await simulated.journal.read(1, simulated.head.seq)).map(decode);
    const copied = (positionsMax: number): readonly string[] => {
      const fold = createFold({ positionsMax, writes: () => true });
      for (const event of events) fold.apply(event);
      const plan = fold.planBatch('s').filter(({ values }) => values instanceof CopiedRows);
      return plan.map(({ table }) => table).filter((table) => table === 'fills' || table === 'settlements');
    };
    expect(copied(Infinity)).to.deep.equal(['fills', 'settlements']);
    expect(copied(0)).to.deep.equal([]);
  });
});
