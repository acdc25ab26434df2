import { SimulatedJournal } from '@paper/testkit';
import { expect } from 'chai';
import fc from 'fast-check';
import { findMoments, thinned } from '../src/models/books/queries.ts';
import type { ReadDb } from '../src/models/tables.ts';
import { useReadDatabase } from './read-database.ts';

describe('numbers that are thinned evenly', () => {
  it('are at most so many, with the first and the last, and no gap is one larger than another', () => {
    const whole = fc.integer({ min: 1, max: 10_000_000 });
    const property = fc.property(whole, fc.nat(100_000), fc.integer({ min: 2, max: 500 }), (first, more, count) => {
      const last = first + more;
      const numbers = thinned(first, last, count);
      expect(numbers).to.have.length(Math.min(count, more + 1));
      expect([numbers[0], numbers.at(-1)]).to.deep.equal([first, last]);
      const gaps = numbers.slice(1).map((number, at) => number - (numbers[at] ?? 0));
      if (gaps.length > 0) expect(Math.max(...gaps) - Math.min(...gaps)).to.be.at.most(1);
    });
    fc.assert(property);
  });

  it('are the last one of all, or none', () => {
    expect(thinned(3, 9, 1)).to.deep.equal([9]);
    expect(thinned(4, 4, 5)).to.deep.equal([4]);
    expect(thinned(4, 3, 5)).to.deep.equal([]);
  });
});

describe('moments of a market', () => {
  const database = useReadDatabase();
  let db: ReadDb;
  let simulated: SimulatedJournal;

  before(async function () {
    this.timeout(60_000);
    simulated = new SimulatedJournal({ seed: 11 });
    await simulated.run(600);
    // Batches of a few events, so that the numbers of events are often read back.
    db = database().db.withSchema(await database().filled(simulated, { batchSize: 7 }));
  });

  it('are those of its events, whatever the range and the number of points', async () => {
    const all = await db.selectFrom('market_history').selectAll().orderBy('seq').execute();
    const marketIds = [...simulated.state.markets.keys()];
    const busiest = Math.max(...marketIds.map((id) => all.filter((row) => row.market_id === id).length));
    expect(busiest).to.be.greaterThan(100);
    const times = all.map(({ at_ms }) => at_ms);
    const time = fc.option(
      fc.tuple(fc.constantFrom(...times), fc.constantFrom(-1, 0, 1)).map(([ms, by]) => ms + by),
      { nil: undefined },
    );
    const points = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 500 }));
    const property = fc.asyncProperty(
      fc.constantFrom(...marketIds),
      time,
      time,
      points,
      async (id, fromMs, toMs, count) => {
        const found = await findMoments(db, id, { fromMs, toMs, points: count });
        const inRange = all.filter(
          ({ market_id, at_ms }) => market_id === id && at_ms >= (fromMs ?? -Infinity) && at_ms < (toMs ?? Infinity),
        );
        const kept = thinned(0, inRange.length - 1, count).map((at) => inRange[at]);
        expect(found).to.deep.equal(
          kept.map((row) => ({ seq: row?.seq, at: row?.at_ms, probabilityHalfUnits: row?.probability_half_units })),
        );
      },
    );
    await fc.assert(property, { numRuns: 300 });
  });

  it('are numbered from 1 without a gap', async () => {
    for (const id of simulated.state.markets.keys()) {
      const rows = await db
        .selectFrom('market_history')
        .selectAll()
        .where('market_id', '=', id)
        .orderBy('seq')
        .execute();
      expect(rows.map(({ event_number }) => event_number)).to.deep.equal(rows.map((_, at) => at + 1));
    }
  });

  it('are none of a market that does not exist', async () => {
    expect(await findMoments(db, 'nowhere', { points: 5 })).to.equal(null);
  });
});
