import { setTimeout as outageOf } from 'node:timers/promises';
import { createEventStoreJournal, prepareEventStore } from '@paper/journal';
import type { Journal } from '@paper/journal';
import { limitJournal } from '@paper/journal/test/retention';
import { eventually, IS_LONG_RUN } from '@paper/testkit';
import { missingServer, prepareTrading, startServices } from '@paper/testkit/exchange';
import type { RunningServices, ServiceProcess } from '@paper/testkit/exchange';
import { judgeFailover, startOrderLoad } from '@paper/testkit/failover';
import type { OrderLoad } from '@paper/testkit/failover';
import { eventStoreAt, startEventStore } from '@paper/testkit/servers';
import type { EventStore } from '@paper/testkit/servers';
import { expect } from 'chai';

const SHARD = 'killed';
const TITLE = 'services whose own EventStoreDB is killed under them';
/** Of the process of a service that leads. */
const LEADS = /^(?:command_leads|paper_projection_up\{.*\}) 1$/m;
const missing = missingServer('eventstoredb') ?? (eventStoreAt().toStart ? null : 'an eventstored on PATH');

if (missing === null) describe(TITLE, outages);
else it(`${TITLE} (skipped: needs ${missing})`);

const health = async ({ baseUrl }: RunningServices): Promise<unknown> =>
  ((await (await fetch(`${baseUrl}/api/health`)).json()) as { readonly status: unknown }).status;

async function leads({ operationUrl }: ServiceProcess): Promise<boolean> {
  return LEADS.test(await (await fetch(`${operationUrl}/metrics`)).text());
}

function outages(this: Mocha.Suite): void {
  this.timeout(300_000);
  let server: EventStore;
  let set: RunningServices;
  let journal: Journal;
  let load: OrderLoad;
  let keys: readonly string[];

  before(async () => {
    server = await startEventStore();
    set = await startServices({
      // The journal's own server takes the place of the one that tests share.
      journal: 'postgres',
      count: { 'command-api': 2, projector: 2 },
      env: { JOURNAL_URL: server.connectionString, SHARD },
    });
    journal = await createEventStoreJournal({ connectionString: server.connectionString, shard: SHARD });
    keys = await prepareTrading(set, { accounts: 4, markets: ['m'] });
    load = startOrderLoad({ apiKeys: keys, marketId: 'm', name: SHARD, restMs: 50, urls: () => [set.baseUrl] });
    await load.acknowledgedBy(set.baseUrl);
  });

  after(async () => {
    await load.stop();
    await journal.close();
    await set.stop('SIGKILL');
    await server.stop();
  });

  /** The processes that lead: of the command APIs, and of the projectors. */
  const leaders = async (): Promise<readonly ServiceProcess[]> => {
    const found: ServiceProcess[] = [];
    for (const one of [...set.of('command-api'), ...set.of('projector')]) if (await leads(one)) found.push(one);
    return found;
  };

  /** No process has ended, none has taken over, and the journal has each answered order once. */
  const nothingHappened = async (before: readonly ServiceProcess[]): Promise<void> => {
    for (const { child, name } of set.services) {
      expect([child.exitCode, child.signalCode], name).to.deep.equal([null, null]);
    }
    await eventually('health is ok', async () => (await health(set)) === 'ok');
    expect(await leaders()).to.deep.equal(before);
    const { duplicated, epochs, invented, lost } = await judgeFailover(journal, load);
    expect({ duplicated, epochs, invented, lost }).to.deep.equal({
      duplicated: [],
      epochs: [1],
      invented: [],
      lost: [],
    });
  };

  for (const seconds of IS_LONG_RUN ? [3, 6, 12, 40] : [3]) {
    it(`go on by themselves, under the same leaders, when it is back after ${seconds} s`, async () => {
      const before = await leaders();
      expect(before).to.have.length(2);
      await server.kill('SIGKILL');
      await outageOf(seconds * 1_000);
      await eventually('health is degraded', async () => (await health(set)) === 'degraded');
      const again = load.acknowledgedBy(set.baseUrl);
      await server.restart();
      await again;
      await nothingHappened(before);
    });
  }

  it('take no commands within 10 s of retention on their journal, and go on once it is removed', async () => {
    const before = await leaders();
    const place = (): Promise<Response> =>
      fetch(`${set.baseUrl}/api/orders`, {
        method: 'POST',
        headers: { authorization: `Bearer ${keys[0] ?? ''}`, 'content-type': 'application/json' },
        body: JSON.stringify({ marketId: 'm', outcome: 'yes', price: 0.4, quantity: 1 }),
      });
    await limitJournal(server.connectionString, SHARD, 1_000);
    const inTime = { withinMs: 10_000 };
    let again: Promise<unknown> = Promise.resolve();
    try {
      await eventually('commands are refused', async () => (await place()).status === 503, inTime);
      await eventually('health is degraded', async () => (await health(set)) === 'degraded', inTime);
      await eventually('the log says why', () => set.output().includes('$maxCount = 1000'), inTime);
      const head = await journal.head();
      for (let n = 0; n < 20; n += 1) expect((await place()).status).to.equal(503);
      expect(await journal.head()).to.deep.equal(head);
      again = load.acknowledgedBy(set.baseUrl);
    } finally {
      // The load ends only when its orders are acknowledged.
      await prepareEventStore({
        appender: undefined,
        connectionString: server.connectionString,
        readers: [],
        shard: SHARD,
      });
    }
    await again;
    await nothingHappened(before);
  });
}
