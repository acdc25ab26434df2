import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createPostgresJournal } from '@paper/journal';
import { rebuilding } from '@paper/read-models';
import { freePort } from '@paper/runtime';
import { eventually, SimulatedJournal, testDatabase } from '@paper/testkit';
import type { TestDatabase } from '@paper/testkit';
import { startStandalone, temporaryDataDir } from '@paper/testkit/exchange';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { expect } from 'chai';
import pg from 'pg';

interface Seen {
  readonly status: number;
  readonly retryAfter: boolean;
  readonly body: unknown;
}

async function see(url: string, init: RequestInit = {}): Promise<Seen> {
  const answer = await fetch(url, init);
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
  const body: unknown = isJson ? JSON.parse(text) : text;
  return { status: answer.status, retryAfter: answer.headers.has('retry-after'), body };
}

describe('the first fill of the read models', function () {
  this.timeout(120_000);
  const folder = temporaryDataDir();
  const { dataDir } = folder;
  let database: TestDatabase;
  let holder: pg.Client;
  let starting: Promise<RunningStandalone>;
  let isReady = false;
  let head = 0;
  let [apiUrl, metricsUrl] = ['', ''];

  /** Leaves a part of the fill, as a process that was stopped in the midst of it, and holds up the rest of it. */
  const holdUp = async (): Promise<void> => {
    const { connectionString } = database;
    const journal = await createPostgresJournal({ connectionString });
    const simulated = new SimulatedJournal({ seed: 9 }, journal);
    await simulated.run(2_000);
    head = simulated.head.seq;
    const stopping = new AbortController();
    const onProgress = ({ seq }: { readonly seq: number }): void => {
      if (seq > 0) stopping.abort();
    };
    const { signal } = stopping;
    await rebuilding.rebuild({ connectionString, journal, batchSize: 300, onProgress, signal }).catch(() => undefined);
    await journal.close();
    const [filling] = (await rebuilding.rebuildStatus(connectionString)).schemas;
    expect(filling?.status).to.equal('filling');
    holder = new pg.Client({ connectionString });
    await holder.connect();
    await holder.query(`begin; lock table "${filling?.schema ?? ''}".accounts in share mode`);
  };

  before(async () => {
    database = await testDatabase();
    await holdUp();
    const [port, metricsPort] = [await freePort(), await freePort()];
    [apiUrl, metricsUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${metricsPort}`];
    const env = {
      DATABASE_URL: database.connectionString,
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      // The simulated journal has times of its own.
      ACCEPT_CLOCK: 'on',
    };
    starting = startStandalone({ dataDir, env });
    starting.then(
      () => (isReady = true),
      () => undefined,
    );
    await eventually('it fills', async () => {
      const answer = await see(`${metricsUrl}/health/ready`).catch(() => null);
      return answer !== null && JSON.stringify(answer.body).includes('projector filling');
    });
  });
  after(async () => {
    await holder.end();
    await (await starting).stop();
    await database.close();
    folder.remove();
  });

  it('answers reads 503 until it is done, and commands and the journal as ever: they were answered from half of it', async () => {
    for (const read of ['markets', 'leaderboard', 'activity', 'trades/recent', 'markets/market-22']) {
      const { status, retryAfter, body } = await see(`${apiUrl}/api/${read}`);
      expect({ status, retryAfter }, read).to.deep.equal({ status: 503, retryAfter: true });
      expect(body).to.have.property('code', 'unavailable');
    }
    expect((await see(`${apiUrl}/`)).status, 'the portal').to.equal(503);
    expect((await see(`${apiUrl}/api/health`)).body).to.include({ status: 'degraded', database: 'ok' });
    expect((await see(`${apiUrl}/api/journal?limit=1`)).status).to.equal(200);

    const token = readFileSync(path.join(dataDir, 'operator-token'), 'utf8').trim();
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ displayName: 'Early' });
    const opened = await see(`${apiUrl}/api/operator/accounts`, { method: 'POST', headers, body });
    expect(opened.status, JSON.stringify(opened.body)).to.equal(200);
    const status = await see(`${apiUrl}/api/operator/rebuild`, { headers });
    expect(status.status).to.equal(200);
    expect(status.body).to.have.nested.property('schemas[0].status', 'filling');
  });

  it('says how far it is, lets streams wait, and is ready when all of it is there', async () => {
    const { body } = await see(`${metricsUrl}/health/ready`);
    expect(body).to.have.property('ready', false);
    expect(body)
      .to.have.nested.property('checks.projector')
      .that.matches(/^projector filling: (\d+ of \d+ events|all \d+ events are read)/);
    const stream = fetch(`${apiUrl}/api/stream`);
    const answered = { stream: false };
    void stream.then(() => (answered.stream = true));
    expect((await see(`${apiUrl}/api/markets`)).status).to.equal(503);
    expect({ isReady, ...answered }).to.deep.equal({ isReady: false, stream: false });

    await holder.query('rollback');
    await starting;
    const first = await stream;
    expect(first.status).to.equal(200);
    expect(Number(first.headers.get('x-journal-seq'))).to.be.at.least(head);
    await first.body?.cancel();
    const markets = await fetch(`${apiUrl}/api/markets`);
    expect(markets.status).to.equal(200);
    expect(Number(markets.headers.get('x-journal-seq'))).to.be.at.least(head);
    expect((await see(`${metricsUrl}/health/ready`)).body).to.have.property('ready', true);
  });
});
