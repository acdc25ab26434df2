import { existsSync, readdirSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import path from 'node:path';
import { runningPostgres } from '@paper/embedded-postgres';
import { withClient } from '@paper/runtime';
import { eventually } from '@paper/testkit';
import { startStandalone, temporaryDataDir } from '@paper/testkit/exchange';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { createCheckedClient } from '@paper/testkit/http';
import type { CheckedClient } from '@paper/testkit/http';
import { expect } from 'chai';

interface Started {
  readonly id: string;
  readonly baseUrl: string;
  readonly participants: readonly { readonly accountId: string; readonly apiKey?: string }[];
  readonly clock: string;
  readonly state: string;
}
interface Listed {
  readonly id: string;
  readonly state: string;
  readonly clock: string | null;
  readonly why: string | null;
  readonly eventsDone: number;
  readonly events: number;
}

const FIVE_SECONDS = { tape: 'made-news', to: '2026-01-05T15:00:05Z' };

describe('backtests, from their start to their report', function () {
  this.timeout(240_000);
  const folder = temporaryDataDir();
  const { dataDir } = folder;
  let service: RunningStandalone;
  let client: CheckedClient;
  let [key, other] = ['', ''];

  const startService = async (): Promise<void> => {
    service = await startStandalone({ dataDir, env: { BACKTESTS_MAX: '2', LOG_LEVEL: 'debug', ACCESS_LOG: 'on' } });
    client = await createCheckedClient(service.baseUrl);
  };
  const openAccount = async (displayName: string): Promise<string> => {
    const opened = await client.ok<{ apiKey: { rawKey: string } }>('POST', '/api/operator/accounts', {
      key: service.operatorToken,
      body: { displayName },
    });
    return opened.apiKey.rawKey;
  };
  before(async () => {
    await startService();
    [key, other] = [await openAccount('Ada'), await openAccount('Bob')];
    // The first listing waits for the first reading.
    await eventually('the tapes are read', async () => {
      return (await client.request('GET', '/api/tapes', { key })).status === 200;
    });
  });
  after(async () => {
    await service.stop();
    folder.remove();
  });

  const start = (body: object, as = key, headers = {}): Promise<Started> =>
    client.ok<Started>('POST', '/api/backtests', { key: as, body, headers });
  const refusal = async (...asked: Parameters<CheckedClient['request']>) => {
    const { body, status } = await client.request(...asked);
    return { status, code: (body as { readonly code?: string }).code };
  };
  const get = (id: string): Promise<Listed> => client.ok<Listed>('GET', `/api/backtests/${id}`, { key });
  const end = (id: string, as = key): Promise<unknown> => client.ok('DELETE', `/api/backtests/${id}`, { key: as });
  const inside = async (started: Started, method: string, where: string, body?: unknown) => {
    const base = started.baseUrl.replace('localhost', '127.0.0.1');
    const answer = await fetch(`${base}${where}`, {
      method,
      headers: {
        'x-api-key': started.participants[0]?.apiKey ?? '',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> };
  };
  const query = <Row extends object>(text: string): Promise<readonly Row[]> =>
    withClient({ connectionString: runningPostgres(dataDir) ?? '' }, async (connected) => {
      const { rows } = await connected.query<Row>(text);
      return rows;
    });
  const databases = async (): Promise<number> =>
    (await query("select from pg_database where datname like 'backtest%'")).length;

  it('plays a tape to its end, and reports', async () => {
    const started = await start({ ...FIVE_SECONDS, fee: 0.07 });
    expect(started.state).to.equal('running');
    expect(started.baseUrl).to.match(new RegExp(`^${service.publicUrl}/backtest/[\\w-]{22}$`));
    expect((await inside(started, 'GET', '/api/clock')).body).to.include({ now: started.clock, ended: false });
    expect(await refusal('GET', `/api/backtests/${started.id}/report`, { key })).to.include({
      status: 400,
      code: 'backtest_not_ended',
    });
    expect((await get(started.id)).eventsDone, 'the events of its first moment').to.equal(10);
    for (const where of ['', '/', '/docs', '/api?page=1']) {
      const elsewhere = await inside(started, 'GET', where);
      expect([elsewhere.status, elsewhere.body['code'], elsewhere.headers.get('x-time')], where).to.deep.equal([
        404,
        'not_found',
        started.clock,
      ]);
    }
    const order = { marketId: 'made-news', outcome: 'yes', side: 'buy', price: 0.9, quantity: 10 };
    const placed = await inside(started, 'POST', '/api/orders', order);
    expect([placed.status, placed.body['status']]).to.deep.equal([200, 'filled']);
    expect(placed.headers.get('x-time')).to.equal(started.clock);
    expect(placed.headers.get('referrer-policy')).to.equal('no-referrer');
    const stream = await fetch(`${started.baseUrl.replace('localhost', '127.0.0.1')}/api/stream?marketId=made-news`);
    expect(stream.headers.get('content-type')).to.include('text/event-stream');
    await stream.body?.cancel();
    const until = new Date(Date.parse(started.clock) + 1_000).toISOString();
    await inside(started, 'POST', '/api/clock/advance', { until, wake: [] });
    expect((await get(started.id)).clock, 'its clock, right after an advance').to.equal(until);
    await inside(started, 'POST', '/api/clock/advance', { wake: [] });
    await eventually('it has ended', async () => (await get(started.id)).state === 'ended');
    expect((await inside(started, 'POST', '/api/orders', order)).body['code']).to.equal('backtest_ended');

    let report: Record<string, unknown> = {};
    await eventually('the report is made', async () => {
      const answer = await client.request('GET', `/api/backtests/${started.id}/report`, { key });
      report = answer.body as typeof report;
      expect(answer.status, JSON.stringify(report)).to.be.oneOf([200, 503]);
      return answer.status === 200;
    });
    expect(report).to.include({ id: started.id, partial: false, reproducible: true });
    const [participant] = report['participants'] as { accountId: string; fills: { quantity: number }[] }[];
    expect(participant?.accountId).to.equal(started.participants[0]?.accountId);
    expect(participant?.fills.reduce((sum, { quantity }) => sum + quantity, 0)).to.equal(10);

    const lines: { seq: number; hash: string }[] = [];
    for (let next: string | null = `/api/backtests/${started.id}/journal?limit=50`; next !== null;) {
      const page = await fetch(`${service.baseUrl}${next}`, { headers: { 'x-api-key': key } });
      const text = (await page.text()).trimEnd();
      if (text !== '') lines.push(...text.split('\n').map((line) => JSON.parse(line) as (typeof lines)[number]));
      next = /<(.*)>/.exec(page.headers.get('link') ?? '')?.[1] ?? null;
    }
    expect(lines.map(({ seq }) => seq)).to.deep.equal(lines.map((_, index) => index + 1));
    expect(report['journal']).to.deep.equal({ seq: lines.length, hash: lines.at(-1)?.hash });

    await end(started.id);
    expect(await refusal('GET', `/api/backtests/${started.id}`, { key })).to.include({
      status: 404,
      code: 'backtest_not_found',
    });
    expect((await inside(started, 'GET', '/api/clock')).status).to.equal(404);
    expect(existsSync(path.join(dataDir, 'backtests', started.id))).to.equal(false);
    expect(await databases()).to.equal(0);
    // The random part of the base URL is a secret.
    expect(service.output()).to.not.include(started.baseUrl.split('/').at(-1) ?? '');
  });

  it('lets everything else have the processor before what the database does for it', async () => {
    const { id } = await start(FIVE_SECONDS);
    const backends = await query<{ pid: number; isIts: boolean }>(
      `select pid, datname like 'backtest%' as "isIts" from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    );
    const priorities = (isIts: boolean) =>
      new Set(backends.filter((one) => one.isIts === isIts).map(({ pid }) => getPriority(pid)));
    expect([...priorities(true)]).to.deep.equal([constants.priority.PRIORITY_LOW]);
    expect([...priorities(false)]).to.include(getPriority());
    await end(id);
    // To be deleted while it runs is no failure.
    expect(service.output()).to.not.include('a backtest failed');
  });

  it('shows keys once, and starts one backtest for one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await start(FIVE_SECONDS, key, headers);
    const again = await start(FIVE_SECONDS, key, headers);
    expect(first.participants[0]?.apiKey).to.match(/^svc_live_/);
    const [{ apiKey: _key, ...participant } = { accountId: '' }] = first.participants;
    expect(again).to.deep.equal({ ...first, participants: [participant] });
    const conflict = await refusal('POST', '/api/backtests', { key, headers, body: { tape: 'made-news' } });
    expect(conflict).to.include({ status: 400, code: 'idempotency_conflict' });
    await end(first.id);
  });

  it('refuses tapes that are not there, and times beside the tape', async () => {
    const refused = (body: object) => refusal('POST', '/api/backtests', { key, body });
    expect(await refused({ tape: '../etc' })).to.include({ status: 400, code: 'tape_not_found' });
    expect(await refused({ tape: 'made-news', from: '2027-01-01T00:00:00Z' })).to.include({
      status: 400,
      code: 'validation_failed',
    });
    expect(await refused({ tape: 'made-news', startingBalance: 100.00005 })).to.include({
      status: 400,
      code: 'validation_failed',
    });
  });

  it('runs so many at once, half of them of a fleet where others run, and shows each fleet its own', async () => {
    const [mine, another] = [await start(FIVE_SECONDS), await start(FIVE_SECONDS, other)];
    const more = await refusal('POST', '/api/backtests', { key, body: FIVE_SECONDS });
    expect(more).to.include({ status: 400, code: 'backtest_limit' });
    const { backtests } = await client.ok<{ backtests: Listed[] }>('GET', '/api/backtests', { key });
    expect(backtests.map(({ id }) => id)).to.deep.equal([mine.id]);
    expect(await refusal('DELETE', `/api/backtests/${another.id}`, { key })).to.include({
      code: 'backtest_not_found',
    });
    await Promise.all([end(mine.id), end(another.id, other)]);
  });

  it('a killed service finds its backtests failed, and leaves no database of theirs', async () => {
    const { id } = await start(FIVE_SECONDS);
    await service.stop('SIGKILL');
    await startService();
    expect(await get(id)).to.include({ state: 'failed', why: 'the service ended while it ran' });
    await eventually('its database is gone', async () => (await databases()) === 0);
    expect(await refusal('GET', `/api/backtests/${id}/report`, { key })).to.include({
      code: 'backtest_not_ended',
    });
    await end(id);
    expect(readdirSync(path.join(dataDir, 'backtests')).filter((name) => !name.endsWith('.json'))).to.deep.equal([]);
  });
});
