import { eventually, testDatabase } from '@paper/testkit';
import { withClient } from '@paper/service-kit';
import { expect } from 'chai';
import { sql } from 'kysely';
import { connectPortal } from '../src/identity/database.ts';

const SLEEPING = `from pg_stat_activity where application_name = 'portal' and query like '%pg_sleep%'`;

describe('the connections of the portal to its database', function () {
  this.timeout(60_000);

  it('break during a query without ending the process, and others are made', async () => {
    const database = await testDatabase();
    const db = connectPortal(database.connectionString, () => undefined);
    try {
      const asleep = sql`select pg_catalog.pg_sleep(60)`.execute(db).then(
        () => 'awake',
        () => 'broken',
      );
      await withClient({ connectionString: database.connectionString }, async (client) => {
        await eventually('the query runs', async () => (await client.query(`select ${SLEEPING}`)).rowCount === 1);
        await client.query(`select pg_terminate_backend(pid) ${SLEEPING}`);
      });
      expect(await asleep).to.equal('broken');
      expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).to.deep.equal([{ one: 1 }]);
    } finally {
      await db.destroy();
      await database.close();
    }
  });
});
