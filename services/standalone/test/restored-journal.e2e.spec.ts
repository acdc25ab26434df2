import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { eventually, isLongSuiteLeftOut, testDatabase } from '@paper/testkit';
import type { TestDatabase } from '@paper/testkit';
import { describeServices, startServiceProcess, startServices } from '@paper/testkit/exchange';
import type { RunningServices, ServiceProcess } from '@paper/testkit/exchange';
import { createCheckedClient, eventBlocks, operatorClient } from '@paper/testkit/http';
import type { CheckedClient } from '@paper/testkit/http';
import { expect } from 'chai';
import pg from 'pg';
import { startFakeEventStore } from '@paper/journal/test/fake-eventstore';

const root = path.resolve(import.meta.dirname, '../../..');

/** A journal, and how an operator backs it up and restores it while no writer runs. */
interface BackedUp {
  readonly env: Readonly<Record<string, string>>;
  /** Takes a backup; gives the function that restores it. */
  readonly backup: () => Promise<() => Promise<void>>;
  readonly close: () => Promise<void>;
}

type Kind = 'Postgres' | 'EventStoreDB';

const JOURNALS: Readonly<Record<Kind, (databaseUrl: string) => Promise<BackedUp>>> = {
  Postgres: (databaseUrl) => Promise.resolve(journalInPostgres(databaseUrl)),
  EventStoreDB: journalInFakeEventStore,
};

function journalInPostgres(connectionString: string): BackedUp {
  const asOwner = async (statements: string): Promise<void> => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    await client.query(statements);
    await client.end();
  };
  return {
    env: {},
    async backup() {
      await asOwner(`
        create schema backup;
        create table backup.head as table journal.head;
        create table backup.events as table journal.events`);
      return () =>
        asOwner(`
          begin;
          alter table journal.events disable trigger all;
          delete from journal.events where (shard, seq) not in (select shard, seq from backup.events);
          alter table journal.events enable trigger all;
          update journal.head h set seq = b.seq, hash = b.hash from backup.head b where b.shard = h.shard;
          commit`);
    },
    close: () => Promise.resolve(),
  };
}

async function journalInFakeEventStore(): Promise<BackedUp> {
  const server = await startFakeEventStore();
  return {
    env: { JOURNAL_URL: server.connectionString() },
    backup: () => {
      const restore = server.log.backup();
      return Promise.resolve(() => {
        restore();
        server.restart();
        return Promise.resolve();
      });
    },
    close: () => server.close(),
  };
}

interface Status {
  readonly journalSeq: number;
  readonly projections: readonly { readonly lagEvents: number; readonly problem: string | null }[];
}

for (const kind of ['Postgres', 'EventStoreDB'] as const) {
  describeServices(`services whose journal in ${kind} was restored from an older backup`, 'postgres', function () {
    this.timeout(180_000);
    if (kind !== 'Postgres' && isLongSuiteLeftOut()) return;
    let database: TestDatabase;
    let journal: BackedUp;
    let set: RunningServices;
    let client: CheckedClient;
    let successor: ServiceProcess | null = null;

    before(async () => {
      database = await testDatabase();
      journal = await JOURNALS[kind](database.connectionString);
      set = await startServices({ journal: 'postgres', databaseUrl: database.connectionString, env: journal.env });
      client = await createCheckedClient(set.baseUrl);
    });
    after(async () => {
      await successor?.stop('SIGKILL');
      await set.stop('SIGKILL');
      await journal.close();
      await database.close();
    });

    const statusOf = async (where: string, key?: string, headers = {}): Promise<number> =>
      (await client.request('GET', where, { headers, ...(key === undefined ? {} : { key }) })).status;
    const order = async (key: string): Promise<number> => {
      const body = { marketId: 'm', outcome: 'yes', price: 0.4, quantity: 1 };
      return (await client.request('POST', '/api/orders', { key, body })).status;
    };
    const operatorStatus = (): Promise<Status> =>
      client.ok<Status>('GET', '/api/operator/status', { key: set.operatorToken });
    const problem = async (): Promise<string | null> => (await operatorStatus()).projections[0]?.problem ?? null;
    const stream = (where: string, key?: string): Promise<Response> =>
      fetch(`${set.baseUrl}${where}`, { headers: key === undefined ? {} : { authorization: `Bearer ${key}` } });
    const one = (name: 'command-api' | 'projector' | 'query-api' | 'stream-gateway'): ServiceProcess =>
      set.of(name)[0]!;
    const readiness = async (service: ServiceProcess): Promise<{ status: number; text: string }> => {
      const answer = await fetch(`${service.operationUrl}/health/ready`);
      return { status: answer.status, text: await answer.text() };
    };
    const gauge = async (service: ServiceProcess, name: string): Promise<string | undefined> => {
      const text = await (await fetch(`${service.operationUrl}/metrics`)).text();
      return new RegExp(`^${name}(?:\\{.*\\})? (\\d+)$`, 'm').exec(text)?.[1];
    };
    /** The writer of a set that was stopped, restored and started again at its former addresses. */
    const startWriter = async (): Promise<ServiceProcess> => {
      const { url, operationUrl } = one('command-api');
      const ports = { PORT: new URL(url ?? '').port, METRICS_PORT: new URL(operationUrl).port };
      return startServiceProcess('command-api', { ...set.env, ...ports });
    };
    const rebuild = async (): Promise<void> => {
      const { DATABASE_URL, JOURNAL_URL, SHARD } = set.env;
      const command = spawn(process.execPath, ['scripts/run.mjs', 'rebuild'], {
        cwd: root,
        env: { ...process.env, npm_lifecycle_event: undefined, DATABASE_URL, JOURNAL_URL, SHARD },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let said = '';
      command.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
      await once(command, 'close');
      expect(command.exitCode, said).to.equal(0);
    };

    it('refuse every read and stream of it, take commands, say so everywhere, and recover by npm run rebuild alone', async () => {
      const asOperator = operatorClient(client, set.operatorToken);
      await asOperator.list('m');
      const ann = await asOperator.open('Ann');
      expect(await order(ann.key)).to.equal(200);
      const restore = await journal.backup();

      // Data after the backup, read so that it is cached, and watched.
      const bea = await asOperator.open('Bea');
      for (let count = 0; count < 3; count += 1) expect(await order(bea.key)).to.equal(200);
      for (let count = 0; count < 2; count += 1) expect(await statusOf('/api/portfolio', bea.key)).to.equal(200);
      const cached = await client.request('GET', '/api/markets');
      const etag = { 'if-none-match': cached.headers.get('etag') ?? '' };
      expect(await statusOf('/api/markets', undefined, etag)).to.equal(304);
      const watched = [await stream('/api/stream'), await stream('/api/stream/account', bea.key)].map(eventBlocks);
      for (const blocks of watched) expect(await blocks.next()).to.be.a('string');
      const { journalSeq: seqBefore } = await operatorStatus();

      await one('command-api').stop();
      await restore();
      successor = await startWriter();

      await eventually('reads are refused', async () => (await statusOf('/api/markets')) === 503);
      for (const blocks of watched) while ((await blocks.next()) !== null);
      await eventually('the successor leads', async () => {
        return (await statusOf('/api/operator/status', set.operatorToken)) === 200;
      });
      await eventually('the status of the operator shows it', async () =>
        /^the journal ends at/.test((await problem()) ?? ''),
      );
      for (const where of ['/api/markets', '/api/orderbook/m', '/api/leaderboard', '/api/trades/recent']) {
        expect(await statusOf(where, undefined, etag), where).to.equal(503);
      }
      for (const where of ['/api/portfolio', '/api/positions', '/api/orders', '/api/fills']) {
        expect(await statusOf(where, ann.key), where).to.equal(503);
        expect(await statusOf(where, bea.key), where).to.equal(503);
      }
      expect((await stream('/api/stream')).status).to.equal(503);
      expect((await stream('/api/stream/account', ann.key)).status).to.equal(503);
      expect(await client.ok('GET', '/api/health')).to.include({ status: 'degraded', database: 'ok' });
      for (const name of ['query-api', 'stream-gateway'] as const) {
        expect((await readiness(one(name))).status, name).to.equal(503);
        expect(await gauge(one(name), 'paper_read_models_diverged'), name).to.equal('1');
      }
      await eventually('the projector says so', async () => /rebuild/.test((await readiness(one('projector'))).text));
      expect(await gauge(one('projector'), 'paper_projection_diverged')).to.equal('1');

      // Commands continue, so the journal soon has another event at the read models' checkpoint.
      while ((await operatorStatus()).journalSeq <= seqBefore) expect(await order(ann.key)).to.equal(200);
      await eventually('the status of the operator shows it', async () =>
        /^the journal has another event/.test((await problem()) ?? ''),
      );
      expect(await statusOf('/api/markets')).to.equal(503);

      await rebuild();
      await eventually('reads are served', async () => (await statusOf('/api/markets', undefined, etag)) === 200);
      await eventually('health is ok', async () => {
        const { status } = await client.ok<{ status: string }>('GET', '/api/health');
        return status === 'ok';
      });
      // Each process checks once a second.
      await eventually('the status of the operator shows it', async () => (await problem()) === null);
      for (const name of ['projector', 'query-api', 'stream-gateway'] as const) {
        await eventually(`${name} is ready`, async () => (await readiness(one(name))).status === 200);
      }
      // The projector follows again: new commands can be read.
      expect(await order(ann.key)).to.equal(200);
      expect(await statusOf('/api/portfolio', ann.key)).to.equal(200);
      expect(await statusOf('/api/portfolio', bea.key)).to.equal(401);
      expect((await operatorStatus()).projections[0]?.lagEvents).to.equal(0);
      expect(await gauge(one('projector'), 'paper_projection_diverged')).to.equal('0');
      for (const name of ['query-api', 'stream-gateway'] as const) {
        expect(await gauge(one(name), 'paper_read_models_diverged'), name).to.equal('0');
      }
      // The front door checks every 500 ms whether a gateway is ready.
      await eventually('streams are served', async () => {
        const answer = await stream('/api/stream');
        await answer.body?.cancel();
        return answer.status === 200;
      });
      const again = [await stream('/api/stream'), await stream('/api/stream/account', ann.key)];
      expect(again.map(({ status }) => status)).to.deep.equal([200, 200]);
      for (const answer of again) await eventBlocks(answer).leave();
      // No process had to be restarted.
      for (const { child, name } of set.services) {
        if (name !== 'command-api') expect([child.exitCode, child.signalCode], name).to.deep.equal([null, null]);
      }
    });
  });
}
