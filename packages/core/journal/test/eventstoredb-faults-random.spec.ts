import { status } from '@grpc/grpc-js';
import { expect } from 'chai';
import fc from 'fast-check';
import { AppendUnknown, createEventStoreJournal, EMPTY_HEAD } from '../src/index.ts';
import type { Head, Journal, StoredEvent } from '../src/index.ts';
import { batchAfter } from './contract.ts';
import type { AppendFault, ReadFault, Refusal } from './fake-eventstore/faults.ts';
import { startFakeEventStore } from './fake-eventstore/server.ts';
import type { FakeEventStore } from './fake-eventstore/server.ts';

/** A fault that is injected before one of a run's appends. */
type Trouble =
  | { readonly append: AppendFault }
  | { readonly read: ReadFault }
  | { readonly subscribe: ReadFault }
  | { readonly node: 'boots' | 'hides its end' | 'restarts' | 'stops' };

const failure = fc
  .constantFrom(status.ABORTED, status.CANCELLED, status.INTERNAL, status.UNAVAILABLE, status.UNKNOWN)
  .map((code) => ({ code, message: 'planned' }));
const stored = fc.boolean();
const reason = fc.constantFrom<Refusal[]>('busy', 'no_leader_info', 'not_leader', 'not_ready', 'timeout', 'unknown');
const appendFault: fc.Arbitrary<AppendFault> = fc.oneof(
  fc.record({ kind: fc.constantFrom('silence' as const, 'cut' as const), stored }),
  fc.record({ kind: fc.constant('refusal' as const), reason, stored }),
  fc.record({ failure, kind: fc.constant('error' as const), stored }),
  fc.record({ kind: fc.constantFrom('twice' as const, 'stray' as const) }),
);
const after = fc.nat({ max: 2 });
const readFault: fc.Arbitrary<ReadFault> = fc.oneof(
  fc.record({ after, kind: fc.constantFrom('silence' as const, 'end' as const, 'cut' as const) }),
  fc.record({ after, failure, kind: fc.constant('error' as const) }),
);
const trouble: fc.Arbitrary<Trouble> = fc.oneof(
  { arbitrary: fc.record({ append: appendFault }), weight: 4 },
  { arbitrary: fc.record({ read: readFault }), weight: 1 },
  { arbitrary: fc.record({ subscribe: readFault }), weight: 1 },
  {
    arbitrary: fc.record({
      node: fc.constantFrom('boots' as const, 'hides its end' as const, 'restarts' as const, 'stops' as const),
    }),
    weight: 1,
  },
);
const step = fc.record({ size: fc.integer({ max: 3, min: 1 }), troubles: fc.array(trouble, { maxLength: 3 }) });

/** Starts a fault, and returns the function that ends it where it does not end by itself. */
function loose(fake: FakeEventStore, what: Trouble): () => void {
  if ('append' in what) {
    fake.faults.next('append', what.append);
  } else if ('read' in what) {
    fake.faults.next('read', what.read);
  } else if ('subscribe' in what) {
    fake.faults.next('subscribe', what.subscribe);
  } else if (what.node === 'restarts') {
    fake.restart();
  } else if (what.node === 'boots') {
    fake.become('booting');
    return () => fake.become('leader');
  } else if (what.node === 'hides its end') {
    fake.log.showUpTo(0);
    return () => fake.log.showUpTo(null);
  } else {
    fake.gate.freeze();
    return () => fake.gate.thaw();
  }
  return () => undefined;
}

/**
 * Appends as the writer does: the identical batch is sent again until its outcome is known. Faults end after one try.
 */
async function appendForEver(
  journal: Journal,
  head: Head,
  batch: readonly StoredEvent[],
  recover: () => void,
): Promise<void> {
  for (;;) {
    try {
      await journal.append(head, batch);
      return;
    } catch (error) {
      if (!(error instanceof AppendUnknown)) throw error;
    } finally {
      recover();
    }
  }
}

/** A journal whose watchdogs can be waited for; on a busy machine they may bite while it opens. */
async function open(fake: FakeEventStore): Promise<Journal> {
  const connectionString = fake.connectionString();
  for (;;) {
    try {
      return await createEventStoreJournal({ appendTimeoutMs: 100, connectionString, pollMs: 20, readTimeoutMs: 100 });
    } catch {
      // If the journal never opens, the test's own time limit ends the test.
    }
  }
}

async function follow(journal: Journal, lastSeq: number): Promise<StoredEvent[]> {
  const stop = new AbortController();
  const events: StoredEvent[] = [];
  for await (const page of journal.follow(1, { pageSize: 3, signal: stop.signal })) {
    events.push(...page);
    if (events.length >= lastSeq) stop.abort();
  }
  return events;
}

describe('eventstoredb journal, through any troubles', function () {
  this.timeout(60_000);

  it('holds exactly the batches that a writer sent until they were stored, once and in order, and so do followers', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 6, minLength: 1 }), async (steps) => {
        const fake = await startFakeEventStore();
        const journals: Journal[] = [];
        try {
          const [writer, reader] = [await open(fake), await open(fake)];
          journals.push(writer, reader);
          const total = steps.reduce((sum, { size }) => sum + size, 0);
          const following = follow(reader, total);
          following.catch(() => undefined);
          const events: StoredEvent[] = [];
          let head = EMPTY_HEAD;
          for (const [index, { size, troubles }] of steps.entries()) {
            const batch = batchAfter(head, size, index + 1);
            const recoveries = troubles.map((what) => loose(fake, what));
            await appendForEver(writer, head, batch.events, () => {
              for (const recover of recoveries) recover();
            });
            events.push(...batch.events);
            head = batch.head;
          }
          expect(await following).to.deep.equal(events);
          const view = fake.log.view('exchange-main');
          expect(view.kind === 'found' && view.last).to.equal(total - 1);
        } finally {
          fake.gate.thaw();
          for (const journal of journals) await journal.close();
          await fake.close();
        }
      }),
      { numRuns: 20 },
    ));
});
