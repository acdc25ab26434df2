import { runningPostgres, startEmbeddedPostgres } from '@paper/embedded-postgres';
import { withClient } from '@paper/runtime';
import { startStandalone, temporaryDataDir } from '@paper/testkit/exchange';
import { expect } from 'chai';

/** The passwords of the roles, which each start makes anew. */
const PASSWORDS = `select rolname, rolpassword from pg_authid where rolname like 'paper%' order by rolname`;
/** Goes on with the journal as a later build would: with an epoch of a higher version. */
const NEWER_EPOCH = `
  insert into journal.events (shard, seq, id, type, public_text, private_text, hash)
  select first.shard, head.seq + 1, gen_random_uuid(), first.type,
    regexp_replace(first.public_text, '"version":[0-9]+', '"version":99'), first.private_text, repeat('f', 64)
  from journal.events first, journal.head where first.seq = 1;
  update journal.head set seq = seq + 1, hash = repeat('f', 64);`;

describe('a start on the journal of a newer build', function () {
  this.timeout(60_000);

  it('says so before the roles of the database are made: their passwords were changed', async () => {
    const folder = temporaryDataDir();
    const { dataDir } = folder;
    const service = await startStandalone({ dataDir });
    await service.stop();
    const server = async (work: string): Promise<unknown> => {
      const postgres = await startEmbeddedPostgres({ dataDir });
      const { connectionString } = postgres;
      const { rows } = await withClient({ connectionString }, async (client) => {
        if (work !== '') await client.query(work);
        return client.query(PASSWORDS);
      });
      await postgres.stop();
      return rows;
    };
    const before = await server(NEWER_EPOCH);
    const refusal = await startStandalone({ dataDir }).then(() => 'it started', String);
    expect(refusal)
      .to.include('ended (2)')
      .and.include('version 99 is unknown here')
      .and.include('start that build instead (docs/operate/upgrade.md)');
    expect(runningPostgres(dataDir)).to.equal(null);
    expect(await server('')).to.deep.equal(before);
    folder.remove();
  });
});
