import { SimulatedJournal } from '@paper/testkit';
import { eventually } from '@paper/testkit';
import { expect } from 'chai';
import { sql } from 'kysely';
import { CommitsLost, isTransient, ProjectionFault, ProjectionFenced, SchemaRetired } from '../src/engine/faults.ts';
import { Projection } from '../src/projection/projection.ts';
import { catchUp } from '../src/projection/projector.ts';
import { wholeMinute } from '../src/models/minute.ts';
import { caught } from './caught.ts';
import { journalEvents, listed, marketBuyMeetsNoBid, opened, resting, T0 } from './events.ts';
import { dumpSchema, useReadDatabase } from './read-database.ts';

describe('checkpoint', () => {
  const database = useReadDatabase();

  it('lets a crash in the middle of a batch leave nothing, and the next projector go on', async () => {
    const simulated = new SimulatedJournal({ seed: 3 });
    await simulated.run(300);
    const expected = await dumpSchema(database().db, await database().filled(simulated));
    const schema = await database().newSchema();
    const half = simulated.ends[150] ?? 0;
    await catchUp(await Projection.open(database().db, schema), simulated.journal, half);
    const before = await dumpSchema(database().db, schema);
    const projection = await Projection.open(database().db, schema);
    // The last table that a batch writes is missing, so its transaction fails after all other writes.
    await sql`alter table ${sql.id(schema, 'book_levels')} rename to book_levels_away`.execute(database().db);
    expect(await caught(catchUp(projection, simulated.journal, simulated.head.seq))).to.be.instanceOf(SchemaRetired);
    await sql`alter table ${sql.id(schema, 'book_levels_away')} rename to book_levels`.execute(database().db);
    expect(await dumpSchema(database().db, schema)).to.deep.equal(before);
    await catchUp(await Projection.open(database().db, schema), simulated.journal, simulated.head.seq);
    expect(await dumpSchema(database().db, schema)).to.deep.equal(expected);
  });

  it('lets a suffix that is delivered again change nothing', async () => {
    const decisions = [[listed('m')], [opened('a')]];
    const schema = await database().newSchema();
    await (await Projection.open(database().db, schema)).project(journalEvents(decisions));
    const before = await dumpSchema(database().db, schema);
    const again = await Projection.open(database().db, schema);
    expect(await caught(again.project(journalEvents([[opened('a')]], 2)))).to.be.instanceOf(ProjectionFault);
    expect(await dumpSchema(database().db, schema)).to.deep.equal(before);
  });

  it('counts trades from the first one on, also where it was opened anew before it', async () => {
    const schema = await database().newSchema();
    const fill = { marketId: 'm', taker: 'a', takerOrder: 'o2', maker: 'b', makerOrder: 'o1', makerRemaining: 0 };
    const bid = resting('b', 'o1', 'm', { side: 'buy', outcome: 'no', priceUnits: 4000, quantity: 5 });
    await (
      await Projection.open(database().db, schema)
    ).project(journalEvents([[listed('m')], [opened('a')], [opened('b')], [bid]]));
    const anew = await Projection.open(database().db, schema);
    await anew.project(journalEvents([marketBuyMeetsNoBid({ ...fill, yesPriceUnits: 6000, quantity: 5 })], 5));
    const minutes = await database().db.withSchema(schema).selectFrom('minutes').selectAll().execute();
    expect(minutes).to.deep.equal([{ minute_ms: wholeMinute(T0), trades: 1, volume_shares: 5 }]);
  });

  it('fences a second projector', async () => {
    const schema = await database().newSchema();
    const [first, second] = [
      await Projection.open(database().db, schema),
      await Projection.open(database().db, schema),
    ];
    await first.project(journalEvents([[opened('a')]]));
    const before = await dumpSchema(database().db, schema);
    expect(await caught(second.project(journalEvents([[opened('a')]])))).to.be.instanceOf(ProjectionFenced);
    expect(await dumpSchema(database().db, schema)).to.deep.equal(before);
    await first.project(journalEvents([[opened('b')]], 2));
    expect(first.checkpoint).to.deep.equal({ seq: 2, hash: 'hash-2', atMs: 1_750_000_000_000, keysSeq: 2 });
  });

  it('goes on anew where the database has lost the last commits by a crash, instead of taking it for another projector', async () => {
    const schema = await database().newSchema();
    const projection = await Projection.open(database().db, schema);
    await projection.project(journalEvents([[opened('a')]]));
    // The state after a crash of Postgres that lost the last commit, which is not flushed synchronously.
    await database()
      .db.withSchema(schema)
      .updateTable('checkpoint')
      .set({ seq: 0, hash: '0'.repeat(64) })
      .execute();
    await database().db.withSchema(schema).deleteFrom('accounts').execute();
    const error = await caught(projection.project(journalEvents([[opened('b')]], 2)));
    expect(error).to.be.instanceOf(CommitsLost);
    expect(isTransient(error)).to.equal(true);
    const anew = await Projection.open(database().db, schema);
    await anew.project(journalEvents([[opened('a')], [opened('b')]]));
    expect(anew.checkpoint.seq).to.equal(2);
  });

  it('is moved by another where the connection is cut: that is no fault of the events', async () => {
    const { db } = database();
    const schema = await database().newSchema();
    const projection = await Projection.open(db, schema);
    const error = await db.transaction().execute(async (trx) => {
      // Its write waits.
      await trx.withSchema(schema).selectFrom('checkpoint').select('seq').forUpdate().execute();
      const projecting = caught(projection.project(journalEvents([[opened('a')]])));
      const cut = sql`select pg_terminate_backend(pid) from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()`;
      await eventually('its connection is cut', async () => (await cut.execute(db)).rows.length > 0);
      return projecting;
    });
    expect(error).not.to.be.instanceOf(ProjectionFault);
    expect(isTransient(error)).to.equal(true);
    await (await Projection.open(db, schema)).project(journalEvents([[opened('a')]]));
  });

  it('does not move in a retired schema', async () => {
    const schema = await database().newSchema();
    const projection = await Projection.open(database().db, schema);
    await database().db.withSchema(schema).updateTable('checkpoint').set({ retired: true }).execute();
    expect(await caught(projection.project(journalEvents([[opened('a')]])))).to.be.instanceOf(SchemaRetired);
    expect(await caught(Projection.open(database().db, schema))).to.be.instanceOf(SchemaRetired);
  });

  describe('stops before an event that cannot be applied, and writes nothing of its batch', () => {
    const fill = { marketId: 'm', taker: 'a', takerOrder: 'o2', maker: 'b', makerOrder: 'o1' };
    const start = [[listed('m')], [opened('a')], [opened('b', 50_000)]];
    const bid = resting('b', 'o1', 'm', { side: 'buy', outcome: 'no', priceUnits: 4000, quantity: 10 });
    const cases: [string, readonly (readonly Parameters<typeof journalEvents>[0][number][number][])[], string][] = [
      [
        'a market that was never listed',
        [[resting('a', 'o1', 'x', { side: 'buy', outcome: 'yes', priceUnits: 1, quantity: 1 })]],
        'no live market x',
      ],
      [
        'more shares than stand in the book',
        [[bid], marketBuyMeetsNoBid({ ...fill, yesPriceUnits: 6000, quantity: 11, makerRemaining: 0 })],
        'the ask level at 6000',
      ],
      [
        'an order that was never placed',
        [
          [bid],
          marketBuyMeetsNoBid({ ...fill, makerOrder: 'o9', yesPriceUnits: 6000, quantity: 5, makerRemaining: 5 }),
        ],
        'rows of orders',
      ],
      [
        'an order that was never placed, in a batch that is written statement by statement',
        [
          [bid],
          ...Array.from({ length: 2500 }, (_, n) => [opened(`more-${n}`)]),
          marketBuyMeetsNoBid({ ...fill, makerOrder: 'o9', yesPriceUnits: 6000, quantity: 5, makerRemaining: 5 }),
        ],
        'rows of orders',
      ],
      [
        'an account that was never opened',
        [[bid], marketBuyMeetsNoBid({ ...fill, taker: 'z', yesPriceUnits: 6000, quantity: 5, makerRemaining: 5 })],
        'rows of fills',
      ],
      [
        'cash below 0',
        [
          [{ ...bid, quantity: 20, restQuantity: 20 } as typeof bid],
          marketBuyMeetsNoBid({ ...fill, yesPriceUnits: 6000, quantity: 20, makerRemaining: 0 }),
        ],
        'cash_units',
      ],
    ];
    for (const [name, decisions, message] of cases) {
      it(name, async () => {
        const schema = await database().newSchema();
        const projection = await Projection.open(database().db, schema);
        await projection.project(journalEvents(start));
        const before = await dumpSchema(database().db, schema);
        const error = await caught(projection.project(journalEvents([[opened('c')], ...decisions], 4)));
        expect(error).to.be.instanceOf(ProjectionFault);
        expect(String(error)).to.include(message);
        expect(await dumpSchema(database().db, schema)).to.deep.equal(before);
        expect(await caught(projection.project([...journalEvents([[opened('d')]], 4)]))).to.be.instanceOf(Error);
      });
    }
  });
});
