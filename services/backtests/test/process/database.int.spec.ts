import { withClient } from '@paper/runtime';
import { eventually } from '@paper/testkit';
import { testDatabase } from '@paper/testkit';
import { expect } from 'chai';
import { connectionStringOf, createDatabase, dropDatabase } from '../../src/process/database.ts';

describe('the database of a backtest', () => {
  it('is gone where it is dropped while the server still creates it', async () => {
    const database = `backtest_${process.pid}`;
    const made = await testDatabase();
    const { connectionString } = made;
    await withClient({ connectionString }, async (client) => {
      const isRunning = async (condition: string): Promise<boolean> => {
        const { rowCount } = await client.query(
          `select from pg_stat_activity where pid <> pg_backend_pid() and state = 'active' and ${condition}`,
        );
        return (rowCount ?? 0) > 0;
      };
      const ends: Promise<void>[] = [];
      // The server does not copy a database that others use, and waits for them for five seconds.
      await withClient({ connectionString: connectionStringOf(connectionString, 'template1') }, async () => {
        ends.push(createDatabase(connectionString, database));
        await eventually('it is being created', () => isRunning(`query like 'create database "${database}"'`));
        const dropped = dropDatabase(connectionString, database);
        ends.push(dropped);
        await Promise.race([dropped, eventually('the drop waits', () => isRunning(`wait_event = 'advisory'`))]);
      });
      await Promise.all(ends);
      const { rowCount } = await client.query('select from pg_database where datname = $1', [database]);
      expect(rowCount).to.equal(0);
    });
    await made.close();
  });
});
