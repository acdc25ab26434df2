import { testDatabase } from '@paper/testkit';
import { startStandalone, temporaryDataDir } from '@paper/testkit/exchange';
import { expect } from 'chai';
import pg from 'pg';

describe('a standalone whose journal lost its head row', function () {
  this.timeout(120_000);

  it('does not start a new journal over existing events: it says so, ends and inserts nothing', async () => {
    const database = await testDatabase();
    const folder = temporaryDataDir();
    const db = new pg.Client({ connectionString: database.connectionString });
    await db.connect();
    try {
      const options = { dataDir: folder.dataDir, env: { DATABASE_URL: database.connectionString } };
      await (await startStandalone(options)).stop();
      const stored = async (): Promise<unknown> => (await db.query('select seq, hash from journal.events')).rows;
      const before = await stored();
      await db.query('delete from journal.head');
      const failure = await startStandalone(options).then(() => null, String);
      expect(failure)
        .to.match(/ended \(2\)/)
        .and.to.match(/\nThe journal of shard main is damaged: journal\.head has no row, .*docs\/prove\/audit\.md/);
      expect(failure, 'a message and no stack').to.not.match(/\n\s+at /);
      expect(await stored()).to.deep.equal(before);
      expect((await db.query('select from journal.head')).rowCount).to.equal(0);
    } finally {
      await db.end();
      folder.remove();
      await database.close();
    }
  });
});
