import { SimulatedJournal } from '@paper/testkit';
import { expect } from 'chai';
import { sql } from 'kysely';
import { catchUp } from '../src/projection/projector.ts';
import { Projection } from '../src/projection/projection.ts';
import { abortRebuild } from '../src/rebuild/clear.ts';
import { correctLeaderboard } from '../src/rebuild/leaderboard.ts';
import { rebuildStatus } from '../src/rebuild/status.ts';
import { activeSchema } from '../src/projection/registry.ts';
import { dumpSchema, useReadDatabase } from './read-database.ts';

describe('a rebuild of the leaderboard alone', function () {
  this.timeout(30_000);
  const database = useReadDatabase();

  it('corrects the rows that are not as the journal gives them, at the sequence that serves, and nothing else', async () => {
    const { db, connectionString } = database();
    const simulated = new SimulatedJournal({ seed: 17 });
    await simulated.run(300);
    const { journal } = simulated;
    const active = (await activeSchema(db)) ?? '';
    // The serving schema is behind the journal.
    const behind = simulated.ends.at(-20) ?? 0;
    await catchUp(await Projection.open(db, active), journal, behind);
    expect((await correctLeaderboard({ connectionString, journal })).corrected).to.deep.equal({
      accounts: 0,
      positions: 0,
      settings: 0,
    });
    const right = await dumpSchema(db, active);
    const [account, position] = [sql.id(active, 'accounts'), sql.id(active, 'positions')];
    await sql`update ${account} set cash_units = cash_units + 1, trades = 7
      where id in (select id from ${account} order by id limit 3)`.execute(db);
    await sql`delete from ${position} where (account_id, market_id) in
      (select account_id, market_id from ${position} order by 1, 2 limit 2)`.execute(db);
    await sql`insert into ${position} values ('nobody', 'nothing', 1, 0, 1, 0)`.execute(db);

    const { corrected, seq } = await correctLeaderboard({ connectionString, journal, batchSize: 50 });
    expect(corrected).to.deep.equal({ accounts: 3, positions: 3, settings: 0 });
    expect(seq).to.equal(behind);
    expect(await dumpSchema(db, active)).to.deep.equal(right);
    expect((await rebuildStatus(connectionString)).schemas.map(({ status }) => status)).to.deep.equal(['active']);

    // The projection goes on upon what was corrected.
    await catchUp(await Projection.open(db, active), journal, simulated.head.seq);
    const folded = await dumpSchema(db, await database().filled(simulated));
    expect(await dumpSchema(db, active)).to.deep.equal(folded);
    await abortRebuild(connectionString);
  });
});
