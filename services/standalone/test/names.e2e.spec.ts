import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, isLongSuiteLeftOut } from '@paper/testkit';
import {
  builtProgram,
  describeServices,
  startServices,
  startStandalone,
  temporaryDataDir,
} from '@paper/testkit/exchange';
import type { RunningServices, RunningStandalone, ServiceProcess } from '@paper/testkit/exchange';
import { expect } from 'chai';
import pg from 'pg';

/** An account whose opening was acknowledged. */
interface Opened {
  readonly id: string;
  readonly name: string;
  readonly key: string;
}

interface OpeningBody {
  readonly account: { readonly id: string };
  readonly apiKey: { readonly rawKey: string };
}

interface SubAccountBody {
  readonly subAccount: { readonly id: string };
  readonly apiKey: { readonly rawKey: string };
}

interface BatchBody {
  readonly results: readonly ({ readonly ok: true; readonly result: OpeningBody } | { readonly ok: false })[];
}

const openedAs = (name: string, { account, apiKey }: OpeningBody): Opened => ({
  id: account.id,
  key: apiKey.rawKey,
  name,
});

/** Opens accounts until it is stopped: singly, in batches and as sub-accounts. */
class Openings {
  readonly acknowledged: Opened[] = [];
  private stopped = true;
  private count = 0;
  private loops: readonly Promise<void>[] = [];

  constructor(
    private readonly baseUrl: () => string,
    private readonly operatorToken: string,
  ) {
    this.start();
  }

  start(): void {
    this.stopped = false;
    const kinds = [this.openOne, this.openOne, this.openBatch, this.openBatch, this.openSub, this.openSub];
    this.loops = kinds.map((open) => this.loop(open));
  }

  /** Resolves when this many more accounts were opened. */
  async more(accounts: number): Promise<void> {
    const due = this.acknowledged.length + accounts;
    await eventually(`${accounts} more accounts are opened`, () => this.acknowledged.length >= due);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.loops);
  }

  private async loop(open: () => Promise<void>): Promise<void> {
    while (!this.stopped) await open();
  }

  private nextName(): string {
    this.count += 1;
    return `Näme ${this.count}`;
  }

  private readonly openOne = async (): Promise<void> => {
    const name = this.nextName();
    const body = await this.post<OpeningBody>('/api/operator/accounts', this.operatorToken, { displayName: name });
    if (body !== null) this.acknowledged.push(openedAs(name, body));
  };

  private readonly openBatch = async (): Promise<void> => {
    const names = [this.nextName(), this.nextName(), this.nextName()];
    const commands = names.map((displayName) => ({ displayName, op: 'open-account' }));
    const body = await this.post<BatchBody>('/api/operator/batch', this.operatorToken, { commands });
    for (const [index, item] of (body?.results ?? []).entries()) {
      if (item.ok) this.acknowledged.push(openedAs(names[index] ?? '', item.result));
    }
  };

  private readonly openSub = async (): Promise<void> => {
    const name = this.nextName();
    const [primary] = this.acknowledged;
    const sub = { displayName: name, permissions: ['view'] };
    const body = primary && (await this.post<SubAccountBody>('/api/accounts/sub', primary.key, sub));
    if (body === null || body === undefined) await this.openOne();
    else this.acknowledged.push({ id: body.subAccount.id, key: body.apiKey.rawKey, name });
  };

  /** Null without an answer of status 200. */
  private async post<T>(url: string, key: string, body: unknown): Promise<T | null> {
    try {
      const answer = await fetch(this.baseUrl() + url, {
        body: JSON.stringify(body),
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        method: 'POST',
      });
      const json = (await answer.json()) as T;
      if (answer.status === 200) return json;
    } catch {
      // No process listens, or it ended before its answer.
    }
    // While no process leads, clients without a pause would take the processor that the next leader starts with.
    await sleep(20);
    return null;
  }
}

/** The display name that the account sees of itself; null while reads are not served. */
async function shownName(baseUrl: string, key: string): Promise<string | null> {
  try {
    const answer = await fetch(`${baseUrl}/api/portfolio`, { headers: { authorization: `Bearer ${key}` } });
    const { summary } = (await answer.json()) as { readonly summary?: { readonly displayName: string } };
    return answer.status === 200 ? (summary?.displayName ?? null) : null;
  } catch {
    return null;
  }
}

async function expectShown(baseUrl: string, accounts: readonly Opened[]): Promise<void> {
  for (const { key, name } of accounts) {
    let shown: string | null = null;
    await eventually('a portfolio is served', async () => (shown = await shownName(baseUrl, key)) !== null);
    expect(shown).to.equal(name);
  }
}

/** Each acknowledged name is in the table, settled or about to be. */
async function expectStored(connectionString: string, accounts: readonly Opened[]): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<{ id: string; name: string }>(
    'select account_id as id, name from coordination.names where account_id = any($1) order by account_id',
    [accounts.map(({ id }) => id)],
  );
  await client.end();
  const due = accounts.map(({ id, name }) => ({ id, name })).sort((a, b) => (a.id < b.id ? -1 : 1));
  expect(rows).to.deep.equal(due);
}

/** Opens an account with a sub-account, closes and forgets both: their names are gone from the table. */
async function expectForgotten({ baseUrl, operatorToken }: RunningStandalone, connectionString: string): Promise<void> {
  const post = async <T>(url: string, key: string, body?: unknown): Promise<T> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(baseUrl + url, { ...sent, headers, method: 'POST' });
    expect(answer.status, url).to.equal(200);
    return (await answer.json()) as T;
  };
  const opened = await post<OpeningBody>('/api/operator/accounts', operatorToken, { displayName: 'Gone soon' });
  const sub = await post<SubAccountBody>('/api/accounts/sub', opened.apiKey.rawKey, { displayName: 'Gone too' });
  const { id } = opened.account;
  await post(`/api/operator/accounts/${id}/close`, operatorToken);
  const forgotten = await post<{ account: { displayName: string } }>(
    `/api/operator/accounts/${id}/forget`,
    operatorToken,
  );
  expect(forgotten.account.displayName).to.equal(`Trader ${id.slice(-6)}`);
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query('select name from coordination.names where account_id = any($1)', [
    [id, sub.subAccount.id],
  ]);
  await client.end();
  expect(rows).to.deep.equal([]);
}

/** `npm run audit -- verify`: each account has its name, and each settled name its account. */
async function audit(
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly said: string }> {
  const program = await builtProgram('packages/operations/operator-cli/src/programs/audit');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...program.args, 'verify'], {
      cwd: program.cwd,
      env: { ...process.env, ...env },
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, said }));
  });
}

describeServices('display names over a kill −9 of the leader and a failover', 'postgres', function () {
  if (isLongSuiteLeftOut()) return;
  this.timeout(180_000);
  let set: RunningServices;
  let openings: Openings;
  before(async () => {
    set = await startServices({ asRoles: true, count: { 'command-api': 2 }, journal: 'postgres' });
  });
  after(async () => {
    await openings.stop();
    await set.stop('SIGKILL');
  });

  const leads = async ({ operationUrl }: ServiceProcess): Promise<boolean> =>
    (await fetch(`${operationUrl}/health/ready`)).status === 200;

  it('are shown as before, and no account that was acknowledged is without its name', async () => {
    openings = new Openings(() => set.baseUrl, set.operatorToken);
    await openings.more(30);
    await openings.stop();
    const before = openings.acknowledged.slice(-15);
    await expectShown(set.baseUrl, before);
    openings.start();
    await openings.more(30);
    const [one, other] = set.of('command-api');
    if (one === undefined || other === undefined) throw new Error('there are not two');
    await ((await leads(one)) ? one : other).stop('SIGKILL');
    await openings.more(60);
    await openings.stop();
    await expectShown(set.baseUrl, [...before, ...openings.acknowledged.slice(-15)]);
    const databaseUrl = set.env['DATABASE_URL'] ?? '';
    await expectStored(databaseUrl, openings.acknowledged);
    const { code, said } = await audit({ DATABASE_URL: databaseUrl, JOURNAL_URL: '', SHARD: set.env['SHARD'] ?? '' });
    expect(said).to.match(/Display names: of \d+ accounts compared\./);
    expect(code, said).to.equal(0);
  });
});

describe('display names over a kill −9 of the standalone', function () {
  this.timeout(180_000);
  const folder = temporaryDataDir();
  let running: RunningStandalone;
  let openings: Openings;
  after(async () => {
    await openings.stop();
    await running.stop('SIGKILL');
    folder.remove();
  });

  it('are shown as before, and no account that was acknowledged is without its name', async () => {
    const { dataDir } = folder;
    running = await startStandalone({ dataDir });
    openings = new Openings(() => running.baseUrl, running.operatorToken);
    await openings.more(30);
    await openings.stop();
    const before = openings.acknowledged.slice(-15);
    await expectShown(running.baseUrl, before);
    openings.start();
    await openings.more(30);
    await running.stop('SIGKILL');
    running = await startStandalone({ dataDir });
    await openings.more(60);
    await openings.stop();
    await expectShown(running.baseUrl, [...before, ...openings.acknowledged.slice(-15)]);
    const { connectionString } = JSON.parse(readFileSync(path.join(dataDir, 'postgres.json'), 'utf8')) as {
      readonly connectionString: string;
    };
    await expectStored(connectionString, openings.acknowledged);
    await expectForgotten(running, connectionString);
    const { code, said } = await audit({ DATABASE_URL: '', DATA_DIR: dataDir, JOURNAL_URL: '' });
    expect(said).to.match(/Display names: of \d+ accounts compared\./);
    expect(code, said).to.equal(0);
  });
});
