import { randomUUID } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import { eventually, scaledMs } from '@paper/testkit';
import { expect } from 'chai';
import {
  AppendRefused,
  AppendUnknown,
  createEventStoreJournal,
  EMPTY_HEAD,
  encodeDecision,
  WrongExpectedHead,
} from '../src/index.ts';
import type { Head, Journal, StoredEvent } from '../src/index.ts';
import { journalContract } from './contract.ts';
import type { AppendFault, ReadFault, Refusal } from './fake-eventstore/faults.ts';
import { startFakeEventStore } from './fake-eventstore/server.ts';
import type { FakeEventStore } from './fake-eventstore/server.ts';
import { goldenEvents } from './golden/golden.ts';
import { sampleCommand, sampleEvents } from './sample-events.ts';

const STREAM = 'exchange-main';
const first = goldenEvents.slice(0, 1);
const second = goldenEvents.slice(1, 3);
const firstHead: Head = { hash: first[0]!.hash, seq: 1 };
const secondHead: Head = { hash: second[1]!.hash, seq: 3 };
/** A time longer than any test: whatever happens within the test was not caused by this timer. */
const NEVER_MS = 600_000;

async function failureOf(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error('it was expected to fail');
}

/** Appends as the writer does: the identical batch is sent again until its outcome is known. */
async function sentUntilKnown(journal: Journal, head: Head, batch: readonly StoredEvent[]): Promise<unknown> {
  for (;;) {
    try {
      await journal.append(head, batch);
      return 'stored';
    } catch (error) {
      if (!(error instanceof AppendUnknown)) return error;
    }
  }
}

async function actualHeadOf(promise: Promise<unknown>): Promise<Head> {
  const error = await failureOf(promise);
  if (!(error instanceof WrongExpectedHead)) throw error;
  return error.actual;
}

/** Appends as the writer does: while the outcome is unknown, the same batch is sent again. */
async function appendSurely(journal: Journal, expected: Head, batch: readonly StoredEvent[]): Promise<void> {
  for (;;) {
    try {
      await journal.append(expected, batch);
      return;
    } catch (error) {
      if (!(error instanceof AppendUnknown)) throw error;
    }
  }
}

describe('EventStoreDB that fails', function () {
  // The limit is for a busy machine; no test here takes a second.
  this.timeout(30_000);
  let server: FakeEventStore;
  const opened: Journal[] = [];
  const errors: Error[] = [];

  const open = async (
    options: Partial<Parameters<typeof createEventStoreJournal>[0]> = {},
    from: FakeEventStore = server,
  ): Promise<Journal> => {
    const journal = await createEventStoreJournal({
      connectionString: from.connectionString(),
      onError: (error) => errors.push(error as Error),
      ...options,
    });
    opened.push(journal);
    return journal;
  };
  /** Stores an event that no journal wrote. */
  const inject = (stream: string, data: object, metadata: Uint8Array = Buffer.from('{}')): void => {
    const event = { contentType: 'application/json', data: Buffer.from(JSON.stringify(data)), metadata, type: 'Alien' };
    server.log.append(stream, 'any', [{ ...event, id: randomUUID() }]);
  };

  beforeEach(async () => {
    errors.length = 0;
    server = await startFakeEventStore();
  });

  afterEach(async () => {
    for (const journal of opened.splice(0)) await journal.close();
    await server.close();
  });

  describe('an append', () => {
    const passing: readonly Refusal[] = ['busy', 'no_leader_info', 'not_leader', 'not_ready', 'timeout', 'unknown'];
    const statuses = [
      status.ABORTED,
      status.CANCELLED,
      status.DATA_LOSS,
      status.DEADLINE_EXCEEDED,
      status.INTERNAL,
      status.RESOURCE_EXHAUSTED,
      status.UNAVAILABLE,
      status.UNKNOWN,
    ];
    type Case = readonly [what: string, fault: (stored: boolean) => AppendFault];
    const unknown: readonly Case[] = [
      ['gets no answer', (stored) => ({ kind: 'silence', stored })],
      ['loses its connection', (stored) => ({ kind: 'cut', stored })],
      ...statuses.map((code): Case => [
        `ends with ${status[code]}`,
        (stored) => ({ failure: { code, message: 'planned' }, kind: 'error', stored }),
      ]),
      ...passing.map((reason): Case => [`is answered ${reason}`, (stored) => ({ kind: 'refusal', reason, stored })]),
    ];
    for (const [what, fault] of unknown) {
      for (const stored of [false, true]) {
        it(`that ${what} ${stored ? 'after' : 'before'} it was stored is unknown, and stored once when sent again`, async () => {
          const journal = await open({ appendTimeoutMs: 2_000 });
          await journal.append(EMPTY_HEAD, first);
          const hasty = what === 'gets no answer' ? await open({ appendTimeoutMs: 100 }) : journal;
          server.faults.next('append', fault(stored));
          expect(await failureOf(hasty.append(firstHead, second))).to.be.instanceOf(AppendUnknown);
          await journal.append(firstHead, second);
          expect(await journal.read(1, 10)).to.deep.equal([...first, ...second]);
          expect(await journal.head()).to.deep.equal(secondHead);
        });
      }
    }

    for (const reason of ['access_denied', 'stream_deleted'] as const) {
      it(`that is answered ${reason} is refused`, async () => {
        const journal = await open();
        server.faults.next('append', { kind: 'refusal', reason, stored: false });
        expect(await failureOf(journal.append(EMPTY_HEAD, first))).to.be.instanceOf(AppendRefused);
        await journal.append(EMPTY_HEAD, first);
      });
    }

    for (const kind of ['twice', 'stray'] as const) {
      it(`that is answered ${kind === 'twice' ? 'twice' : 'after one that matches no request'} is stored, and the next one too`, async () => {
        const journal = await open();
        server.faults.next('append', { kind }, { kind });
        await journal.append(EMPTY_HEAD, first);
        await journal.append(firstHead, second);
        expect(await journal.read(1, 10)).to.deep.equal([...first, ...second]);
      });
    }

    it('is not taken for stored where its ids stand with other texts, which the server takes for the same', async () => {
      const [mine, theirs] = ['mine', 'theirs'].map((title) =>
        encodeDecision({
          command: sampleCommand(1),
          events: [{ ...sampleEvents.MarketAmended, title }],
          head: EMPTY_HEAD,
          salt: '5a'.repeat(16),
        }),
      );
      await (await open()).append(EMPTY_HEAD, theirs!.stored);
      const journal = await open();
      expect(await actualHeadOf(journal.append(EMPTY_HEAD, mine!.stored))).to.deep.equal(theirs!.head);
      await journal.append(EMPTY_HEAD, theirs!.stored);
    });

    it('is found out about when another writer came between it and its answer', async () => {
      const journal = await open();
      const rival = await open();
      await journal.append(EMPTY_HEAD, first);
      server.faults.next('append', { kind: 'cut', stored: false });
      expect(await failureOf(journal.append(firstHead, second))).to.be.instanceOf(AppendUnknown);
      const other = encodeDecision({
        command: sampleCommand(7),
        events: [sampleEvents.MarketActivated],
        head: firstHead,
        salt: '5a'.repeat(16),
      });
      await rival.append(firstHead, other.stored);
      expect(await actualHeadOf(journal.append(firstHead, second))).to.deep.equal(other.head);
    });

    it('is found when it is sent again although another writer went on behind it', async () => {
      const journal = await open({ appendTimeoutMs: 200 });
      server.faults.next('append', { kind: 'silence', stored: true });
      expect(await failureOf(journal.append(EMPTY_HEAD, first))).to.be.instanceOf(AppendUnknown);
      await (await open()).append(firstHead, second);
      expect(await sentUntilKnown(journal, EMPTY_HEAD, first)).to.equal('stored');
      expect(await (await open()).read(1, 10)).to.deep.equal([...first, ...second]);
    });

    it("is not called another writer's while the server has it and does not show it", async () => {
      const writer = await open();
      await writer.append(EMPTY_HEAD, first);
      await writer.append(firstHead, second);
      server.log.showUpTo(0);
      const journal = await open({ appendTimeoutMs: 200 });
      expect(await failureOf(journal.append(firstHead, second))).to.be.instanceOf(AppendUnknown);
      server.log.showUpTo(null);
      expect(await sentUntilKnown(journal, firstHead, second)).to.equal('stored');
    });

    it('is sent to a server that was killed and starts again until that is ready', async () => {
      const journal = await open();
      await journal.append(EMPTY_HEAD, first);
      await server.gate.shut();
      expect(await failureOf(journal.append(firstHead, second))).to.be.instanceOf(AppendUnknown);
      server.restart();
      server.become('booting');
      await server.gate.open();
      expect(await failureOf(journal.append(firstHead, second))).to.be.instanceOf(AppendUnknown);
      server.become('leader');
      expect(await sentUntilKnown(journal, firstHead, second)).to.equal('stored');
      expect(await journal.read(1, 10)).to.deep.equal([...first, ...second]);
    });

    it('costs no read where this instance itself appended the expected head', async () => {
      const journal = await open();
      await journal.append(EMPTY_HEAD, first);
      const reads = server.faults.calls('read');
      await journal.append(firstHead, second);
      await journal.append(secondHead, goldenEvents.slice(3, 5));
      expect(server.faults.calls('read')).to.equal(reads);
      expect(server.faults.calls('append')).to.equal(3);
    });

    it('waits for the leader to show what fenced it, and is not misled by a head that still rises', async () => {
      const writer = await open();
      await writer.append(EMPTY_HEAD, first);
      await writer.append(firstHead, second);
      const late = await open();
      server.log.showUpTo(0);
      const other = encodeDecision({
        command: sampleCommand(7),
        events: [sampleEvents.MarketActivated],
        head: firstHead,
        salt: '5a'.repeat(16),
      });
      const fenced = actualHeadOf(late.append(firstHead, other.stored));
      await server.faults.called('append', 3);
      server.log.showUpTo(null);
      expect(await fenced).to.deep.equal(secondHead);
    });

    it('is not disturbed by what befalls another client of the process', async () => {
      const broken = await startFakeEventStore();
      try {
        const journal = await open();
        const other = await open({}, broken);
        broken.faults.next('append', { kind: 'cut', stored: false }, { kind: 'cut', stored: true });
        let end: Head = EMPTY_HEAD;
        for (const event of goldenEvents.slice(0, 2)) {
          const results = await Promise.allSettled([journal.append(end, [event]), other.append(EMPTY_HEAD, first)]);
          expect(results.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected']);
          end = { hash: event.hash, seq: event.seq };
        }
        expect(await journal.head()).to.deep.equal(end);
      } finally {
        await broken.close();
      }
    });

    it('ends in its time where nothing passes any more, and over a new connection when sent again', async () => {
      const journal = await open({ appendTimeoutMs: 200 });
      const patient = await open();
      await patient.append(EMPTY_HEAD, first);
      server.gate.freeze();
      expect(await failureOf(journal.append(firstHead, second))).to.be.instanceOf(AppendUnknown);
      expect(await failureOf(journal.append(firstHead, second))).to.be.instanceOf(AppendUnknown);
      server.gate.thaw();
      await patient.append(firstHead, second);
      expect(await patient.read(1, 10)).to.deep.equal([...first, ...second]);
    });
  });

  describe('the head', () => {
    it('is not asked of a server that does not lead yet', async () => {
      const journal = await open();
      await journal.append(EMPTY_HEAD, first);
      server.become('booting');
      server.restart();
      for (let i = 0; i < 3; i++) await failureOf(journal.head());
      server.become('leader');
      expect(await journal.head()).to.deep.equal(firstHead);
    });

    it('is read again when the read itself went over a new connection', async () => {
      const journal = await open();
      await journal.append(EMPTY_HEAD, first);
      await journal.head();
      server.restart();
      // Just after its start the server does not show all of its events and is not the leader yet.
      server.become('follower');
      server.log.showUpTo(-1);
      const reading = (async () => {
        for (;;) {
          try {
            return await journal.head();
          } catch {
            if (server.faults.calls('gossip') < 3) continue;
            server.log.showUpTo(null);
            server.become('leader');
          }
        }
      })();
      expect(await reading).to.deep.equal(firstHead);
    });

    it('is one read, and who leads is asked once a connection', async () => {
      const journal = await open();
      await journal.append(EMPTY_HEAD, first);
      await journal.head();
      const before = { gossip: server.faults.calls('gossip'), read: server.faults.calls('read') };
      for (let i = 0; i < 5; i++) await journal.head();
      expect({ gossip: server.faults.calls('gossip'), read: server.faults.calls('read') }).to.deep.equal({
        gossip: before.gossip,
        read: before.read + 5,
      });
    });

    it('never falls: a server that shows less than before is not trusted', async () => {
      const journal = await open();
      await journal.append(EMPTY_HEAD, first);
      await journal.append(firstHead, second);
      server.log.showUpTo(0);
      expect((await failureOf(journal.head())).message).to.equal(
        'EventStoreDB shows the journal up to sequence 1, and it has had 3',
      );
      server.log.showUpTo(null);
      expect(await journal.head()).to.deep.equal(secondHead);
    });

    it('is given up in its time where nothing passes any more', async () => {
      // The opening is to be answered within it, also on a slow machine.
      const readTimeoutMs = scaledMs(200);
      const journal = await open({ readTimeoutMs });
      server.gate.freeze();
      const late = `no answer from EventStoreDB within ${readTimeoutMs} ms`;
      expect((await failureOf(journal.head())).message).to.equal(late);
      expect((await failureOf(journal.read(1, 10))).message).to.equal(late);
      server.gate.thaw();
    });
  });

  describe('following', () => {
    let writer: Journal;
    let end: Head;
    /** Appends the next golden events, each in a batch of its own. */
    const append = async (count: number): Promise<void> => {
      for (const event of goldenEvents.slice(end.seq, end.seq + count)) {
        await appendSurely(writer, end, [event]);
        end = { hash: event.hash, seq: event.seq };
      }
    };

    beforeEach(async () => {
      writer = await open();
      end = EMPTY_HEAD;
    });

    const drops: readonly (readonly [string, ReadFault])[] = [
      ['is cut', { after: 0, kind: 'cut' }],
      ['ends', { after: 0, kind: 'end' }],
      ['ends with UNAVAILABLE', { after: 0, failure: { code: status.UNAVAILABLE, message: 'gone' }, kind: 'error' }],
      [
        'is cancelled by the server',
        { after: 0, failure: { code: status.CANCELLED, message: 'cancelled' }, kind: 'error' },
      ],
    ];
    for (const [what, fault] of drops) {
      it(`subscribes again when its subscription ${what}, and misses nothing`, async () => {
        server.faults.next('subscribe', fault, { ...fault, after: 1 });
        const reader = await open({ pollMs: NEVER_MS });
        const seqs: number[] = [];
        const stop = new AbortController();
        const appending = (async () => {
          for (let round = 1; round <= 4; round++) {
            await server.faults.called('subscribe', Math.min(round, 3));
            await append(2);
          }
        })();
        for await (const page of reader.follow(1, { pageSize: 3, signal: stop.signal })) {
          seqs.push(...page.map(({ seq }) => seq));
          if (seqs.length === 8) stop.abort();
        }
        await appending;
        expect(seqs).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8]);
        expect(errors).to.have.length.greaterThan(0);
      });
    }

    for (const by of ['the same instance', 'another one'] as const) {
      it(`costs no read for what ${by} appends, and a subscription only while something is followed`, async () => {
        writer = await open({ pollMs: NEVER_MS });
        const reader = by === 'another one' ? await open({ pollMs: NEVER_MS }) : writer;
        await append(1);
        expect(server.faults.calls('subscribe')).to.equal(0);
        const stop = new AbortController();
        const pages = reader.follow(1, { signal: stop.signal })[Symbol.asyncIterator]();
        expect((await pages.next()).value).to.deep.equal(first);
        const reads = server.faults.calls('read');
        for (const [index, event] of goldenEvents.entries()) {
          if (index === 0) continue;
          const next = pages.next();
          await append(1);
          expect((await next).value).to.deep.equal([event]);
        }
        // One at the subscription's beginning, for what came before it.
        expect(server.faults.calls('read') - reads).to.be.at.most(1);
        expect(server.faults.calls('subscribe')).to.equal(1);
        stop.abort();
        expect((await pages.next()).done).to.equal(true);
        await eventually('the subscription ends', () => server.log.watchers === 0);
      });
    }

    it('finds by itself what a silent subscription does not tell', async () => {
      server.faults.while('subscribe', { after: 0, kind: 'silence' });
      const reader = await open({ pollMs: 20 });
      const pages = reader.follow(1, { signal: new AbortController().signal })[Symbol.asyncIterator]();
      const next = pages.next();
      await server.faults.called('subscribe', 1);
      await append(1);
      expect((await next).value).to.deep.equal(first);
    });

    for (const fault of [
      { after: 2, kind: 'cut' },
      { after: 2, kind: 'end' },
      { after: 2, failure: { code: status.UNAVAILABLE, message: 'gone' }, kind: 'error' },
      { after: 2, kind: 'silence' },
    ] as const satisfies readonly ReadFault[]) {
      it(`reads again where a page broke off (${fault.kind}), and gives each event once`, async () => {
        await append(9);
        const reader = await open({ pollMs: 20, readTimeoutMs: scaledMs(300) });
        server.faults.next('read', fault, fault);
        const seqs: number[] = [];
        const stop = new AbortController();
        for await (const page of reader.follow(1, { pageSize: 4, signal: stop.signal })) {
          expect(page.length).to.be.at.most(4);
          seqs.push(...page.map(({ seq }) => seq));
          if (seqs.length === 9) stop.abort();
        }
        expect(seqs).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8, 9]);
      });
    }

    it('goes on after the server was away', async () => {
      const reader = await open({ pollMs: NEVER_MS });
      const pages = reader.follow(1, { signal: new AbortController().signal })[Symbol.asyncIterator]();
      await append(1);
      expect((await pages.next()).value).to.deep.equal(first);
      const next = pages.next();
      await server.gate.shut();
      await server.gate.open();
      await append(1);
      expect((await next).value).to.deep.equal(second.slice(0, 1));
    });
  });

  describe('opening', () => {
    it('waits for a server that has only just started', async () => {
      server.become('booting');
      const opening = open();
      await server.faults.called('gossip', 2);
      server.become('leader');
      expect(await (await opening).head()).to.deep.equal(EMPTY_HEAD);
    });

    it('does not wait for ever', async () => {
      server.become('booting');
      expect((await failureOf(open({ readTimeoutMs: scaledMs(150) }))).message).to.equal(
        'EventStoreDB is not ready: no member of it is the leader yet',
      );
    });

    it('says at once when there is no server', async () => {
      await server.gate.shut();
      expect((await failureOf(open())).message).to.match(/ECONNREFUSED/);
      await server.gate.open();
    });

    it('finds the leader by discovery', async () => {
      const journal = await open({ connectionString: server.connectionString({ discover: true }) });
      await journal.append(EMPTY_HEAD, first);
      expect(await journal.head()).to.deep.equal(firstHead);
    });

    for (const [key, value] of [
      ['$maxCount', 10],
      ['$maxAge', 3_600],
      ['$tb', 2],
    ] as const) {
      it(`refuses a stream whose metadata has ${key}`, async () => {
        inject(`$$${STREAM}`, { [key]: value });
        expect((await failureOf(open())).message).to.match(
          new RegExp(`^stream exchange-main cannot be a journal: its metadata has \\${key} = ${value}, which hides`),
        );
      });
    }

    it('takes a stream whose metadata only says who may read it', async () => {
      inject(`$$${STREAM}`, { $acl: { $r: ['auditors'] } });
      await (await open()).append(EMPTY_HEAD, first);
    });
  });

  // No process noticed it until the next start: a scavenge then destroyed all but the last events.
  describe('retention that is set on its stream while it is open', () => {
    const threatIs = (journal: Journal, expected: RegExp | null): Promise<void> =>
      eventually(`the threat is ${expected}`, () => {
        const threat = journal.threat?.() ?? null;
        return expected === null ? threat === null : expected.test(threat ?? '');
      });

    for (const [key, value] of [
      ['$maxCount', 1_000],
      ['$maxAge', 3_600],
      ['$tb', 2],
    ] as const) {
      it(`is reported with the command that mends it, until it is removed (${key})`, async () => {
        const journal = await open();
        await threatIs(journal, null);
        inject(`$$${STREAM}`, { [key]: value });
        await threatIs(
          journal,
          new RegExp(
            `^stream exchange-main can lose events: its metadata has \\${key} = ${value}, .*Run \`npm run roles\``,
          ),
        );
        inject(`$$${STREAM}`, { $acl: { $r: ['auditors'] } });
        await threatIs(journal, null);
      });
    }

    it('is found where it was set while the server could not be reached', async () => {
      const journal = await open();
      await server.gate.shut();
      inject(`$$${STREAM}`, { $maxCount: 10 });
      await server.gate.open();
      await threatIs(journal, /\$maxCount = 10/);
    });
  });

  describe('closing', () => {
    it('waits for nothing that the server owes: an append, a read, a follower', async () => {
      const journal = await open();
      await journal.append(EMPTY_HEAD, first);
      const reads = server.faults.calls('read');
      server.faults.next('append', { kind: 'silence', stored: false });
      server.faults.while('read', { after: 0, kind: 'silence' });
      server.faults.next('subscribe', { after: 0, kind: 'silence' });
      const appending = failureOf(journal.append(firstHead, second));
      const reading = failureOf(journal.read(1, 1));
      const following = journal.follow(2, { signal: new AbortController().signal })[Symbol.asyncIterator]().next();
      await server.faults.called('append', 2);
      await server.faults.called('read', reads + 2);
      await server.faults.called('subscribe', 1);
      await journal.close();
      expect(await appending).to.be.instanceOf(AppendUnknown);
      expect(await reading).to.be.instanceOf(Error);
      expect((await following).done).to.equal(true);
    });

    for (const discover of [false, true]) {
      it(`works where the server has gone${discover ? ', and would have to be discovered again' : ''}`, async () => {
        const journal = await open({ connectionString: server.connectionString({ discover }) });
        await journal.append(EMPTY_HEAD, first);
        await server.gate.shut();
        for (let attempt = 0; attempt < 2; attempt++) {
          expect(await failureOf(journal.append(firstHead, second))).to.be.instanceOf(AppendUnknown);
        }
        await journal.close();
        await server.gate.open();
      });
    }
  });

  describe('a stream that is no journal', () => {
    it('is not read over a hole that metadata made in it', async () => {
      const journal = await open();
      await journal.append(EMPTY_HEAD, goldenEvents.slice(0, 5));
      inject(`$$${STREAM}`, { $tb: 2 });
      const hole = 'stream exchange-main has a hole: sequence 3 where 1 should be';
      expect((await failureOf(journal.read(1, 10))).message).to.equal(hole);
      const pages = journal.follow(1, { signal: new AbortController().signal })[Symbol.asyncIterator]();
      expect((await failureOf(pages.next())).message).to.equal(hole);
    });

    it('is not read where something else wrote to it', async () => {
      const journal = await open();
      await journal.append(EMPTY_HEAD, first);
      inject(STREAM, { hello: 'world' });
      const alien = 'the event at sequence 2 was not written by a journal: its metadata has no hash';
      expect((await failureOf(journal.read(1, 10))).message).to.equal(alien);
      expect((await failureOf(journal.head())).message).to.equal(alien);
      expect(await journal.read(1, 1)).to.deep.equal(first);
    });

    it('says so when it was buried, and refuses appends', async () => {
      const journal = await open();
      await journal.append(EMPTY_HEAD, first);
      server.log.delete(STREAM, 'any', 'tombstone');
      expect((await failureOf(journal.read(1, 10))).message).to.match(/is deleted/);
      expect(await failureOf(journal.append(firstHead, second))).to.be.instanceOf(AppendRefused);
      const pages = journal.follow(1, { signal: new AbortController().signal })[Symbol.asyncIterator]();
      expect((await failureOf(pages.next())).message).to.match(/is deleted/);
    });

    it('is not begun anew where it was deleted', async () => {
      const journal = await open();
      await journal.append(EMPTY_HEAD, first);
      server.log.delete(STREAM, 'any', 'hide');
      expect((await failureOf(open())).message).to.match(/its metadata has \$tb/);
      expect((await failureOf(journal.head())).message).to.match(/up to sequence 0, and it has had 1/);
    });
  });
});

let contractServer: FakeEventStore;
before(async () => {
  contractServer = await startFakeEventStore();
});
after(() => contractServer.close());

journalContract('eventstoredb, fake server', () => {
  const shard = randomUUID();
  return Promise.resolve({
    close: () => Promise.resolve(),
    open: () => createEventStoreJournal({ connectionString: contractServer.connectionString(), shard }),
  });
});
