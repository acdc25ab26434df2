import { eventually, testDatabase } from '@paper/testkit';
import { expect } from 'chai';
import { sql } from 'kysely';
import { createLogger, createMetrics, withClient } from '@paper/runtime';
import { z } from 'zod';
import { portalSettings } from '../src/base/config.ts';
import { connectPortal } from '../src/base/database.ts';
import { BackgroundPages } from '../src/pages/background-pages.ts';
import { createPortal } from '../src/portal.ts';

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

describe('the readiness of the portal', function () {
  this.timeout(60_000);

  it('says when it cannot serve: before the start, without pages, and without its tables', async () => {
    const database = await testDatabase();
    const { connectionString } = database;
    let fault: Error | null = new Error('no bundle');
    const made = { handles: () => false, serve: () => undefined };
    const pages = new BackgroundPages(() => (fault === null ? Promise.resolve(made) : Promise.reject(fault)));
    const portal = await createPortal({
      connectionString,
      config: z.object({ ...portalSettings, HOST: z.string() }).parse({ HOST: '127.0.0.1' }),
      operatorToken: 'an-operator-token-for-tests',
      secrets: ['the secret of the portal for its tests'],
      logger: createLogger({ name: 'portal', level: 'silent' }, process.stderr),
      metrics: createMetrics(false),
      rateLimiter: null,
      trustedProxies: [],
      relaySecret: null,
      pages,
    });
    const problem = () =>
      portal.readiness.check().then(
        () => 'ready',
        (error: unknown) => String(error),
      );
    try {
      expect(await problem()).to.include('has not started');
      portal.start({ apiUrl: 'http://127.0.0.1:9', publicUrl: 'http://localhost:9' });
      expect(await problem()).to.equal('ready');
      await pages.load().catch(() => undefined);
      expect(await problem()).to.include('the pages cannot be made: Error: no bundle');
      fault = null;
      await pages.load();
      expect(await problem()).to.equal('ready');
      const query = (text: string) => withClient({ connectionString }, (client) => client.query(text));
      await query('alter schema portal rename to away');
      expect(await problem()).to.include('does not exist');
      await query('alter schema away rename to portal');
      expect(await problem()).to.equal('ready');
    } finally {
      await portal.stop();
      await database.close();
    }
  });
});
