import { chownSync, copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { connectionStringsOf, freshPasswords, prepareRoles } from '@paper/command-api';
import { startEmbeddedPostgres } from '@paper/embedded-postgres';
import type { EmbeddedPostgres } from '@paper/embedded-postgres';
import { isInstalled, withClient } from '@paper/runtime';
import { isLongSuiteLeftOut } from '@paper/testkit';
import { describeServices, startStandalone, temporaryDataDir } from '@paper/testkit/exchange';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { createCheckedClient, operatorClient } from '@paper/testkit/http';
import { TestAuthority, testRedis } from '@paper/testkit/servers';
import { expect } from 'chai';
import { runCommand, startServiceSet, stopServiceSet } from './service-set-process.ts';
import type { ServiceSetProcess } from './service-set-process.ts';

/** Parameters of a connection string that checks the server's certificate and name against this authority. */
const verified = (caFile: string): string => `sslmode=verify-full&sslrootcert=${encodeURIComponent(caFile)}`;

describeServices('a Postgres that takes connections by TLS alone', 'postgres', function () {
  if (isLongSuiteLeftOut() || !isInstalled('openssl')) return;
  this.timeout(300_000);
  const folder = temporaryDataDir();
  const at = (name: string): string => path.join(folder.dataDir, name);
  let postgres: EmbeddedPostgres;
  let owner: string;
  let set: ServiceSetProcess | null = null;
  let standalone: RunningStandalone | null = null;

  /** The connection string of another database, or with another authority. */
  const urlOf = (database: string, caFile = at('tls/trusted/ca.crt')): string => {
    const url = new URL(postgres.connectionString);
    url.hostname = 'localhost';
    url.pathname = `/${database}`;
    return `${url.href}?${verified(caFile)}`;
  };

  before(async () => {
    mkdirSync(at('tls'));
    postgres = await startEmbeddedPostgres({ dataDir: at('server'), settings: { fsync: 'off' } });
    const { certificate, key } = new TestAuthority(at('tls')).issue({ name: 'postgres' });
    const cluster = at('server/postgres');
    for (const [from, to] of [
      [certificate, 'server.crt'],
      [key, 'server.key'],
    ] as const) {
      copyFileSync(from, path.join(cluster, to));
      // The server runs as the owner of its files, which is another user than root.
      const { gid, uid } = statSync(path.join(cluster, 'PG_VERSION'));
      chownSync(path.join(cluster, to), uid, gid);
    }
    await withClient({ connectionString: postgres.connectionString }, async (client) => {
      for (const name of ['exchange', 'restored', 'alone']) await client.query(`create database ${name}`);
      await client.query('alter system set ssl = on');
      const rules = path.join(cluster, 'pg_hba.conf');
      writeFileSync(rules, `hostnossl all all all reject\n${readFileSync(rules, 'utf8')}`);
      await client.query('select pg_reload_conf()');
    });
    owner = urlOf('exchange');
  });
  after(async () => {
    set?.command.kill('SIGKILL');
    await set?.ended;
    await standalone?.stop();
    await postgres.stop();
    folder.remove();
  });

  it('serves every service in its role, and all of their connections have TLS', async () => {
    const { connectionString } = postgres;
    const plain = await withClient({ connectionString }, () => Promise.resolve('connected')).catch(String);
    expect(plain).to.include('no encryption');
    const passwords = freshPasswords();
    await prepareRoles({ connectionString: owner, shard: 'main', journalIsHere: true }, passwords);
    const urls = connectionStringsOf(owner, passwords);
    set = startServiceSet({
      DATA_DIR: folder.dataDir,
      DATABASE_URL: owner,
      JOURNAL_URL: '',
      RATE_LIMITS: 'off',
      REDIS_URL: await testRedis(),
      COMMAND_DATABASE_URL: urls.command,
      PROJECTOR_DATABASE_URL: urls.projector,
      READER_DATABASE_URL: urls.reader,
      PORTAL_DATABASE_URL: urls.portal,
      BACKTESTS_DATABASE_URL: urls.backtests,
      OPERATOR_TOKENS: 'operator:op_the-token-of-the-operator',
      PORTAL_SECRET: 'a secret of the portal of forty characters',
    });
    const baseUrl = await set.ready();
    const client = await createCheckedClient(baseUrl);
    const desk = operatorClient(client, 'op_the-token-of-the-operator');
    await desk.list('m');
    const [ann, ben] = [await desk.open('Ann'), await desk.open('Ben')];
    const bid = { marketId: 'm', outcome: 'yes', price: 0.4, quantity: 5 };
    await client.ok('POST', '/api/orders', { key: ann.key, body: bid });
    const filled = await client.ok('POST', '/api/orders', {
      key: ben.key,
      body: { ...bid, outcome: 'no', price: 0.6 },
    });
    expect(filled).to.include({ status: 'filled' });
    expect(await client.ok('GET', '/api/portfolio', { key: ann.key })).to.have.nested.property('summary');
    const rows = await withClient({ connectionString: owner }, async (connected) => {
      const { rows: all } = await connected.query<{ usename: string; ssl: boolean }>(
        'select distinct usename, ssl from pg_stat_activity join pg_stat_ssl using (pid) where usename is not null',
      );
      return all;
    });
    expect(rows.filter(({ ssl }) => !ssl)).to.deep.equal([]);
    const roles = ['paper_command', 'paper_projector', 'paper_reader', 'paper_portal'];
    expect(rows.map(({ usename }) => usename)).to.include.members(roles);
  });

  it('serves every command of an operator', async () => {
    const env = { DATA_DIR: folder.dataDir, BACKUP_DIR: at('backups'), DATABASE_URL: owner, JOURNAL_URL: '' };
    const run = async (args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<string> => {
      const { code, stderr, stdout } = await runCommand(args, { ...env, ...more });
      expect(code, `${args.join(' ')}: ${stderr}${stdout}`).to.equal(0);
      return stdout;
    };
    expect(await run(['backup'])).to.include('main to event');
    await run(['audit', 'verify']);
    await run(['snapshot']);
    await run(['rebuild']);
    await run(['export', '--format', 'journal', '--out', at('exported')]);
    const restored = { DATABASE_URL: urlOf('restored'), DATA_DIR: at('restored') };
    await run(['restore'], restored);
    // The next start makes the read models.
    await run(['audit', 'verify', '--no-read-models'], restored);
    if (set !== null) await stopServiceSet(set);
  });

  it('serves npm start', async () => {
    standalone = await startStandalone({ env: { DATABASE_URL: urlOf('alone') } });
    const client = await createCheckedClient(standalone.baseUrl);
    const desk = operatorClient(client, standalone.operatorToken);
    await desk.list('m');
    const { key } = await desk.open('Ann');
    const body = { marketId: 'm', outcome: 'yes', price: 0.4, quantity: 5 };
    expect(await client.ok('POST', '/api/orders', { key, body })).to.include({ status: 'open' });
  });

  it('is refused with the reason where another authority has signed its certificate', async () => {
    mkdirSync(at('other'));
    const { caFile } = new TestAuthority(at('other'));
    const { code, stderr } = await runCommand(['audit', 'verify'], {
      DATA_DIR: at('nothing'),
      DATABASE_URL: urlOf('exchange', caFile),
      JOURNAL_URL: '',
    });
    expect(code).to.equal(2);
    expect(stderr).to.match(/certificate/);
  });
});
