import { once } from 'node:events';
import { setTimeout as outageOf } from 'node:timers/promises';
import { sendApiRequest } from 'paper-trading-client';
import { openJournal } from '@paper/journal';
import type { Journal } from '@paper/journal';
import { eventually, longTest, testDatabase } from '@paper/testkit';
import type { TestDatabase } from '@paper/testkit';
import { prepareTrading } from '@paper/testkit/exchange';
import { createContenders, judgeFailover, startOrderLoad } from '@paper/testkit/failover';
import type { Contender, Contenders, OrderLoad } from '@paper/testkit/failover';
import { eventStoreAt, testEventStore } from '@paper/testkit/servers';
import { expect } from 'chai';

const TOKEN = 'operator-of-the-failover-test';
let shards = 0;

interface Reply {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly retryAfter: string | null;
}

/** Null where the connection gives no answer. */
async function ask(method: string, url: string, key: string, body?: unknown): Promise<Reply | null> {
  try {
    const {
      body: answer,
      headers,
      status,
    } = await sendApiRequest(url, { method, path: new URL(url).pathname, key, body });
    return { body: answer as Reply['body'], retryAfter: headers.get('retry-after'), status };
  } catch {
    return null;
  }
}

/**
 * One scenario: under constant load, leaders are ended in one way after the other, and a new standby is started each
 * time.
 */
function failover(kind: 'postgres' | 'eventstoredb'): void {
  let database: TestDatabase;
  let contenders: Contenders;
  let journal: Journal;
  let load: OrderLoad;
  let leader: Contender;
  let standby: Contender;
  let epochs: number;

  before(async () => {
    shards += 1;
    const shard = `failover-${process.pid}-${shards}`;
    database = await testDatabase();
    const eventStoreUrl = kind === 'eventstoredb' ? await testEventStore() : undefined;
    contenders = createContenders({
      DATABASE_URL: database.connectionString,
      JOURNAL_URL: eventStoreUrl ?? '',
      OPERATOR_TOKENS: `ops:${TOKEN}`,
      RATE_LIMITS: 'off',
      SHARD: shard,
    });
    journal = await openJournal({ databaseUrl: database.connectionString, eventStoreUrl, shard });
    await contenders.start();
    leader = await contenders.leader();
    const exchange = { baseUrl: leader.url, operatorToken: TOKEN };
    const apiKeys = await prepareTrading(exchange, { accounts: 4, markets: ['m'] });
    const urls = (): string[] => contenders.all.map(({ url }) => url);
    // The clients rest, since what matters is that orders are under way, not how many.
    load = startOrderLoad({ apiKeys, marketId: 'm', name: shard, restMs: 50, urls });
  });

  beforeEach(async () => {
    ({ leader, standby } = await contenders.settled());
    epochs = (await judgeFailover(journal, load)).epochs.length;
    await load.acknowledgedBy(leader.url);
  });

  // Each answered command is in the journal once, nothing else is, and the journal has as many epochs as there were
  // leaders.
  afterEach(async () => {
    const verdict = await judgeFailover(journal, load);
    expect(verdict.lost, 'lost').to.deep.equal([]);
    expect(verdict.duplicated, 'duplicated').to.deep.equal([]);
    expect(verdict.invented, 'invented').to.deep.equal([]);
    expect(verdict.epochs).to.deep.equal(Array.from({ length: epochs }, (_, n) => n + 1));
    expect([...load.answered.values()].filter(({ status }) => status !== 200)).to.deep.equal([]);
  });

  after(async () => {
    await load.stop();
    await contenders.stop();
    await journal.close();
    await database.close();
  });

  /** Waits until the standby leads and the former leader has ended. */
  const succeeded = async (): Promise<void> => {
    await contenders.remove(leader);
    leader = standby;
    epochs += 1;
  };

  it('a standby answers nothing but 503, with the reason on its port for operators', async () => {
    for (const [method, path, key] of [
      ['POST', '/api/orders', 'svc_live_of_nobody'],
      ['GET', '/api/operator/status', TOKEN],
      ['POST', '/api/operator/markets/m/pause', TOKEN],
    ] as const) {
      const reply = await ask(
        method,
        standby.url + path,
        key,
        method === 'POST' && path === '/api/orders' ? {} : undefined,
      );
      expect(reply, path).to.deep.include({ retryAfter: '1', status: 503 });
      expect(reply?.body['code']).to.equal('unavailable');
    }
    const ready = await fetch(`${standby.operationUrl}/health/ready`);
    expect(ready.status).to.equal(503);
    const { checks } = (await ready.json()) as { checks: Record<string, string> };
    expect(checks['command side']).to.match(new RegExp(`^standby at sequence \\d+: ${leader.url} leads$`));
    expect((await fetch(`${standby.operationUrl}/health/live`)).status).to.equal(200);
    const metrics = await (await fetch(`${standby.operationUrl}/metrics`)).text();
    expect(metrics)
      .to.match(/^command_leads 0$/m)
      .and.to.match(/^lease_held\{lease="writer:.*"\} 0$/m);
  });

  it('takes over from a leader that is killed', async () => {
    const taken = load.acknowledgedBy(standby.url);
    await leader.stop('SIGKILL');
    await taken;
    await succeeded();
  });

  it('takes over from a leader that stops in good order', async () => {
    const taken = load.acknowledgedBy(standby.url);
    expect(await leader.stop('SIGTERM')).to.equal(0);
    await taken;
    await succeeded();
  });

  it('takes over from a suspended leader, which answers nothing when resumed, and ends', async () => {
    const taken = load.acknowledgedBy(standby.url);
    leader.child.kill('SIGSTOP');
    await taken;
    // These requests wait in the frozen leader's socket. When it resumes, its keys, ticks and sequences are out of
    // date.
    const late = Promise.all([
      ...Array.from({ length: 5 }, () => ask('POST', `${leader.url}/api/orders`, 'svc_live_of_nobody', {})),
      ...Array.from({ length: 5 }, () => ask('GET', `${leader.url}/api/operator/status`, TOKEN)),
      ...Array.from({ length: 5 }, () => ask('POST', `${leader.url}/api/operator/markets/m/activate`, TOKEN)),
    ]);
    const ended = once(leader.child, 'exit');
    leader.child.kill('SIGCONT');
    for (const reply of await late) if (reply !== null) expect(reply.status).to.equal(503);
    expect(await ended).to.deep.equal([1, null]);
    expect(leader.output()).to.include('another writer has taken over');
    await succeeded();
  });

  it('takes over from a leader whose way to the database is cut, which ends when it comes back', async function () {
    longTest(this);
    const taken = load.acknowledgedBy(standby.url);
    leader.cut();
    await taken;
    const refused = await ask('GET', `${leader.url}/api/operator/status`, TOKEN);
    expect(refused?.status).to.equal(503);
    const ended = once(leader.child, 'exit');
    leader.mend();
    expect(await ended).to.deep.equal([1, null]);
    await succeeded();
  });

  it('takes over from a leader that does not reach the journal, though it could renew its lease for ever', async function () {
    longTest(this);
    const taken = load.acknowledgedBy(standby.url);
    const ended = once(leader.child, 'exit');
    leader.cutFromJournal();
    await taken;
    expect(await ended).to.deep.equal([1, null]);
    expect(leader.output())
      .to.include('stepping down: another process is healthy, so this one lets the lease expire')
      .and.to.include('the journal does not answer')
      .and.to.include('another writer has taken over');
    await succeeded();
  });

  // After 5.4 s a healthy leader stepped down and ended, though the journal was back a second later.
  it('keeps the same leader while no process reaches the journal for 6 s, and no process ends', async () => {
    for (const one of contenders.all) one.cutFromJournal();
    await eventually('the leader is unhealthy', () => leader.output().includes('this process is unhealthy'));
    await outageOf(6_000);
    const again = load.acknowledgedBy(leader.url);
    // The standby reaches it first.
    standby.mend();
    await contenders.standsBy(standby);
    leader.mend();
    await again;
    for (const { child } of contenders.all) expect([child.exitCode, child.signalCode]).to.deep.equal([null, null]);
    expect(leader.output()).not.to.include('stepping down');
  });

  it('keeps a leader that was cut from the database, where no other process has taken over', async () => {
    await contenders.remove(standby);
    leader.cut();
    let refused: Reply | null = null;
    while (refused?.status !== 503) refused = await ask('GET', `${leader.url}/api/operator/status`, TOKEN);
    // Frozen for this long that the lease has expired.
    while (!leader.output().includes('the lease was not renewed in time')) {
      await ask('GET', `${leader.url}/api/operator/status`, TOKEN);
    }
    const again = load.acknowledgedBy(leader.url);
    leader.mend();
    await again;
  });
}

describe('failover of the command API (postgres)', function () {
  this.timeout(60_000);
  failover('postgres');
});

describe('failover of the command API (eventstoredb)', function () {
  this.timeout(60_000);
  if (eventStoreAt().toShare) failover('eventstoredb');
  else it('needs an EventStoreDB: JOURNAL_URL, or eventstored on PATH');
});
