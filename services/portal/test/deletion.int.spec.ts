import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createLogger, withClient } from '@paper/runtime';
import { eventually, longTest } from '@paper/testkit';
import { expect } from 'chai';
import { Deletions } from '../src/accounts/deletion.ts';
import { Apis } from '../src/keys/api.ts';
import { startStatementProxy } from './support/statement-proxy.ts';
import { startTestPortal } from './support/test-portal.ts';
import type { TestPortal } from './support/test-portal.ts';

/** What the exchange does of a deletion: an account is closed before its names are forgotten, and both as often as asked. */
class ExchangeOfDeletions {
  readonly closed = new Set<string>();
  readonly forgotten = new Set<string>();
  /** Called for each call, after it was carried out and before it is answered. */
  onCall: (call: string) => void = () => undefined;
  readonly server = createHttpServer((request, response) => {
    const [, account = '', call = ''] = /^\/api\/operator\/accounts\/([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? [];
    const isRefused = call === 'forget' && !this.closed.has(account);
    if (!isRefused) (call === 'close' ? this.closed : this.forgotten).add(account);
    this.onCall(call);
    const body = isRefused ? { error: 'close the account first', code: 'validation_failed' } : { account: {} };
    response.writeHead(isRefused ? 400 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
}

describe('deletion of an account', function () {
  this.timeout(120_000);
  let portal: TestPortal;
  const exchange = new ExchangeOfDeletions();
  let apiUrl: string;
  let children: ChildProcess[] = [];

  before(async () => {
    exchange.server.listen(0, '127.0.0.1');
    await once(exchange.server, 'listening');
    apiUrl = `http://127.0.0.1:${(exchange.server.address() as AddressInfo).port}`;
    // Its own jobs do nothing: where its API is, nothing answers.
    portal = await startTestPortal();
  });
  after(async () => {
    await portal.stop();
    exchange.server.closeAllConnections();
    exchange.server.close();
  });
  afterEach(() => {
    for (const child of children) child.kill('SIGKILL');
    children = [];
    exchange.onCall = () => undefined;
  });

  function startDeletions(databaseUrl: string): ChildProcess {
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', path.join(import.meta.dirname, 'support/deletion-process.ts')],
      { env: { ...process.env, DATABASE_URL: databaseUrl, API_URL: apiUrl }, stdio: 'inherit' },
    );
    children.push(child);
    return child;
  }

  /** A person who has asked for the deletion, with rows in the tables that a person can have rows in. */
  async function leaving(name: string): Promise<{ id: string; accountId: string }> {
    const { id, password } = await portal.person(name, { email: `${name}@paper.example` });
    const browser = portal.browser();
    await browser.expect(200, 'POST', '/portal/sign-in', { body: { name, password } });
    await browser.expect(200, 'POST', '/portal/recovery-codes');
    const { state } = await browser.expect<{ state: string }>(202, 'DELETE', '/portal/me');
    expect(state).to.equal('closing');
    expect((await browser.call('GET', '/portal/security')).status).to.equal(401);
    const again = await portal.browser().call('POST', '/portal/sign-in', { body: { name, password } });
    expect(again.status).to.equal(401);
    return { id, accountId: `account-of-${name}` };
  }

  /** Does what is left in this process, as another portal would. */
  async function continued(accountId: string): Promise<void> {
    const apis = new Apis(() => apiUrl, 'an-operator-token-for-tests');
    const logger = createLogger({ name: 'deletions', level: 'silent' }, process.stderr);
    const deletions = new Deletions(portal.db, apis, logger);
    deletions.start();
    await eventually('the deletion is done', () => isDone(accountId));
    await deletions.stop();
  }

  const isDone = async (accountId: string): Promise<boolean> => {
    const open = await portal.db
      .selectFrom('deletion_jobs')
      .select('step')
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return open === undefined;
  };

  async function expectNothingLeft({ accountId, id }: { id: string; accountId: string }, name: string): Promise<void> {
    expect([...exchange.closed], 'closed').to.include(accountId);
    expect([...exchange.forgotten], 'forgotten').to.include(accountId);
    await withClient({ connectionString: portal.connectionString }, async (client) => {
      const { rows } = await client.query<{ name: string }>(
        `select table_name as name from information_schema.tables where table_schema = 'portal'`,
      );
      for (const table of rows) {
        const found = await client.query(
          `select from portal.${table.name} t where strpos(t::text, $1) > 0
          or strpos(t::text, $2) > 0 or strpos(t::text, $3) > 0`,
          [id, accountId, `${name}@`],
        );
        expect(found.rowCount, table.name).to.equal(0);
      }
    });
  }

  it('closes the account, forgets its names, then removes every row about the person', async () => {
    const ann = await leaving('ann');
    await continued(ann.accountId);
    await expectNothingLeft(ann, 'ann');
  });

  for (const call of ['close', 'forget']) {
    it(`is continued after kill -9 when ${call} was done and not answered`, async function () {
      if (call !== 'close') longTest(this);
      const name = `killed-at-${call}`;
      const person = await leaving(name);
      const child = startDeletions(portal.connectionString);
      exchange.onCall = (made) => {
        if (made === call) child.kill('SIGKILL');
      };
      await once(child, 'exit');
      expect(await isDone(person.accountId)).to.equal(false);

      exchange.onCall = () => undefined;
      await continued(person.accountId);
      await expectNothingLeft(person, name);
    });
  }

  for (const when of ['before', 'after'] as const) {
    it(`is continued after kill -9 ${when} each statement`, async function () {
      // A process for each statement; the loss of an answer is tried at both calls above.
      longTest(this);
      let kills = 0;
      for (let at = 1; ; at++) {
        const name = `${when}-${at}`;
        const person = await leaving(name);
        let statements = 0;
        let child: ChildProcess | null = null;
        const { server, url } = await startStatementProxy(portal.connectionString, () => {
          statements += 1;
          if (statements !== at) return true;
          if (when === 'before') child?.kill('SIGKILL');
          // The statement goes on its way first.
          else setImmediate(() => child?.kill('SIGKILL'));
          return when === 'after';
        });
        child = startDeletions(url);
        let hasEnded = false;
        void once(child, 'exit').then(() => (hasEnded = true));
        await eventually('killed, or done', async () => hasEnded || (await isDone(person.accountId)));
        const wasKilled = statements >= at;
        if (wasKilled) kills += 1;
        else child.kill('SIGKILL');

        if (!(await isDone(person.accountId))) {
          await continued(person.accountId);
        }
        server.close();
        await expectNothingLeft(person, name);
        if (!wasKilled) break;
      }
      // The jobs, two steps, and a transaction of four statements.
      expect(kills).to.be.at.least(7);
    });
  }

  it('waits while the exchange does not answer', async () => {
    const person = await leaving('patient');
    const refusing = createHttpServer((_request, response) => response.writeHead(503).end());
    refusing.listen(0, '127.0.0.1');
    await once(refusing, 'listening');
    const other = await startTestPortal({
      connectionString: portal.connectionString,
      apiUrl: `http://127.0.0.1:${(refusing.address() as AddressInfo).port}`,
    });
    await once(refusing, 'request');
    await other.stop();
    refusing.close();
    expect(await isDone(person.accountId)).to.equal(false);
    await continued(person.accountId);
  });
});
