import { decode } from '@paper/journal';
import { expect } from 'chai';
import { Batch } from '../src/projection/batch.ts';
import { CopyRows } from '@paper/pg-bulk';
import { SimulatedJournal } from '@paper/testkit';
import { dump } from '@paper/testkit/dumps';
import { Fold } from '../src/projection/fold.ts';
import { Holdings } from '../src/projection/holdings.ts';

describe('what accounts have, added up from the beginning', () => {
  it('is what they have in the exchange, after batches of any size', async () => {
    for (const batchSize of [1, 50, 10_000]) {
      const simulated = new SimulatedJournal({ seed: 5 });
      await simulated.run(600);
      const fold = new Fold(new Map(), { trades: 0, volume_shares: 0 });
      const holdings = new Holdings();
      const events = (await simulated.journal.read(1, simulated.head.seq)).map(decode);
      for (let from = 0; from < events.length; from += batchSize) {
        const batch = new Batch({ holdings });
        for (const event of events.slice(from, from + batchSize)) fold.apply(event, batch);
        fold.finish(batch);
        holdings.add(batch.accountChanges.values(), batch.positionChanges());
      }
      const { accounts, markets } = dump(simulated.state);
      for (const [id, { cash }] of accounts) expect(holdings.cashUnits(id)).to.equal(cash);
      let positions = 0;
      for (const [id, market] of markets) {
        positions += market.positions.length;
        expect([...holdings.positions(id)]).to.have.deep.members(
          market.positions.map(([account, { yes, no, yesCost, noCost }]) => [
            account,
            { yes_shares: yes, no_shares: no, yes_cost_units: yesCost, no_cost_units: noCost },
          ]),
        );
      }
      expect(positions).to.be.greaterThan(8);
      expect(holdings.size).to.equal(positions);
    }
  });

  it('lets fills and settlements be copied as they are', () => {
    const { fills, settlements } = new Batch({ holdings: new Holdings() }).added;
    for (const rows of [fills, settlements]) expect(rows).to.be.instanceOf(CopyRows);
    expect(new Batch().added.fills).not.to.be.instanceOf(CopyRows);
  });
});
