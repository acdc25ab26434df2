import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ciTest, longTest, runCommand, testDatabase } from '@paper/testkit';
import type { TestDatabase } from '@paper/testkit';
import { describeOldestPostgres, startStandalone } from '@paper/testkit/exchange';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { createCheckedClient, operatorClient } from '@paper/testkit/http';
import { OLDEST_POSTGRES } from '@paper/testkit/servers';
import { expect } from 'chai';
import { Person } from './restore-drill.ts';

describeOldestPostgres('an exchange on the oldest Postgres that the README promises', function () {
  this.timeout(180_000);
  const home = mkdtempSync(path.join(tmpdir(), 'oldest-postgres-'));
  let database: TestDatabase;
  let empty: TestDatabase;
  let service: RunningStandalone | null = null;
  before(async () => {
    [database, empty] = [await testDatabase(OLDEST_POSTGRES), await testDatabase(OLDEST_POSTGRES)];
  });
  after(async () => {
    await service?.stop();
    await database.close();
    await empty.close();
    rmSync(home, { recursive: true, force: true });
  });
  /** Runs a command on a database; gives its output where it ends with 0. */
  const run = async (args: readonly string[], { connectionString } = database): Promise<string> => {
    const settings = { BACKUP_DIR: path.join(home, 'backups'), DATABASE_URL: connectionString };
    const { code, output } = await runCommand(args, home, settings);
    expect(code, output).to.equal(0);
    return output;
  };
  const start = async ({ connectionString }: TestDatabase): Promise<RunningStandalone> =>
    (service = await startStandalone({ env: { DATABASE_URL: connectionString } }));

  it('starts, trades, and holds in the audit, with a person who signed up', async () => {
    const { baseUrl, operatorToken, publicUrl } = await start(database);
    const client = await createCheckedClient(baseUrl);
    const desk = operatorClient(client, operatorToken);
    await desk.list('m');
    for (const [name, outcome] of [
      ['Ann', 'yes'],
      ['Ben', 'no'],
    ] as const) {
      const { key } = await desk.open(name);
      const body = { marketId: 'm', side: 'buy', outcome, price: 0.5, quantity: 10 };
      await client.ok('POST', '/api/orders', { key, body });
    }
    const person = new Person(publicUrl, 'cem');
    expect((await person.signUp()).status).to.equal(201);
    expect((await person.call('GET', '/portal/as/me/portfolio')).status).to.equal(200);
    const audited = await run(['audit', 'verify']);
    expect(audited).to.match(/\nIdentity: \d+ rows that name accounts compared\.\nVERDICT: everything holds\./);
  });

  it('is rebuilt, exported and backed up while it runs, and restored', async function () {
    longTest(this);
    ciTest(this);
    expect(await run(['rebuild'])).to.match(/Rebuilt.* Served from read_/);
    await run(['export', '--out', path.join(home, 'export')]);
    const [folder = ''] = (await run(['backup'])).split(': ', 1);
    await service?.stop();
    await run(['restore', folder], empty);
    expect(await run(['audit', 'verify', '--no-read-models'], empty)).to.match(/\nVERDICT: everything that was judged/);
    await start(empty);
    expect(await run(['audit', 'verify'], empty)).to.match(/\nVERDICT: everything holds\./);
  });
});
