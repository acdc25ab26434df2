import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { EventStoreDBClient } from '@eventstore/db-client';
import { IS_LONG_RUN } from '@paper/testkit';
import { eventStoreAt, startEventStore, testEventStore } from '@paper/testkit/servers';
import type { EventStore } from '@paper/testkit/servers';
import { expect } from 'chai';
import {
  AppendRefused,
  AppendUnknown,
  checkChain,
  createEventStoreJournal,
  EMPTY_HEAD,
  encodeDecision,
} from '../src/index.ts';
import type { EventStoreJournalOptions, Head, Journal, StoredEvent } from '../src/index.ts';
import { goldenEvents } from './golden/golden.ts';
import { sampleCommand, sampleEvents } from './sample-events.ts';

const SKIPPED = 'skipped: set JOURNAL_URL, or have eventstored on PATH';
/** The writer's pause between two tries: a server that starts needs the processor. */
const BACKOFF_MS = 50;
const first = goldenEvents.slice(0, 1);
const firstHead: Head = { hash: first[0]!.hash, seq: 1 };

async function failureOf(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error('it was expected to fail');
}

const opened: Journal[] = [];

async function open(options: EventStoreJournalOptions): Promise<Journal> {
  const journal = await createEventStoreJournal(options);
  opened.push(journal);
  return journal;
}

afterEach(async () => {
  for (const journal of opened.splice(0)) await journal.close();
});

if (!eventStoreAt().toShare) {
  it(`a journal in EventStoreDB (${SKIPPED})`);
} else {
  describe('a journal in EventStoreDB', function () {
    // The limit is for a busy machine; nothing here but the start of the server takes a second.
    this.timeout(120_000);
    let connectionString: string;
    let client: EventStoreDBClient;
    let shard: string;
    let stream: string;

    before(async () => {
      connectionString = await testEventStore();
      client = EventStoreDBClient.connectionString(connectionString);
    });

    after(() => client.dispose());

    beforeEach(() => {
      shard = randomUUID();
      stream = `exchange-${shard}`;
    });

    it('is what the public client reads: JSON, in the order and with the ids and types of its events', async () => {
      const journal = await open({ connectionString, shard });
      await journal.append(EMPTY_HEAD, goldenEvents);
      const read: StoredEvent[] = [];
      for await (const { event } of client.readStream(stream)) {
        expect(event?.isJson).to.equal(true);
        const { hash, privateText } = event?.metadata as { hash: string; privateText?: string };
        read.push({
          hash,
          id: event!.id,
          privateText: privateText ?? null,
          publicText: JSON.stringify(event?.data),
          seq: Number(event!.revision) + 1,
          type: event!.type,
        });
      }
      expect(read).to.deep.equal(goldenEvents);
    });

    for (const [key, metadata] of [
      ['$maxCount', { maxCount: 10 }],
      ['$maxAge', { maxAge: 3_600 }],
      ['$tb', { truncateBefore: 1 }],
    ] as const) {
      it(`is refused where the stream's metadata has ${key}`, async () => {
        await client.setStreamMetadata(stream, metadata);
        expect((await failureOf(open({ connectionString, shard }))).message).to.match(
          new RegExp(`^stream ${stream} cannot be a journal: its metadata has \\${key} = \\d+, which hides`),
        );
      });
    }

    it('shows a hole as such, where metadata hides its beginning later', async () => {
      const journal = await open({ connectionString, shard });
      await journal.append(EMPTY_HEAD, goldenEvents);
      await client.setStreamMetadata(stream, { truncateBefore: 2 });
      expect((await failureOf(journal.read(1, 10))).message).to.equal(
        `stream ${stream} has a hole: sequence 3 where 1 should be`,
      );
    });

    it('is not begun anew where it was deleted', async () => {
      const journal = await open({ connectionString, shard });
      await journal.append(EMPTY_HEAD, first);
      await client.deleteStream(stream);
      expect((await failureOf(journal.head())).message).to.match(/up to sequence 0, and it has had 1/);
      expect((await failureOf(open({ connectionString, shard }))).message).to.match(/its metadata has \$tb/);
    });

    it('says so where it was buried', async () => {
      const journal = await open({ connectionString, shard });
      await journal.append(EMPTY_HEAD, first);
      await client.tombstoneStream(stream);
      expect((await failureOf(journal.head())).message).to.match(/is deleted/);
      expect(await failureOf(journal.append(firstHead, goldenEvents.slice(1, 2)))).to.be.instanceOf(AppendRefused);
    });

    it('says so where something else wrote to it', async () => {
      const journal = await open({ connectionString, shard });
      await journal.append(EMPTY_HEAD, first);
      await client.appendToStream(stream, [
        { contentType: 'application/json', data: {}, id: randomUUID(), metadata: {}, type: 'Alien' },
      ]);
      expect((await failureOf(journal.read(1, 10))).message).to.equal(
        'the event at sequence 2 was not written by a journal: its metadata has no hash',
      );
    });

    it('takes the largest batch that a writer makes, of the smallest events', async () => {
      const journal = await open({ connectionString, shard });
      // The smallest events are used, so that the overhead of the layout weighs most.
      const events = Array.from({ length: 1_650 }, () => sampleEvents.MarketActivated);
      const { bytes, head, stored } = encodeDecision({
        command: sampleCommand(1),
        events,
        head: EMPTY_HEAD,
        salt: '5a'.repeat(16),
      });
      expect(bytes).to.be.greaterThan(512 * 1024);
      await journal.append(EMPTY_HEAD, stored);
      expect(await journal.head()).to.deep.equal(head);
    });
  });
}

if (!eventStoreAt().toStart) {
  it('EventStoreDB that is killed, stopped and started again (skipped: none on PATH)');
} else {
  /** Appends like a writer, batch after batch, until `over()`. Gives the last head and the number of unknown outcomes. */
  const writeUntil = async (journal: Journal, over: () => boolean): Promise<Written> => {
    let head = EMPTY_HEAD;
    let unknown = 0;
    for (let n = 1; !over(); n++) {
      const events = Array.from({ length: 1 + (n % 40) }, () => sampleEvents.OrderPlaced);
      const batch = encodeDecision({ command: sampleCommand(n), events, head, salt: '5a'.repeat(16) });
      for (;;) {
        try {
          await journal.append(head, batch.stored);
          break;
        } catch (error) {
          if (!(error instanceof AppendUnknown)) throw error;
          unknown += 1;
          await delay(BACKOFF_MS);
        }
      }
      head = batch.head;
    }
    return { head, unknown };
  };

  describe('EventStoreDB that is killed, stopped and started again', function () {
    this.timeout(300_000);
    let server: EventStore;

    beforeEach(async () => {
      server = await startEventStore();
    });

    afterEach(() => server.stop());

    it('loses nothing of what was answered, and takes what was not answered once', async () => {
      const { connectionString } = server;
      const journal = await open({ appendTimeoutMs: 1_000, connectionString });
      const reader = await open({ connectionString, pollMs: 600_000 });
      const pages = reader.follow(1, { signal: new AbortController().signal })[Symbol.asyncIterator]();
      const followed: StoredEvent[] = [];
      const followTo = async (seq: number): Promise<void> => {
        while (followed.length < seq) followed.push(...((await pages.next()).value as readonly StoredEvent[]));
      };
      let over = false;
      const writing = writeUntil(journal, () => over);
      for (let kills = 1; kills <= 3; kills++) {
        await followTo(followed.length + 100);
        await server.kill('SIGKILL');
        await server.restart();
      }
      over = true;
      const { head, unknown } = await writing;
      expect(unknown).to.be.greaterThan(0);
      expect(await (await open({ connectionString })).head()).to.deep.equal(head);
      // The journal has each event once, in order, by hash; and the follower has read all of them.
      await followTo(head.seq);
      expect(checkChain(EMPTY_HEAD, followed)).to.deep.equal(head);
      expect(checkChain(EMPTY_HEAD, await journal.read(1, head.seq + 1))).to.deep.equal(head);
    });

    // The long one takes longer than a run of every test should: LONG_TESTS=1.
    for (const seconds of IS_LONG_RUN ? [3, 30] : [3]) {
      it(`is waited for when it is stopped for ${seconds} s, and loses nothing`, async () => {
        const { connectionString } = server;
        const journal = await open({ appendTimeoutMs: 500, connectionString, readTimeoutMs: 500 });
        let over = false;
        const writing = writeUntil(journal, () => over);
        const before = await journal.head();
        await server.kill('SIGSTOP');
        const stoppedAt = performance.now();
        const late = await failureOf(journal.head());
        expect(late.message).to.equal('no answer from EventStoreDB within 500 ms');
        // The test is about the duration itself, so there is no condition to wait for.
        while (performance.now() - stoppedAt < seconds * 1_000) await failureOf(journal.head());
        await server.kill('SIGCONT');
        while ((await journal.head().catch(() => before)).seq <= before.seq + 100) await delay(BACKOFF_MS);
        over = true;
        const { head, unknown } = await writing;
        expect(unknown).to.be.greaterThan(0);
        // The whole of it takes longer than the 500 ms above on a busy machine.
        const patient = await open({ connectionString });
        expect(checkChain(EMPTY_HEAD, await patient.read(1, head.seq + 1))).to.deep.equal(head);
        expect(await patient.head()).to.deep.equal(head);
      });
    }

    it('has its former events after a restart, as soon as it can be opened', async () => {
      const { connectionString } = server;
      const journal = await open({ connectionString });
      let batches = 0;
      const { head } = await writeUntil(journal, () => ++batches > 50);
      await server.kill('SIGKILL');
      const restarted = server.restart();
      // The first that opens at all, while the server is still coming up.
      let early: Journal | null = null;
      while (early === null) early = await open({ connectionString }).catch(() => delay(BACKOFF_MS, null));
      expect(await early.head()).to.deep.equal(head);
      expect(await early.read(1, head.seq + 1)).to.have.lengthOf(head.seq);
      await restarted;
    });
  });

  describe('EventStoreDB with its system projections', function () {
    this.timeout(120_000);
    let server: EventStore;

    before(async () => {
      server = await startEventStore({ projections: true });
    });

    after(() => server.stop());

    it('finds the events of a journal by command', async () => {
      const { connectionString } = server;
      const journal = await open({ connectionString });
      const command = { ...sampleCommand(1), id: randomUUID() };
      const events = [sampleEvents.MarketListed, sampleEvents.MarketActivated];
      const decision = encodeDecision({ command, events, head: EMPTY_HEAD, salt: '5a'.repeat(16) });
      await journal.append(EMPTY_HEAD, decision.stored);
      const client = EventStoreDBClient.connectionString(connectionString);
      const found: string[] = [];
      for await (const { event } of client.subscribeToStream(`$bc-${command.id}`, { resolveLinkTos: true })) {
        found.push(`${event!.streamId} ${event!.type}`);
        if (found.length === 2) break;
      }
      await client.dispose();
      expect(found).to.deep.equal(['exchange-main MarketListed', 'exchange-main MarketActivated']);
    });
  });

  describe('EventStoreDB with TLS and users', function () {
    this.timeout(300_000);
    let server: EventStore;

    before(async () => {
      server = await startEventStore({ tls: true });
    });

    after(() => server.stop());

    it('is used with the certificate and the password of the connection string', async () => {
      const journal = await open({ connectionString: server.connectionString });
      const stop = new AbortController();
      const pages = journal.follow(1, { signal: stop.signal })[Symbol.asyncIterator]();
      const next = pages.next();
      await journal.append(EMPTY_HEAD, first);
      expect((await next).value).to.deep.equal(first);
      expect(await journal.head()).to.deep.equal(firstHead);
    });

    // infra/prometheus/eventstoredb-tls.yml
    it('shows its metrics to every user, also to one who may do nothing else, and to nobody without a name', async () => {
      const password = 'ofPrometheus12345';
      const { password: ofAdmin } = new URL(server.connectionString);
      const user = { fullName: 'Prometheus', groups: [], loginName: 'prometheus', password };
      expect(await server.request('POST', '/users/', `admin:${ofAdmin}`, user)).to.have.property('status', 201);
      expect(await server.request('GET', '/metrics')).to.have.property('status', 401);
      const { body, status } = await server.request('GET', '/metrics', `prometheus:${password}`);
      expect(status).to.equal(200);
      expect(body).to.match(/^# TYPE eventstore_/m);
      expect(await server.request('POST', '/admin/scavenge', `prometheus:${password}`)).to.have.property('status', 401);
    });

    it('is not used with a wrong password, nor without its certificate, and neither error shows the password', async () => {
      const password = /admin:(.*)@/.exec(server.connectionString)![1]!;
      const wrong = server.connectionString.replace(password, 'wr0ng');
      const error = await failureOf(open({ connectionString: wrong, shard: 'other' }));
      expect(error.message)
        .to.match(/unauthenticated|access denied/i)
        .and.not.include('wr0ng');
      const untrusted = server.connectionString.replace(/&tlsCAFile=.*/, '');
      const refused = await failureOf(open({ connectionString: untrusted, shard: 'other' }));
      expect(refused.message)
        .to.match(/certificate/i)
        .and.not.include(password);
    });
  });
}

interface Written {
  readonly head: Head;
  /** The number of appends without an answer. */
  readonly unknown: number;
}
