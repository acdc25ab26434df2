import { status } from '@grpc/grpc-js';
import { expect } from 'chai';
import {
  AppendRefused,
  AppendUnknown,
  createEventStoreJournal,
  EMPTY_HEAD,
  WrongExpectedHead,
  type EventStoreJournalOptions,
  type Head,
  type Journal,
  type StoredEvent,
} from '../src/index.ts';
import { batchAfter, journalContract, type Batch } from './contract.ts';
import type { AppendFault, Failure, ReadFault, Refusal } from './fake-eventstore/faults.ts';
import { startFakeEventStore, type FakeEventStore } from './fake-eventstore/server.ts';

const STREAM = 'exchange-main';

/** Watchdogs that a test can wait for. On a busy machine they may also bite unprovoked, which tests have to bear. */
const IMPATIENT = { appendTimeoutMs: 200, pollMs: 50, readTimeoutMs: 200 };

/** What an append or a call came to: 'done', or its error. */
async function outcome(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
    return 'done';
  } catch (error) {
    return error;
  }
}

/** The rule of the writer: the identical batch is sent again until its outcome is known. */
async function settled(journal: Journal, head: Head, { events }: Batch): Promise<unknown> {
  for (;;) {
    const came = await outcome(journal.append(head, events));
    if (!(came instanceof AppendUnknown)) return came;
  }
}

/** What a call gives once it succeeds. */
async function eventually<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch {
      // The server recovers; the test's own time limit ends what does not.
    }
  }
}

journalContract('eventstoredb, on the fake', async () => {
  const fake = await startFakeEventStore();
  return {
    close: () => fake.close(),
    open: () => createEventStoreJournal({ connectionString: fake.connectionString() }),
  };
});

describe('eventstoredb journal, on a server that fails', function () {
  this.timeout(15_000);
  let fake: FakeEventStore;
  const opened: Journal[] = [];
  const open = async (options: Partial<EventStoreJournalOptions> = {}): Promise<Journal> => {
    const journal = await createEventStoreJournal({ connectionString: fake.connectionString(), ...options });
    opened.push(journal);
    return journal;
  };
  beforeEach(async () => {
    fake = await startFakeEventStore();
  });
  afterEach(async () => {
    fake.gate.thaw();
    for (const journal of opened.splice(0)) await journal.close();
    await fake.close();
  });

  const storedIds = (): string[] => {
    const view = fake.log.view(STREAM);
    const last = view.kind === 'found' ? view.last : -1;
    return Array.from({ length: last + 1 }, (_, revision) => (view.kind === 'found' ? view.at(revision)!.id : ''));
  };
  const idsOf = (...batches: readonly Batch[]): string[] => batches.flatMap(({ events }) => events.map(({ id }) => id));
  const append = (journal: Journal, head: Head, { events }: Batch): Promise<void> => journal.append(head, events);

  describe('append', () => {
    const error = (code: status, message: string): Failure => ({ code, message });
    const unknown: [what: string, AppendFault][] = [
      ['no answer', { kind: 'silence', stored: false }],
      ['a lost acknowledgement', { kind: 'silence', stored: true }],
      ['a cut connection', { kind: 'cut', stored: false }],
      ['a cut connection after the commit', { kind: 'cut', stored: true }],
      ...(['busy', 'no_leader_info', 'not_leader', 'not_ready', 'timeout', 'unknown'] as const).map(
        (reason: Refusal): [string, AppendFault] => [
          `the answer ${reason}`,
          { kind: 'refusal', reason, stored: false },
        ],
      ),
      ['a timeout after the commit', { kind: 'refusal', reason: 'timeout', stored: true }],
      ...[
        status.ABORTED,
        status.CANCELLED,
        status.DATA_LOSS,
        status.DEADLINE_EXCEEDED,
        status.INTERNAL,
        status.RESOURCE_EXHAUSTED,
        status.UNAVAILABLE,
        status.UNKNOWN,
      ].flatMap((code) =>
        [false, true].map((stored): [string, AppendFault] => [
          `the status ${status[code]}${stored ? ' after the commit' : ''}`,
          { failure: error(code, 'planned'), kind: 'error', stored },
        ]),
      ),
    ];
    for (const [what, fault] of unknown) {
      it(`does not know the outcome after ${what}; the same batch sent again settles it`, async () => {
        const journal = await open(fault.kind === 'silence' ? IMPATIENT : {});
        const first = batchAfter(EMPTY_HEAD, 2, 1);
        const second = batchAfter(first.head, 2, 2);
        // The first append of an instance goes about it in another way than those that follow one of its own.
        for (const [head, batch] of [
          [EMPTY_HEAD, first],
          [first.head, second],
        ] as const) {
          fake.faults.next('append', fault);
          expect(await outcome(append(journal, head, batch))).to.be.instanceOf(AppendUnknown);
          expect(await settled(journal, head, batch)).to.equal('done');
          expect(await eventually(() => journal.head())).to.deep.equal(batch.head);
        }
        expect(storedIds()).to.deep.equal(idsOf(first, second));
      });
    }

    const refused: [what: string, AppendFault][] = [
      ['access is denied', { kind: 'refusal', reason: 'access_denied', stored: false }],
      ['the stream is buried', { kind: 'refusal', reason: 'stream_deleted', stored: false }],
    ];
    for (const [what, fault] of refused) {
      it(`is refused where ${what}`, async () => {
        const journal = await open();
        const first = batchAfter(EMPTY_HEAD, 1, 1);
        fake.faults.next('append', fault);
        expect(await outcome(append(journal, EMPTY_HEAD, first))).to.be.instanceOf(AppendRefused);
        await append(journal, EMPTY_HEAD, first);
        fake.faults.next('append', fault);
        const second = batchAfter(first.head, 1, 2);
        expect(await outcome(append(journal, first.head, second))).to.be.instanceOf(AppendRefused);
        expect(storedIds()).to.deep.equal(idsOf(first));
      });
    }

    it('is refused for ever once the stream is really buried', async () => {
      const journal = await open();
      const first = batchAfter(EMPTY_HEAD, 1, 1);
      await append(journal, EMPTY_HEAD, first);
      fake.log.delete(STREAM, 'any', 'tombstone');
      for (let attempt = 0; attempt < 2; attempt++) {
        expect(await outcome(append(journal, first.head, batchAfter(first.head, 1, 2)))).to.be.instanceOf(
          AppendRefused,
        );
      }
    });

    for (const fault of [{ kind: 'twice' }, { kind: 'stray' }] satisfies AppendFault[]) {
      it(`takes no harm from an answer too many (${fault.kind})`, async () => {
        const journal = await open();
        let head = EMPTY_HEAD;
        const batches: Batch[] = [];
        for (let seed = 1; seed <= 3; seed++) {
          const batch = batchAfter(head, 1, seed);
          fake.faults.next('append', fault);
          await append(journal, head, batch);
          batches.push(batch);
          head = batch.head;
        }
        expect(storedIds()).to.deep.equal(idsOf(...batches));
      });
    }

    it('finds its lost batch although another writer went on behind it', async () => {
      const [journal, other] = [await open(IMPATIENT), await open()];
      const first = batchAfter(EMPTY_HEAD, 2, 1);
      fake.faults.next('append', { kind: 'silence', stored: true });
      expect(await outcome(append(journal, EMPTY_HEAD, first))).to.be.instanceOf(AppendUnknown);
      const second = batchAfter(first.head, 1, 2);
      await append(other, first.head, second);
      expect(await settled(journal, EMPTY_HEAD, first)).to.equal('done');
      expect(storedIds()).to.deep.equal(idsOf(first, second));
    });

    it('is fenced where another writer took the place of its lost batch', async () => {
      const [journal, other] = [await open(), await open()];
      const first = batchAfter(EMPTY_HEAD, 2, 1);
      await append(journal, EMPTY_HEAD, first);
      fake.faults.next('append', { kind: 'cut', stored: false });
      const lost = batchAfter(first.head, 1, 2);
      expect(await outcome(append(journal, first.head, lost))).to.be.instanceOf(AppendUnknown);
      const taken = batchAfter(first.head, 3, 3);
      // The cut was through both connections.
      expect(await settled(other, first.head, taken)).to.equal('done');
      const fenced = await outcome(append(journal, first.head, lost));
      expect(fenced).to.be.instanceOf(WrongExpectedHead);
      expect((fenced as WrongExpectedHead).actual).to.deep.equal(taken.head);
      expect(storedIds()).to.deep.equal(idsOf(first, taken));
    });

    it('does not call itself fenced while the server shows less than it has', async () => {
      const journal = await open(IMPATIENT);
      const first = batchAfter(EMPTY_HEAD, 2, 1);
      const second = batchAfter(first.head, 2, 2);
      await settled(journal, EMPTY_HEAD, first);
      fake.faults.next('append', { kind: 'silence', stored: true });
      expect(await outcome(append(journal, first.head, second))).to.be.instanceOf(AppendUnknown);
      fake.log.showUpTo(0);
      expect(await outcome(append(journal, first.head, second))).to.be.instanceOf(AppendUnknown);
      const reopened = await open({ appendTimeoutMs: IMPATIENT.appendTimeoutMs });
      expect(await outcome(append(reopened, first.head, second))).to.be.instanceOf(AppendUnknown);
      fake.log.showUpTo(null);
      expect(await settled(journal, first.head, second)).to.equal('done');
      expect(await settled(reopened, first.head, second)).to.equal('done');
      expect(storedIds()).to.deep.equal(idsOf(first, second));
    });

    it('waits for no server that was stopped, and goes on when it was woken', async () => {
      const journal = await open(IMPATIENT);
      const first = batchAfter(EMPTY_HEAD, 2, 1);
      await settled(journal, EMPTY_HEAD, first);
      fake.gate.freeze();
      const second = batchAfter(first.head, 2, 2);
      expect(await outcome(append(journal, first.head, second))).to.be.instanceOf(AppendUnknown);
      expect(await outcome(journal.head())).to.be.instanceOf(Error);
      fake.gate.thaw();
      expect(await settled(journal, first.head, second)).to.equal('done');
      expect(storedIds()).to.deep.equal(idsOf(first, second));
    });

    it('goes on with a server that was killed and started again', async () => {
      const journal = await open();
      const first = batchAfter(EMPTY_HEAD, 2, 1);
      await append(journal, EMPTY_HEAD, first);
      await fake.gate.shut();
      const second = batchAfter(first.head, 2, 2);
      expect(await outcome(append(journal, first.head, second))).to.be.instanceOf(AppendUnknown);
      fake.restart();
      fake.become('booting');
      await fake.gate.open();
      expect(await outcome(append(journal, first.head, second))).to.be.instanceOf(AppendUnknown);
      fake.become('leader');
      expect(await settled(journal, first.head, second)).to.equal('done');
      expect(storedIds()).to.deep.equal(idsOf(first, second));
    });
  });

  describe('opening', () => {
    it('waits for a server that boots', async () => {
      fake.become('booting');
      const opening = createEventStoreJournal({ connectionString: fake.connectionString() });
      await fake.faults.called('gossip', 2);
      fake.become('leader');
      opened.push(await opening);
      expect(await opened[0]!.head()).to.deep.equal(EMPTY_HEAD);
    });

    it('finds the leader by discovery', async () => {
      const journal = await open({ connectionString: fake.connectionString({ discover: true }) });
      const batch = batchAfter(EMPTY_HEAD, 1, 1);
      await append(journal, EMPTY_HEAD, batch);
      expect(await journal.head()).to.deep.equal(batch.head);
    });

    it('gives a server up that never leads, says nothing, or is not there', async () => {
      fake.become('booting');
      expect(await outcome(open(IMPATIENT))).to.be.instanceOf(Error);
      fake.become('leader');
      fake.gate.freeze();
      expect(await outcome(open(IMPATIENT))).to.be.instanceOf(Error);
      await fake.gate.shut();
      expect(await outcome(open(IMPATIENT))).to.be.instanceOf(Error);
      await fake.gate.open();
    });

    for (const [key, value] of Object.entries({ $maxAge: 60, $maxCount: 1_000_000, $tb: 1 })) {
      it(`refuses a stream whose ${key} takes events away`, async () => {
        const data = Buffer.from(JSON.stringify({ [key]: value }));
        const metadata = { contentType: 'application/json', data, id: crypto.randomUUID(), metadata: new Uint8Array() };
        fake.log.append(`$$${STREAM}`, 'any', [{ ...metadata, type: '$metadata' }]);
        const refusal = await outcome(open());
        expect(refusal).to.be.instanceOf(Error);
        expect((refusal as Error).message).to.contain(key);
      });
    }
  });

  describe('head and read', () => {
    const faults: ReadFault[] = [
      { after: 1, kind: 'silence' },
      { after: 0, kind: 'silence' },
      { after: 1, failure: { code: status.UNAVAILABLE, message: 'planned' }, kind: 'error' },
      { after: 1, failure: { code: status.INTERNAL, message: 'planned' }, kind: 'error' },
      { after: 1, kind: 'cut' },
    ];
    for (const fault of faults) {
      it(`fail after ${fault.kind}, after ${fault.after} events, and work again`, async () => {
        const journal = await open(fault.kind === 'silence' ? IMPATIENT : {});
        const batch = batchAfter(EMPTY_HEAD, 3, 1);
        await settled(journal, EMPTY_HEAD, batch);
        fake.faults.next('read', fault);
        expect(await outcome(journal.read(1, 3))).to.be.instanceOf(Error);
        expect(await eventually(() => journal.read(1, 3))).to.deep.equal(batch.events);
        fake.faults.next('read', { ...fault, after: 0 });
        expect(await outcome(journal.head())).to.be.instanceOf(Error);
        expect(await eventually(() => journal.head())).to.deep.equal(batch.head);
      });
    }

    it('head never falls behind what this instance knows', async () => {
      const journal = await open();
      const batch = batchAfter(EMPTY_HEAD, 3, 1);
      await append(journal, EMPTY_HEAD, batch);
      fake.log.showUpTo(0);
      expect(await outcome(journal.head())).to.be.instanceOf(Error);
      fake.log.showUpTo(null);
      expect(await journal.head()).to.deep.equal(batch.head);
    });
  });

  describe('follow', () => {
    /** Follows from `fromSeq` until `lastSeq` has come; every event once and in order, or the journal's own check fails. */
    const followed = async (journal: Journal, fromSeq: number, lastSeq: number): Promise<StoredEvent[]> => {
      const stop = new AbortController();
      const events: StoredEvent[] = [];
      for await (const page of journal.follow(fromSeq, { pageSize: 2, signal: stop.signal })) {
        events.push(...page);
        if (events.at(-1)!.seq >= lastSeq) stop.abort();
      }
      return events;
    };
    const failure: Failure = { code: status.UNAVAILABLE, message: 'planned' };
    const drops: ReadFault[] = [
      { after: 0, kind: 'silence' },
      { after: 1, kind: 'silence' },
      { after: 1, failure, kind: 'error' },
      { after: 1, failure: { code: status.ABORTED, message: 'planned' }, kind: 'error' },
      { after: 1, kind: 'end' },
      { after: 1, kind: 'cut' },
    ];
    for (const operation of ['subscribe', 'read'] as const) {
      for (const fault of drops) {
        it(`loses and doubles nothing when its ${operation} meets ${fault.kind} after ${fault.after} events`, async () => {
          const [journal, writer] = [await open(IMPATIENT), await open()];
          const first = batchAfter(EMPTY_HEAD, 3, 1);
          await append(writer, EMPTY_HEAD, first);
          fake.faults.next(operation, fault);
          const following = followed(journal, 1, 7);
          await fake.faults.called('subscribe', 1);
          const second = batchAfter(first.head, 2, 2);
          const third = batchAfter(second.head, 2, 3);
          for (const [head, batch] of [
            [first.head, second],
            [second.head, third],
          ] as const) {
            expect(await settled(writer, head, batch)).to.equal('done');
          }
          expect(await following).to.deep.equal([...first.events, ...second.events, ...third.events]);
        });
      }
    }

    it('goes on from where it was when the server was gone for a while', async () => {
      const journal = await open();
      const first = batchAfter(EMPTY_HEAD, 3, 1);
      await append(journal, EMPTY_HEAD, first);
      const following = followed(journal, 2, 5);
      await fake.faults.called('subscribe', 1);
      await fake.gate.shut();
      const second = batchAfter(first.head, 2, 2);
      await fake.gate.open();
      expect(await settled(journal, first.head, second)).to.equal('done');
      expect(await following).to.deep.equal([...first.events.slice(1), ...second.events]);
    });

    it('tells its reader when the stream is buried, instead of trying for ever', async () => {
      const journal = await open();
      const first = batchAfter(EMPTY_HEAD, 1, 1);
      await append(journal, EMPTY_HEAD, first);
      const following = followed(journal, 1, 9);
      await fake.faults.called('subscribe', 1);
      fake.log.delete(STREAM, 'any', 'tombstone');
      expect(await outcome(following)).to.be.instanceOf(Error);
    });
  });

  describe('close', () => {
    it('waits for nothing that the server owes: an append, a read, a follower', async () => {
      const journal = await open();
      const first = batchAfter(EMPTY_HEAD, 1, 1);
      await append(journal, EMPTY_HEAD, first);
      const reads = fake.faults.calls('read');
      fake.faults.next('append', { kind: 'silence', stored: false });
      fake.faults.next('read', { after: 0, kind: 'silence' });
      fake.faults.next('subscribe', { after: 0, kind: 'silence' });
      const owed = [
        outcome(append(journal, first.head, batchAfter(first.head, 1, 2))),
        outcome(journal.read(1, 1)),
        outcome(journal.follow(2, { signal: new AbortController().signal })[Symbol.asyncIterator]().next()),
      ];
      await Promise.all([
        fake.faults.called('append', 2),
        fake.faults.called('read', reads + 1),
        fake.faults.called('subscribe', 1),
      ]);
      await journal.close();
      const [appended, read, next] = await Promise.all(owed);
      expect(appended).to.be.instanceOf(AppendUnknown);
      expect(read).to.be.instanceOf(Error);
      expect(next).to.equal('done');
    });
  });
});
