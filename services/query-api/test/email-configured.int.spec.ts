import { withClient } from '@paper/runtime';
import { testDatabase } from '@paper/testkit';
import type { TestDatabase } from '@paper/testkit';
import { expect } from 'chai';
import { EmailConfigured } from '../src/email-configured.ts';

describe('whether e-mail is configured', () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
  });
  after(() => database.close());

  const written = (configured: boolean) =>
    withClient({ connectionString: database.connectionString }, (client) =>
      client.query(`create schema if not exists portal;
        create or replace view portal.mail as select ${configured} as configured`),
    );

  it('is false before a portal has run', async () => {
    expect(await new EmailConfigured(database.connectionString).get()).to.equal(false);
  });

  it('is what the portal wrote', async () => {
    await written(true);
    expect(await new EmailConfigured(database.connectionString).get()).to.equal(true);
    await written(false);
    expect(await new EmailConfigured(database.connectionString).get()).to.equal(false);
  });

  it('is false, and not an error, without a database', async () => {
    expect(await new EmailConfigured('postgresql://nobody@127.0.0.1:1/none').get()).to.equal(false);
  });
});
