import { binaryEvent, EventStoreDBClient } from '@eventstore/db-client';
import type { AppendToStreamOptions, EventData } from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { credentials, status } from '@grpc/grpc-js';
import { scaledMs } from '@paper/testkit';
import { expect } from 'chai';
import { once } from 'node:events';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import type { AppendFault, ReadFault, Refusal } from './faults.ts';
import { startFakeEventStore } from './server.ts';
import type { FakeEventStore } from './server.ts';
import { streamIdentifier } from './wire.ts';

const STREAM = 'faults';
const UNARY: AppendToStreamOptions = { credentials: { password: 'changeit', username: 'admin' } };

function events(count: number): EventData[] {
  return Array.from({ length: count }, () => binaryEvent({ data: Buffer.from('x'), type: 'Type' }));
}

/** The name of a failure in the public client: its class, or the code of an error without a class. */
async function failure(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    const { code, message, type } = error as { code?: number; message: string; type?: string };
    return type === 'unknown' ? message : (type ?? code);
  }
  return 'none';
}

describe('faults of the fake', function () {
  this.timeout(10_000);
  let fake: FakeEventStore;
  let client: EventStoreDBClient;
  beforeEach(async () => {
    fake = await startFakeEventStore();
    client = EventStoreDBClient.connectionString(fake.connectionString());
  });
  afterEach(async () => {
    await client.dispose();
    await fake.close();
  });

  const storedCount = (): number => {
    const view = fake.log.view(STREAM);
    return view.kind === 'found' ? view.last + 1 : 0;
  };

  describe('of an append', () => {
    const error = { code: status.INTERNAL, message: 'planned' };
    const refusal = (reason: Refusal, stored = false): AppendFault => ({ kind: 'refusal', reason, stored });
    const cases: [what: string, AppendFault, batch: unknown, unary: unknown][] = [
      ['an error', { failure: error, kind: 'error', stored: false }, '13 INTERNAL: planned', '13 INTERNAL: planned'],
      [
        'an error, stored',
        { failure: error, kind: 'error', stored: true },
        '13 INTERNAL: planned',
        '13 INTERNAL: planned',
      ],
      ['a cut', { kind: 'cut', stored: false }, 'unavailable', 'unavailable'],
      ['a cut, stored', { kind: 'cut', stored: true }, 'unavailable', 'unavailable'],
      ['access denied', refusal('access_denied'), 'access-denied', 'access-denied'],
      ['a busy server', refusal('busy'), 'Could not recognize Server Is Busy', 'unavailable'],
      [
        'no leader',
        refusal('no_leader_info'),
        'Could not recognize No leader info available in response',
        '2 UNKNOWN: No leader info available in response',
      ],
      ['another leader', refusal('not_leader'), 'not-leader', 'not-leader'],
      ['a booting server', refusal('not_ready'), 'Could not recognize Server Is Not Ready', 'unavailable'],
      ['a buried stream', refusal('stream_deleted'), 'stream-deleted', 'stream-deleted'],
      ['a timeout, stored', refusal('timeout', true), 'deadline-exceeded', 'timeout'],
    ];
    for (const [what, fault, batch, unary] of cases) {
      for (const [path, options, expected] of [
        ['batch', {}, batch],
        ['unary', UNARY, unary],
      ] as const) {
        it(`${what}, by ${path}: the next append meets it, and no other`, async () => {
          fake.faults.next('append', fault);
          expect(await failure(client.appendToStream(STREAM, events(2), options))).to.equal(expected);
          const stored = 'stored' in fault && fault.stored ? 2 : 0;
          expect(storedCount()).to.equal(stored);
          await client.appendToStream(STREAM, events(1), options);
          expect(storedCount()).to.equal(stored + 1);
          expect(fake.faults.calls('append')).to.equal(2);
        });
      }
    }

    it('silence: the deadline of the client ends it', async () => {
      fake.faults.next('append', { kind: 'silence', stored: true });
      expect(await failure(client.appendToStream(STREAM, events(2), { ...UNARY, deadline: scaledMs(500) }))).to.equal(
        'deadline-exceeded',
      );
      expect(storedCount()).to.equal(2);
    });

    it('twice, and a stray answer: more answers than batches', async () => {
      const raw = new StreamsClient(`127.0.0.1:${fake.gate.port}`, credentials.createInsecure());
      const call = raw.batchAppend();
      const answered: string[] = [];
      const answers = new Promise<void>((resolve) => {
        call.on('data', (answer: BatchAppendResp) => {
          answered.push(answer.getCorrelationId()!.getString());
          if (answered.length === 4) resolve();
        });
      });
      fake.faults.next('append', { kind: 'twice' }, { kind: 'stray' });
      const batch = (id: string): unknown =>
        call.write(
          new streams.BatchAppendReq()
            .setCorrelationId(new shared.UUID().setString(id))
            .setOptions(
              new streams.BatchAppendReq.Options()
                .setStreamIdentifier(streamIdentifier(STREAM))
                .setAny(new empty.Empty()),
            )
            .setIsFinal(true),
        );
      batch('first');
      batch('second');
      await answers;
      call.end();
      await once(call, 'end');
      raw.close();
      expect([answered[0], answered[1], answered[3]]).to.deep.equal(['first', 'first', 'second']);
      expect(answered[2]).not.to.equal('second');
    });

    it('is met by every append while it lasts, and by those that a function picks', async () => {
      const stop = fake.faults.while('append', { kind: 'refusal', reason: 'timeout', stored: false });
      for (let round = 0; round < 2; round++) {
        expect(await failure(client.appendToStream(STREAM, events(1)))).to.equal('deadline-exceeded');
      }
      stop();
      expect(await failure(client.appendToStream(STREAM, events(1)))).to.equal('none');
      let calls = 0;
      fake.faults.while('append', () =>
        (calls += 1) === 2 ? { kind: 'refusal', reason: 'access_denied', stored: false } : undefined,
      );
      expect(await failure(client.appendToStream(STREAM, events(1)))).to.equal('none');
      expect(await failure(client.appendToStream(STREAM, events(1)))).to.equal('access-denied');
    });
  });

  describe('of a read and a subscription', () => {
    const error = { code: status.INTERNAL, message: 'planned' };
    const cases: [ReadFault, unknown][] = [
      [{ after: 2, failure: error, kind: 'error' }, '13 INTERNAL: planned'],
      [{ after: 2, kind: 'end' }, 'none'],
      [{ after: 2, kind: 'cut' }, 'unavailable'],
      // The reader gives up; the server would be silent for ever.
      [{ after: 2, kind: 'silence' }, 'none'],
    ];
    for (const [fault, expected] of cases) {
      for (const operation of ['read', 'subscribe'] as const) {
        it(`${fault.kind} after two events of a ${operation}`, async () => {
          await client.appendToStream(STREAM, events(5));
          fake.faults.next(operation, fault);
          const reading = operation === 'read' ? client.readStream(STREAM) : client.subscribeToStream(STREAM);
          let count = 0;
          const consume = async (): Promise<void> => {
            for await (const { event } of reading) {
              expect(event!.revision).to.equal(BigInt(count));
              count += 1;
              if (count === 2 && fault.kind === 'silence') return;
            }
          };
          expect(await failure(consume())).to.equal(expected);
          if (fault.kind === 'cut') expect(count).to.be.at.most(2);
          else expect(count).to.equal(2);
        });
      }
    }
  });

  describe('of the node', () => {
    it('booting: nothing is ready, and discovery finds no leader; then everything works', async () => {
      fake.become('booting');
      expect(await failure(client.appendToStream(STREAM, events(1), UNARY))).to.equal('unavailable');
      expect(await failure(client.readStream(STREAM)[Symbol.asyncIterator]().next())).to.equal('unavailable');
      const discovering = EventStoreDBClient.connectionString(
        `${fake.connectionString({ discover: true })}&maxDiscoverAttempts=2&discoveryInterval=1`,
      );
      // Without credentials, the client library would never read the server's features again after one failure.
      expect(await failure(discovering.appendToStream(STREAM, events(1), UNARY))).to.equal(undefined);
      fake.become('leader');
      expect(await failure(discovering.appendToStream(STREAM, events(1), UNARY))).to.equal('none');
      await discovering.dispose();
    });

    it('a head that still rises: readers see the beginning, subscribers get the rest when it shows', async () => {
      await client.appendToStream(STREAM, events(4));
      fake.log.showUpTo(1);
      const last = client.readStream(STREAM, { direction: 'backwards', fromRevision: 'end', maxCount: 1 });
      for await (const { event } of last) expect(event!.revision).to.equal(1n);
      const found: bigint[] = [];
      const subscription = client.subscribeToStream(STREAM);
      subscription.once('caughtUp', () => fake.log.showUpTo(null));
      for await (const { event } of subscription) {
        found.push(event!.revision);
        if (found.length === 4) break;
      }
      expect(found).to.deep.equal([0n, 1n, 2n, 3n]);
    });

    it('restarted: connections end, what was stored stays, ids without a revision are forgotten', async () => {
      const batch = events(1);
      await client.appendToStream(STREAM, batch);
      fake.restart();
      expect(
        await failure(client.appendToStream(STREAM, batch, UNARY).catch(() => client.appendToStream(STREAM, batch))),
      ).to.equal('none');
      expect(storedCount()).to.equal(2);
    });
  });

  describe('of connections', () => {
    it('frozen: a call waits, and goes on when they thaw', async () => {
      await client.appendToStream(STREAM, events(1), UNARY);
      fake.gate.freeze();
      expect(await failure(client.appendToStream(STREAM, events(1), { ...UNARY, deadline: 100 }))).to.equal(
        'deadline-exceeded',
      );
      fake.gate.thaw();
      expect(await failure(client.appendToStream(STREAM, events(1), UNARY))).to.equal('none');
    });

    it('shut: refused until the port is open again', async () => {
      await fake.gate.shut();
      expect(await failure(client.appendToStream(STREAM, events(1), UNARY))).to.equal('unavailable');
      await fake.gate.open();
      expect(await failure(client.appendToStream(STREAM, events(1), UNARY))).to.equal('none');
    });
  });
});
