import { expect } from 'chai';
import { eventually, testDatabase } from '@paper/testkit';
import type { TestDatabase } from '@paper/testkit';
import { describeServices, startServiceProcess, startServices } from '@paper/testkit/exchange';
import type { RunningServices, ServiceProcess } from '@paper/testkit/exchange';
import { createCheckedClient, eventBlocks, operatorClient } from '@paper/testkit/http';
import { createCuttableProxy, hasEnded } from '@paper/testkit/servers';
import type { CuttableProxy } from '@paper/testkit/servers';

const ORDER = { marketId: 'm', outcome: 'yes', price: 0.4, quantity: 1 };

/** What a client sees of an answer: the status, the code of an error, and whether there is a Retry-After. */
interface Seen {
  readonly status: number;
  readonly code: string | undefined;
  readonly retryAfter: boolean;
}

const UNAVAILABLE: Seen = { status: 503, code: 'unavailable', retryAfter: true };

/** The JSON of an answer; an empty object of a stream, which would not end. */
async function bodyOf(answer: Response): Promise<{ readonly code?: string }> {
  if (answer.headers.get('content-type')?.startsWith('application/json') === true) {
    return (await answer.json()) as { readonly code?: string };
  }
  await answer.body?.cancel();
  return {};
}

async function ask(url: string, key?: string, body?: object): Promise<Seen> {
  const answer = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { code } = await bodyOf(answer);
  return { status: answer.status, code, retryAfter: answer.headers.has('retry-after') };
}

/** For a connection that was closed before the answer; rethrows any other failure. */
function closedWithoutAnswer(error: unknown): 'closed' {
  if (error instanceof TypeError && String(error.cause).includes('other side closed')) return 'closed';
  throw error;
}

const health = async (baseUrl: string): Promise<Record<string, unknown>> =>
  (await (await fetch(`${baseUrl}/api/health`)).json()) as Record<string, unknown>;

async function readiness(service: ServiceProcess): Promise<{ status: number; checks: Record<string, string> }> {
  const answer = await fetch(`${service.operationUrl}/health/ready`);
  const { checks } = (await answer.json()) as { readonly checks: Record<string, string> };
  return { status: answer.status, checks };
}

/** Repeats the request until it is answered as expected, or until mocha's time limit. */
const becomes = (expected: Seen, url: string, key?: string, body?: object): Promise<void> =>
  eventually(
    `${url} answers ${JSON.stringify(expected)}`,
    async () => JSON.stringify(await ask(url, key, body)) === JSON.stringify(expected),
  );

const endedOf = (set: RunningServices): string[] =>
  set.services.filter(({ child }) => hasEnded(child)).map(({ name }) => name);

type Server = 'DATABASE_URL' | 'REDIS_URL' | 'JOURNAL_URL';

/**
 * A set of services with these servers behind a proxy each, a market, and an account that trades there.
 * @param away the servers that are away when the services start
 */
async function startCuttable<S extends Server>(
  journal: 'postgres' | 'eventstoredb',
  servers: readonly S[],
  away: readonly S[] = [],
) {
  const made = new Map<S, CuttableProxy>();
  const set = await startServices({
    journal,
    async via(at) {
      for (const server of servers) made.set(server, await createCuttableProxy(at[server]));
      for (const server of away) made.get(server)?.cut();
      return Object.fromEntries([...made].map(([server, { url }]) => [server, url]));
    },
  });
  const proxies = Object.fromEntries(made) as Record<S, CuttableProxy>;
  const asOperator = operatorClient(await createCheckedClient(set.baseUrl), set.operatorToken);
  await asOperator.list('m');
  const { key } = await asOperator.open('Ann');
  const stop = async (): Promise<void> => {
    // The stop must not wait for a server that is away.
    for (const proxy of made.values()) proxy.mend();
    await set.stop('SIGKILL');
    for (const proxy of made.values()) await proxy.close();
  };
  return { set, proxies, key, stop };
}

describeServices('services', 'postgres', function () {
  this.timeout(120_000);
  let running: Awaited<ReturnType<typeof startCuttable<'DATABASE_URL' | 'REDIS_URL'>>>;

  // Redis is away when they start. One set for all tests, since each leaves it as it was before the outage.
  before(async () => (running = await startCuttable('postgres', ['DATABASE_URL', 'REDIS_URL'], ['REDIS_URL'])));
  // Where a test fails, the next one begins with all servers there too.
  afterEach(() => {
    for (const proxy of Object.values(running.proxies)) proxy.mend();
  });
  after(() => running.stop());

  it('whose Redis goes away send watchers pulses all the time, and return to its pulses by themselves', async () => {
    const { set, proxies, key } = running;
    const redis = proxies.REDIS_URL;
    const watcher = eventBlocks(await fetch(`${set.baseUrl}/api/stream`));
    const pulses = async (count: number): Promise<void> => {
      for (let n = 0; n < count; n += 1) expect(await watcher.next()).to.match(/^id: \d+\ndata: \{/m);
    };
    const [gateway] = set.of('stream-gateway');
    const fromChannel = async (): Promise<number> => {
      const text = await (await fetch(`${gateway?.operationUrl ?? ''}/metrics`)).text();
      return Number(/^paper_stream_pulses_total\{maker="channel"\} (\d+)$/m.exec(text)?.[1] ?? 0);
    };
    await pulses(3);
    expect(await fromChannel()).to.equal(0);
    redis.mend();
    await eventually('a pulse from the channel', async () => (await fromChannel()) > 0);
    redis.cut();
    await pulses(5);
    expect(await ask(`${set.baseUrl}/api/markets`)).to.include({ status: 200 });
    expect(await ask(`${set.baseUrl}/api/portfolio`, key)).to.include({ status: 200 });
    expect(await ask(`${set.baseUrl}/api/orders`, key, ORDER)).to.include({ status: 200 });
    await eventually('health is ok', async () => (await health(set.baseUrl))['status'] === 'ok');
    expect(endedOf(set)).to.deep.equal([]);
    await watcher.leave();
  });

  it('whose Postgres goes away answer 503 to all, and recover by themselves when it is back', async () => {
    const { set, proxies, key } = running;
    const postgres = proxies.DATABASE_URL;
    postgres.cut();
    await becomes(UNAVAILABLE, `${set.baseUrl}/api/markets`);
    await becomes(UNAVAILABLE, `${set.baseUrl}/api/portfolio`, key);
    await becomes(UNAVAILABLE, `${set.baseUrl}/api/orders`, key, ORDER);
    await becomes(UNAVAILABLE, `${set.baseUrl}/api/stream?marketId=m`);
    expect(await health(set.baseUrl)).to.include({ status: 'degraded', database: 'down' });
    for (const service of set.services) {
      await eventually(`${service.name} is not ready`, async () => (await readiness(service)).status === 503);
      const reasons = Object.values((await readiness(service)).checks).filter((reason) => reason !== 'ok');
      expect(reasons, service.name).not.to.deep.equal([]);
    }
    postgres.mend();
    await becomes({ status: 200, code: undefined, retryAfter: false }, `${set.baseUrl}/api/orders`, key, ORDER);
    await eventually('health is ok', async () => (await health(set.baseUrl))['status'] === 'ok');
    expect(await ask(`${set.baseUrl}/api/portfolio`, key)).to.include({ status: 200 });
    expect(endedOf(set)).to.deep.equal([]);
  });

  it('whose command API hangs answer 503 to its clients, while it still counts as the leader', async function () {
    // Shorter than the minute for which streams and reads are waited for.
    this.timeout(45_000);
    const { set } = running;
    const [leader] = set.of('command-api');
    leader?.child.kill('SIGSTOP');
    // The front door closes the client's connection without an answer where it had already used its own connection to
    // the leader.
    const seen = await ask(`${set.baseUrl}/api/orders`, 'svc_live_nobody', ORDER).catch(closedWithoutAnswer);
    if (seen !== 'closed') expect(seen).to.deep.equal(UNAVAILABLE);
    leader?.child.kill('SIGCONT');
    await becomes(
      { status: 401, code: 'not_authenticated', retryAfter: false },
      `${set.baseUrl}/api/orders`,
      'x',
      ORDER,
    );
  });
});

describeServices('services that start before their Postgres', 'postgres', function () {
  this.timeout(120_000);
  const started: ServiceProcess[] = [];
  let database: TestDatabase;
  let proxy: CuttableProxy;

  before(async () => {
    database = await testDatabase();
    proxy = await createCuttableProxy(database.connectionString);
    proxy.cut();
    // Redis is missing too.
    const env = { DATABASE_URL: proxy.url, JOURNAL_URL: '', REDIS_URL: 'redis://127.0.0.1:1' };
    const names = ['projector', 'query-api', 'stream-gateway'] as const;
    started.push(...(await Promise.all(names.map((name) => startServiceProcess(name, env)))));
  });
  after(async () => {
    await Promise.all(started.map((service) => service.stop('SIGKILL')));
    await proxy.close();
    await database.close();
  });

  it('answer what they can, are not ready, and become so by themselves', async () => {
    const [, queryApi, gateway] = started;
    for (const service of started) expect((await readiness(service)).status, service.name).to.equal(503);
    expect(await ask(`${queryApi?.url ?? ''}/api/markets`)).to.deep.equal(UNAVAILABLE);
    expect(await ask(`${gateway?.url ?? ''}/api/stream`)).to.deep.equal(UNAVAILABLE);
    expect(await health(queryApi?.url ?? '')).to.include({ status: 'degraded', database: 'down' });
    expect((await fetch(`${queryApi?.url ?? ''}/api/openapi`)).status).to.equal(200);
    proxy.mend();
    for (const service of started) {
      await eventually(`${service.name} is ready`, async () => (await readiness(service)).status === 200);
    }
    expect(await ask(`${queryApi?.url ?? ''}/api/markets`)).to.include({ status: 200 });
  });
});

describeServices('services whose EventStoreDB goes away', 'eventstoredb', function () {
  this.timeout(120_000);
  let running: Awaited<ReturnType<typeof startCuttable<'JOURNAL_URL'>>>;

  before(async () => (running = await startCuttable('eventstoredb', ['JOURNAL_URL'])));
  after(() => running.stop());

  it('keep serving public reads, refuse commands and fresh reads, and recover by themselves', async () => {
    const { set, proxies, key } = running;
    const proxy = proxies.JOURNAL_URL;
    expect(await ask(`${set.baseUrl}/api/orders`, key, ORDER)).to.include({ status: 200 });
    proxy.cut();
    await becomes(UNAVAILABLE, `${set.baseUrl}/api/portfolio`, key);
    await becomes(UNAVAILABLE, `${set.baseUrl}/api/orders`, key, ORDER);
    await becomes(
      { status: 200, code: undefined, retryAfter: false },
      `${set.baseUrl}/api/operator/status`,
      set.operatorToken,
    );
    expect(await ask(`${set.baseUrl}/api/portfolio`, 'svc_live_nobody')).to.deep.equal(UNAVAILABLE);
    expect(await ask(`${set.baseUrl}/api/markets`)).to.include({ status: 200 });
    await eventually('health is degraded', async () => (await health(set.baseUrl))['status'] === 'degraded');
    expect(await health(set.baseUrl)).to.include({ database: 'ok' });
    proxy.mend();
    await becomes({ status: 200, code: undefined, retryAfter: false }, `${set.baseUrl}/api/orders`, key, ORDER);
    await becomes({ status: 200, code: undefined, retryAfter: false }, `${set.baseUrl}/api/portfolio`, key);
    await eventually('health is ok', async () => (await health(set.baseUrl))['status'] === 'ok');
    expect(endedOf(set)).to.deep.equal([]);
  });
});
