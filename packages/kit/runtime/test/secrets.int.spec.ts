import { testDatabase } from '@paper/testkit';
import type { TestDatabase } from '@paper/testkit';
import { expect } from 'chai';
import pg from 'pg';
import { createLeaseStore } from '../src/lease/lease-store.ts';
import { readSecret } from '../src/coordination/secrets.ts';

describe('Secrets in Postgres', function () {
  this.timeout(30_000);
  let database: TestDatabase;
  let owner: pg.Client;

  beforeEach(async () => {
    database = await testDatabase();
    owner = new pg.Client({ connectionString: database.connectionString });
    await owner.connect();
  });
  afterEach(async () => {
    await owner.end();
    await database.close();
  });

  it('are made once, however many processes of the owner start at the same time, and differ from each other', async () => {
    const { connectionString } = database;
    const leases = createLeaseStore({ connectionString });
    try {
      const [taken, ...read] = await Promise.all([
        leases.take({ address: '', holder: 'a', name: 'writer:main' }, 1_000),
        ...Array.from({ length: 8 }, () => readSecret(connectionString, 'cursors')),
      ]);
      expect(taken).to.include({ kind: 'taken' });
      expect(new Set(read.map((secret) => secret.toString('hex'))).size).to.equal(1);
      expect(read[0]).to.have.length(32);
      expect(await readSecret(connectionString, 'fingerprints')).to.have.length(32);
      expect(await readSecret(connectionString, 'fingerprints')).not.to.deep.equal(read[0]);
      expect(await readSecret(connectionString, 'cursors')).to.deep.equal(read[0]);
    } finally {
      await leases.close();
    }
  });

  it('are refused to a role that no policy lets read them, and the message says what to run', async () => {
    await readSecret(database.connectionString, 'cursors');
    const user = `secret_user_${process.pid}`;
    await owner.query(`create role ${user} login password 'user'`);
    try {
      const url = new URL(database.connectionString);
      url.username = user;
      url.password = 'user';
      const refusal = (): Promise<unknown> => readSecret(url.href, 'cursors').catch((error: unknown) => error);
      expect(String(await refusal()), 'without any right').to.contain('npm run roles');
      await owner.query(`grant usage on schema coordination to ${user}`);
      await owner.query(`grant select on coordination.secrets to ${user}`);
      expect(String(await refusal()), 'with the table, and no policy').to.contain('npm run roles');
    } finally {
      await owner.query(`drop owned by ${user}`);
      await owner.query(`drop role ${user}`);
    }
  });

  it('reject where there is no database', async () => {
    const refusal: unknown = await readSecret('postgresql://127.0.0.1:1/none', 'cursors').catch(
      (error: unknown) => error,
    );
    expect(refusal).to.have.property('code', 'ECONNREFUSED');
  });
});
