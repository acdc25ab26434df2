import { readFileSync } from 'node:fs';
import { withClient } from '@paper/runtime';
import { eventually } from '@paper/testkit';
import { describeServices, startServiceProcess, startServices } from '@paper/testkit/exchange';
import type { RunningServices, ServiceProcess } from '@paper/testkit/exchange';
import { createCheckedClient, operatorClient } from '@paper/testkit/http';
import type { CheckedClient } from '@paper/testkit/http';
import { expect } from 'chai';

interface Started {
  readonly id: string;
  readonly baseUrl: string;
  readonly participants: readonly { readonly apiKey?: string }[];
}
type Body = Readonly<Record<string, unknown>>;

const FIVE_SECONDS = { tape: 'made-news', to: '2026-01-05T15:00:05Z' };
const ORDER = { outcome: 'yes', side: 'buy', price: 0.9, quantity: 10 };

/** The processes that a process has started. */
const childrenOf = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

const lives = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
};

describeServices('backtests as a service behind the front door', 'postgres', function () {
  this.timeout(240_000);
  let set: RunningServices;
  let client: CheckedClient;
  let key = '';
  let again: ServiceProcess | null = null;

  before(async () => {
    const env = { BACKTESTS_MAX: '1', LOG_LEVEL: 'debug', ACCESS_LOG: 'on' };
    set = await startServices({ journal: 'postgres', asRoles: true, count: { backtests: 1 }, env });
    client = await createCheckedClient(set.baseUrl);
    const desk = operatorClient(client, set.operatorToken);
    await desk.list('live');
    ({ key } = await desk.open('Ada'));
    // The first listing waits for the first reading.
    await eventually('the tapes are read', async () => {
      return (await client.request('GET', '/api/tapes', { key })).status === 200;
    });
  });
  after(async () => {
    await again?.stop();
    await set.stop();
  });

  const start = (): Promise<Started> => client.ok<Started>('POST', '/api/backtests', { key, body: FIVE_SECONDS });
  const get = (id: string): Promise<Body> => client.ok<Body>('GET', `/api/backtests/${id}`, { key });
  const inside = async ({ baseUrl, participants }: Started, method: string, where: string, body?: unknown) => {
    const answer = await fetch(`${baseUrl.replace('localhost', '127.0.0.1')}${where}`, {
      method,
      headers: { 'x-api-key': participants[0]?.apiKey ?? '', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Body };
  };
  const trade = async (): Promise<void> => {
    const body = { ...ORDER, marketId: 'live', price: 0.1 };
    expect(await client.ok('POST', '/api/orders', { key, body })).to.include({ status: 'open' });
  };
  const databases = (): Promise<number | null> =>
    withClient({ connectionString: set.env['DATABASE_URL'] ?? '' }, async (connected) => {
      const { rowCount } = await connected.query(
        "select from pg_database join pg_roles on datdba = pg_roles.oid where rolname = 'paper_backtests'",
      );
      return rowCount;
    });

  it('plays one from its start to its report, as a role that sees nothing of the exchange', async () => {
    const started = await start();
    expect(started.baseUrl).to.match(new RegExp(`^${set.env['PUBLIC_URL']}/backtest/[\\w-]{22}$`));
    expect(await databases()).to.equal(1);
    const order = await inside(started, 'POST', '/api/orders', { ...ORDER, marketId: 'made-news' });
    expect([order.status, order.body['status']]).to.deep.equal([200, 'filled']);
    const stream = await fetch(`${started.baseUrl.replace('localhost', '127.0.0.1')}/api/stream?marketId=made-news`);
    expect(stream.headers.get('content-type')).to.include('text/event-stream');
    await stream.body?.cancel();
    await trade();
    const advanced = await inside(started, 'POST', '/api/clock/advance', { wake: [] });
    expect([advanced.status, advanced.body['ended']]).to.deep.equal([200, true]);
    await eventually('it has ended', async () => (await get(started.id))['state'] === 'ended');
    await eventually('the report is made', async () => {
      const { body, status } = await client.request('GET', `/api/backtests/${started.id}/report`, { key });
      if (status === 200) expect(body).to.include({ id: started.id, partial: false, reproducible: true });
      return status === 200;
    });
    expect((await client.request('GET', `/api/backtests/${started.id}/journal`, { key })).status).to.equal(200);
    // A key of the exchange is none there, and the other way round.
    const foreign = { ...started, participants: [{ apiKey: key }] };
    expect((await inside(foreign, 'GET', '/api/portfolio')).status).to.equal(401);
    const stranger = started.participants[0]?.apiKey ?? '';
    expect((await client.request('GET', '/api/backtests', { key: stranger })).status).to.equal(401);
    await client.ok('DELETE', `/api/backtests/${started.id}`, { key });
    expect(await databases()).to.equal(0);
    expect(set.output()).to.not.include(started.baseUrl.split('/').at(-1) ?? '');
  });

  it('is killed: the processes of its backtests are gone, live orders go on, and the next start knows', async () => {
    const { id } = await start();
    const service = set.of('backtests')[0]!;
    const children = childrenOf(service.child.pid ?? 0);
    expect(children).to.have.length(1);
    await service.stop('SIGKILL');
    await trade();
    await eventually('its processes are gone', () => !children.some(lives));
    const PORT = new URL(service.url ?? '').port;
    again = await startServiceProcess('backtests', {
      ...set.envOf('backtests'),
      ...{ PORT, METRICS_PORT: new URL(service.operationUrl).port },
    });
    await eventually('the front door finds it', async () => {
      return (await client.request('GET', '/api/backtests', { key })).status === 200;
    });
    expect(await get(id)).to.include({ state: 'failed', why: 'the service ended while it ran' });
    await eventually('its database is gone', async () => (await databases()) === 0);
    await trade();
    // The place that it had is free.
    const { id: next } = await start();
    await client.ok('DELETE', `/api/backtests/${next}`, { key });
  });
});
