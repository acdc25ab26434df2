import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { eventually, longTest, testDatabase } from '@paper/testkit';
import {
  builtProgram,
  describeServices,
  ROLE_PASSWORD,
  startServices,
  startStandalone,
  temporaryDataDir,
} from '@paper/testkit/exchange';
import { createCheckedClient, operatorClient } from '@paper/testkit/http';
import { createCuttableProxy } from '@paper/testkit/servers';
import type { CuttableProxy } from '@paper/testkit/servers';

/** A password with characters that must be encoded in a URL. */
const PASSWORD = 'p@ss/word:with?all#of%it';
const TOKEN = 'a-token-of-an-operator-0123456789';
const NAMES = ['command-api', 'portal', 'projector', 'query-api', 'stream-gateway', 'backtests'] as const;
const ORDER = { marketId: 'm', outcome: 'yes', price: 0.4, quantity: 1 };

/** A role's connection string with its password, which is new at every start and in no file. */
const ROLE_WITH_PASSWORD = /postgres(?:ql)?:\/\/paper_\w+:[^@]+@|"password":"/;

/** Every form of a secret: raw, in a URL, in a Basic header, in JSON. */
function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), bytes.toString('base64')];
}

function expectNoSecrets(said: string, secrets: readonly string[]): void {
  for (const secret of secrets) {
    for (const form of formsOf(secret)) expect(said.includes(form), `${form} in:\n${said}`).to.equal(false);
  }
}

/** Starts a service whose servers refuse its password, and checks that its output never contains the password. */
async function expectSilence(name: string, env: Readonly<Record<string, string>>): Promise<void> {
  const { args, cwd } = await builtProgram(`services/${name}/src/main`);
  const child = spawn(process.execPath, args, {
    cwd,
    env: { PATH: process.env['PATH'], PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await eventually('it complains or ends', () => said.includes('"level":"warn"') || child.exitCode !== null);
  child.kill('SIGKILL');
  expect(said, name).to.include('"level":"warn"');
  expectNoSecrets(said, [PASSWORD, TOKEN]);
}

/**
 * Uses keys and tokens in right and wrong ways. Gives every secret that came up, and every answer that must not contain
 * one.
 */
async function traffic(baseUrl: string, operator: string) {
  const client = await createCheckedClient(baseUrl);
  const asOperator = operatorClient(client, operator);
  await asOperator.list('m');
  const { key } = await asOperator.open('Ann');
  const other = await asOperator.open('Ben');
  const sub = await client.ok<{ apiKey: { id: string; rawKey: string } }>('POST', '/api/accounts/sub', {
    key,
    body: { displayName: 'Sub' },
  });
  const secrets = [operator, key, other.key, sub.apiKey.rawKey, `${operator}x`, `${key}x`];
  let answered = '';
  const ask = async (method: string, where: string, headers: Record<string, string>, body?: string): Promise<void> => {
    const answer = await fetch(baseUrl + where, { method, headers, ...(body === undefined ? {} : { body }) });
    answered += JSON.stringify([...answer.headers]) + (await answer.text());
  };
  const json = { 'content-type': 'application/json' };
  for (const shown of secrets) {
    const bearer = { authorization: `Bearer ${shown}` };
    await ask('POST', '/api/orders', { ...json, ...bearer }, JSON.stringify(ORDER));
    await ask('POST', '/api/orders', { ...json, ...bearer, 'idempotency-key': 'again' }, '{"marketId":');
    await ask('POST', '/api/orders', { ...json, 'x-api-key': shown, authorization: 'Bearer other' }, '{}');
    await ask('POST', '/api/operator/markets', { ...json, ...bearer }, '{"title":1}');
    await ask('GET', `/api/portfolio?key=${encodeURIComponent(shown)}`, { cookie: `session=${shown}` });
    await ask('GET', '/api/portfolio', bearer);
    await ask('GET', '/api/stream/account', { authorization: `Basic ${Buffer.from(shown).toString('base64')}` });
  }
  // Sends a raw key instead of its id.
  await ask('DELETE', `/api/accounts/keys/${sub.apiKey.rawKey}`, { authorization: `Bearer ${key}` });
  await client.ok('DELETE', `/api/accounts/keys/${sub.apiKey.id}`, { key });
  await ask('GET', '/api/positions', { authorization: `Bearer ${sub.apiKey.rawKey}` });
  for (const read of ['/api/journal', '/api/health', '/api/accounts/sub', '/api/markets/m/events']) {
    await ask('GET', read, { authorization: `Bearer ${key}` });
  }
  return { answered, key, secrets };
}

describe('secrets are in no log and in no answer', function () {
  this.timeout(120_000);

  it('of the standalone at its most talkative, also when its database dies', async () => {
    const service = await startStandalone({ env: { LOG_LEVEL: 'trace', OPERATOR_TOKENS: `olga:${TOKEN}` } });
    const { answered, key, secrets } = await traffic(service.baseUrl, TOKEN);
    const metrics = await (await fetch(service.metricsUrl)).text();
    const database = readFileSync(path.join(service.dataDir, 'postgres.json'), 'utf8');
    // Every password in the folder.
    const passwords = [...database.matchAll(/:\/\/[^:@/"]*:([^@"]+)@/g)].map(([, password = '']) => password);
    expect(passwords).not.to.have.length(0);

    const { pid } = JSON.parse(database) as { readonly pid?: number };
    const postmaster =
      pid ?? Number(readFileSync(path.join(service.dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
    process.kill(postmaster, 'SIGKILL');
    await fetch(`${service.baseUrl}/api/portfolio`, { headers: { authorization: `Bearer ${key}` } }).catch(() => null);
    await eventually('the database is started again', () => service.output().includes('the database can store again'));
    await service.stop();

    const said = service.output();
    expect(said).to.include('"level":"debug"').and.include('the database has ended, and is started again');
    expectNoSecrets(said + answered + metrics, [...secrets, ...passwords]);
    expect(said + answered + metrics).not.to.match(ROLE_WITH_PASSWORD);
  });
});

describeServices('secrets of services on their own are in no log and in no answer', 'postgres', function () {
  this.timeout(120_000);

  it('while their database is cut, and when it is there again', async function () {
    longTest(this);
    const made: CuttableProxy[] = [];
    const set = await startServices({
      journal: 'postgres',
      asRoles: true,
      env: { LOG_LEVEL: 'trace', OPERATOR_TOKENS: `olga:${TOKEN}` },
      via: async ({ DATABASE_URL }) => {
        const proxy = await createCuttableProxy(DATABASE_URL);
        made.push(proxy);
        return { DATABASE_URL: proxy.url };
      },
    });
    try {
      const { answered, key, secrets } = await traffic(set.baseUrl, TOKEN);
      made[0]?.cut();
      let told = '';
      await eventually('the portfolio is 503', async () => {
        const answer = await fetch(`${set.baseUrl}/api/portfolio`, { headers: { authorization: `Bearer ${key}` } });
        told += await answer.text();
        return answer.status === 503;
      });
      for (const { operationUrl } of set.services) {
        for (const where of ['/metrics', '/health/ready']) told += await (await fetch(operationUrl + where)).text();
      }
      made[0]?.mend();
      const password = decodeURIComponent(new URL(set.env['DATABASE_URL'] ?? '').password);
      const all = [...secrets, ROLE_PASSWORD, ...(password === '' ? [] : [password])];
      expectNoSecrets(set.output() + answered + told, all);
    } finally {
      await set.stop();
      await made[0]?.close();
    }
  });

  it('when no server lets them in', async function () {
    longTest(this);
    const database = await testDatabase();
    const wrong = new URL(database.connectionString);
    wrong.username = 'nobody-of-theirs';
    wrong.password = encodeURIComponent(PASSWORD);
    const encoded = encodeURIComponent(PASSWORD);
    const nowhere = '127.0.0.1:1';
    const folder = temporaryDataDir();
    const env = {
      LOG_LEVEL: 'trace',
      OPERATOR_TOKENS: `olga:${TOKEN}`,
      REDIS_URL: `redis://paper:${encoded}@${nowhere}`,
      API_URL: `http://${nowhere}`,
      PORTAL_TOKEN: TOKEN,
      PORTAL_SECRET: PASSWORD.padEnd(32, '.'),
      PUBLIC_URL: 'http://localhost:4000',
      BACKTESTS_DATABASE_URL: wrong.href,
      DATA_DIR: folder.dataDir,
    };
    const refused = { DATABASE_URL: wrong.href, JOURNAL_URL: `esdb://admin:${encoded}@${nowhere}?tls=false` };
    const gone = { DATABASE_URL: `postgresql://paper:${encoded}@${nowhere}/paper`, JOURNAL_URL: '' };
    for (const urls of [refused, gone]) {
      await Promise.all(NAMES.map((name) => expectSilence(name, { ...env, ...urls })));
    }
    folder.remove();
    await database.close();
  });
});
