import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { connectionStringsOf, freshPasswords, prepareRoles } from '@paper/command-api';
import { eventually, isLongSuiteLeftOut, testDatabase } from '@paper/testkit';
import type { TestDatabase } from '@paper/testkit';
import { describeServices, temporaryDataDir } from '@paper/testkit/exchange';
import { startOrderLoad } from '@paper/testkit/failover';
import { createCheckedClient, operatorClient } from '@paper/testkit/http';
import { TestAuthority, testRedis } from '@paper/testkit/servers';
import { freePort } from '@paper/runtime';
import { servedFingerprint } from '@paper/supervisor';
import { expect } from 'chai';
import { runCommand, startServiceSet, stopServiceSet } from './service-set-process.ts';
import type { ServiceSetProcess } from './service-set-process.ts';

describeServices('npm run rotate under load', 'postgres', function () {
  if (isLongSuiteLeftOut()) return;
  this.timeout(300_000);
  const folder = temporaryDataDir();
  const fileWith = (name: string, text: string): string => {
    const file = path.join(folder.dataDir, name);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  let database: TestDatabase;
  let set: ServiceSetProcess | null = null;

  before(async () => {
    database = await testDatabase();
  });
  after(async () => {
    set?.command.kill('SIGKILL');
    await set?.ended;
    await database.close();
    folder.remove();
  });

  it('replaces passwords, a token, the portal secret and the certificate, and every order is answered once', async () => {
    const { connectionString } = database;
    const passwords = freshPasswords();
    await prepareRoles({ connectionString, shard: 'main', journalIsHere: true }, passwords);
    const urls = connectionStringsOf(connectionString, passwords);
    const authority = new TestAuthority(folder.dataDir);
    const certificate = (name: string): string => {
      const issued = authority.issue({ name });
      const both = [issued.certificate, issued.key].map((file) => readFileSync(file, 'utf8'));
      return fileWith(`${name}.pem`, both.join(''));
    };
    const tlsPort = await freePort();
    const [former, redis] = ['op_a-former-token-of-the-operator', await testRedis()];
    const env = {
      DATA_DIR: folder.dataDir,
      DATABASE_URL: connectionString,
      JOURNAL_URL: '',
      RATE_LIMITS: 'off',
      REDIS_URL: redis,
      COMMAND_DATABASE_URL_FILE: fileWith('command.url', urls.command),
      PROJECTOR_DATABASE_URL_FILE: fileWith('projector.url', urls.projector),
      READER_DATABASE_URL_FILE: fileWith('reader.url', urls.reader),
      PORTAL_DATABASE_URL_FILE: fileWith('portal.url', urls.portal),
      BACKTESTS_DATABASE_URL_FILE: fileWith('backtests.url', urls.backtests),
      OPERATOR_TOKENS_FILE: fileWith('tokens', `operator:${former}`),
      PORTAL_SECRET_FILE: fileWith('secret', 'a secret of the portal of forty characters'),
      FRONT_DOOR_CERTIFICATE: certificate('first'),
      TLS_PORT: String(tlsPort),
      PUBLIC_URL: `https://localhost:${tlsPort}`,
    };
    set = startServiceSet(env);
    const baseUrl = await set.ready();
    const client = await createCheckedClient(baseUrl);
    const desk = operatorClient(client, former);
    await desk.list('m');
    const apiKeys = [(await desk.open('Ann')).key, (await desk.open('Ben')).key];
    const load = startOrderLoad({ urls: () => [baseUrl], apiKeys, marketId: 'm', name: 'rotation' });
    await eventually('orders are answered', () => Promise.resolve(load.answered.size > 20));
    const rotate = async (...args: readonly string[]): Promise<string> => {
      const { code, stderr, stdout } = await runCommand(['rotate', ...args], env);
      expect(code, stderr).to.equal(0);
      return stdout.trim();
    };
    const operatorStatus = async (token: string): Promise<number> =>
      (await client.request('GET', '/api/operator/status', { key: token })).status;

    expect(await rotate('passwords')).to.equal('New passwords: command, projector, reader, portal, backtests.');
    expect(readFileSync(env.COMMAND_DATABASE_URL_FILE, 'utf8')).not.to.include(passwords.command);
    const token = await rotate('tokens', 'operator');
    for (const one of [former, token]) await eventually('both tokens', async () => (await operatorStatus(one)) === 200);
    expect(await rotate('tokens', 'operator', '--drop-old')).to.equal('Tokens dropped: 1.');
    await eventually('the former is refused', async () => (await operatorStatus(former)) === 401);
    expect(await rotate('portal-secret')).to.equal(
      'Keys encrypted with the new secret: 0. Keys that no secret opened: 0.',
    );

    const signUp = await byTls({ ca: readFileSync(authority.caFile, 'utf8'), port: tlsPort });
    expect(signUp.status, signUp.body).to.equal(201);
    expect(signUp.cookies).to.match(/^__Host-\S+=.*; Secure/m);
    expect(signUp.security).to.equal('max-age=31536000');
    const at = { host: '127.0.0.1', port: tlsPort };
    const firstCertificate = await servedFingerprint(at);
    expect(await rotate('certificates', certificate('second'))).to.match(/^The certificate is for .*localhost/);
    expect(await servedFingerprint(at)).not.to.equal(firstCertificate);

    const before = load.answered.size;
    await eventually('orders are answered', () => Promise.resolve(load.answered.size > before + 20));
    await load.stop();
    expect([...load.answered.values()].filter(({ status }) => status !== 200 && status !== 400)).to.deep.equal([]);
    expect(load.answered.size).to.equal(load.sent.size);
    await stopServiceSet(set);
  });
});

/** Signs a person up by TLS, as a page of the portal does. */
async function byTls({ ca, port }: { readonly ca: string; readonly port: number }) {
  const agent = new Agent({ ca });
  const headers = { origin: `https://localhost:${port}`, 'content-type': 'application/json' };
  const options = { agent, headers, host: 'localhost', method: 'POST', path: '/portal/sign-up', port };
  const password = 'correct horse battery staple';
  const asked = request({ ...options, family: 4 });
  asked.end(JSON.stringify({ signInName: 'ada', displayName: 'Ada', password, idempotencyKey: 'a-sign-up-by-tls' }));
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const { 'set-cookie': cookies = [], 'strict-transport-security': security } = answer.headers;
  return { status: answer.statusCode, cookies: cookies.join('\n'), security, body: await text(answer) };
}
