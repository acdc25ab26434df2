import { binaryEvent, EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import type {
  AppendResult,
  AppendToStreamOptions,
  EventData,
  ReadStreamOptions,
  ResolvedEvent,
} from '@eventstore/db-client';
import { expect } from 'chai';

/** A server to be examined. */
export interface SemanticsFixture {
  readonly connectionString: string;
  close(): Promise<void>;
}

/** The client's two ways to append; with credentials a call takes the unary one. */
const PATHS: Readonly<Record<string, Pick<AppendToStreamOptions, 'credentials'>>> = {
  batch: {},
  unary: { credentials: { password: 'changeit', username: 'admin' } },
};

const NO_STREAM = 'no_stream' as const;

/** Binary events, as the journal stores texts that must keep every byte. */
function events(count: number, tag = 'x'): EventData[] {
  return Array.from({ length: count }, (_, index) =>
    binaryEvent({
      data: Buffer.from(`\u0000${index}${tag}`),
      metadata: Buffer.from(JSON.stringify({ tag })),
      type: `Type${index}`,
    }),
  );
}

function sized(bytes: number): EventData {
  return binaryEvent({ data: Buffer.alloc(bytes, 0x61), type: 'Sized' });
}

async function typeOfFailure(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return (error as { type?: unknown }).type;
  }
  throw new Error('it was expected to fail');
}

/**
 * The behaviour of streams that the journal relies on. Each rule was observed on a real EventStoreDB 24.2, and a fake
 * must behave the same.
 */
export function streamSemantics(name: string, createFixture: () => Promise<SemanticsFixture>): void {
  describe(`stream semantics: ${name}`, function () {
    this.timeout(30_000);
    let fixture: SemanticsFixture;
    let client: EventStoreDBClient;
    let stream: string;

    before(async () => {
      fixture = await createFixture();
      client = EventStoreDBClient.connectionString(fixture.connectionString);
    });
    after(async () => {
      await client.dispose();
      await fixture.close();
    });
    beforeEach(() => {
      stream = `semantics-${crypto.randomUUID()}`;
    });

    const read = async (options: ReadStreamOptions = {}, of = stream): Promise<ResolvedEvent[]> => {
      const found: ResolvedEvent[] = [];
      for await (const event of client.readStream(of, options)) found.push(event);
      return found;
    };
    const revisions = async (options: ReadStreamOptions = {}): Promise<number[]> =>
      (await read(options)).map(({ event }) => Number(event!.revision));
    const ids = async (): Promise<string[]> => (await read()).map(({ event }) => event!.id);

    for (const [path, credentials] of Object.entries(PATHS)) {
      const append = (batch: EventData[], expectedRevision: bigint | 'any' | 'no_stream'): Promise<AppendResult> =>
        client.appendToStream(stream, batch, { ...credentials, expectedRevision });

      describe(`append by ${path}`, () => {
        it('numbers revisions from 0, and keeps ids, types and every byte', async () => {
          const batch = events(3, 'é 東京 \u0000');
          const result = await append(batch, NO_STREAM);
          expect(result.success).to.equal(true);
          expect(result.nextExpectedRevision).to.equal(2n);
          const found = (await read()).map(({ event }) => event!);
          expect(found.map(({ revision }) => revision)).to.deep.equal([0n, 1n, 2n]);
          expect(found.map(({ id, type }) => ({ id, type }))).to.deep.equal(
            batch.map(({ id, type }) => ({ id, type })),
          );
          expect(found.map(({ data }) => Buffer.from(data as Uint8Array))).to.deep.equal(batch.map(({ data }) => data));
          expect(found[0]!.metadata).to.deep.equal({ tag: 'é 東京 \u0000' });
          expect(found[0]!.isJson).to.equal(false);
        });

        it('gives JSON back parsed', async () => {
          await append([jsonEvent({ data: { a: [1, null] }, type: 'Json' })], NO_STREAM);
          expect((await read())[0]!.event).to.deep.include({ data: { a: [1, null] }, isJson: true });
        });

        it('takes the same ids at their own revision again, also an older batch, and writes nothing', async () => {
          const [first, second] = [events(2), events(3)];
          await append(first, NO_STREAM);
          await append(second, 1n);
          expect((await append(second, 1n)).nextExpectedRevision).to.equal(4n);
          expect((await append(first, NO_STREAM)).nextExpectedRevision).to.equal(1n);
          expect(await revisions()).to.deep.equal([0, 1, 2, 3, 4]);
        });

        it('writes the same ids twice at the current revision', async () => {
          const batch = events(2);
          await append(batch, NO_STREAM);
          expect((await append(batch, 1n)).nextExpectedRevision).to.equal(3n);
          expect(await ids()).to.deep.equal([...batch, ...batch].map(({ id }) => id));
        });

        it('keeps the old data of the same ids, and says that it succeeded', async () => {
          const batch = events(1, 'old');
          await append(batch, NO_STREAM);
          const changed = { ...batch[0]!, data: Buffer.from('new') } as EventData;
          expect((await append([changed], NO_STREAM)).nextExpectedRevision).to.equal(0n);
          expect(Buffer.from((await read())[0]!.event!.data as Uint8Array).toString()).to.contain('old');
        });

        it('takes the same ids at any revision for the same batch', async () => {
          const batch = events(2);
          await append(batch, 'any');
          expect((await append(batch, 'any')).nextExpectedRevision).to.equal(1n);
          expect(await revisions()).to.deep.equal([0, 1]);
        });

        it('refuses other ids, a partial overlap and a gap, and names the revision that is there', async () => {
          const first = events(2);
          await append(first, NO_STREAM);
          const wrong = [
            append(events(2), NO_STREAM),
            append(events(1), 0n),
            append([...first, ...events(1)], NO_STREAM),
            append([first[0]!, ...events(1)], NO_STREAM),
            append(events(1), 7n),
          ];
          for (const attempt of await Promise.allSettled(wrong)) {
            expect(attempt.status).to.equal('rejected');
            expect((attempt as PromiseRejectedResult).reason).to.include({
              actualVersion: 1n,
              streamName: stream,
              type: 'wrong-expected-version',
            });
          }
          expect(await ids()).to.deep.equal(first.map(({ id }) => id));
        });

        it('names no revision where there is no stream', async () => {
          const error: unknown = await append(events(1), 3n).catch((thrown: unknown) => thrown);
          expect(error).to.include({ actualVersion: NO_STREAM, expectedVersion: 3n, type: 'wrong-expected-version' });
        });

        it('succeeds with an empty batch, and writes nothing', async () => {
          await append(events(1), NO_STREAM);
          expect((await append([], 0n)).success).to.equal(true);
          expect(await revisions()).to.deep.equal([0]);
        });

        it('takes 1 MiB of data as a whole, whatever the metadata, and not a byte more', async () => {
          const half = 512 * 1024;
          expect(await typeOfFailure(append([sized(half), sized(half), sized(1)], NO_STREAM))).to.equal(
            'maximum-append-size-exceeded',
          );
          expect(await typeOfFailure(read())).to.equal('stream-not-found');
          await append([sized(half), { ...sized(half), metadata: { text: 'x'.repeat(half) } }], NO_STREAM);
          expect(await revisions()).to.deep.equal([0, 1]);
        });

        it('refuses a stream that was buried, for ever', async () => {
          await append(events(1), NO_STREAM);
          await client.tombstoneStream(stream);
          expect(await typeOfFailure(append(events(1), 0n))).to.equal('stream-deleted');
          expect(await typeOfFailure(append(events(1), 'any'))).to.equal('stream-deleted');
        });

        it('goes on counting in a stream that was deleted', async () => {
          await append(events(2), NO_STREAM);
          await client.deleteStream(stream);
          expect((await append(events(1), NO_STREAM)).nextExpectedRevision).to.equal(2n);
          // The server lifts the deletion a moment after it has answered.
          while (await client.getStreamMetadata(stream).then(({ metadata }) => metadata?.truncateBefore !== 2));
          expect(await revisions()).to.deep.equal([2]);
        });
      });
    }

    describe('read', () => {
      beforeEach(() => client.appendToStream(stream, events(5), { expectedRevision: NO_STREAM }));

      it('begins with the revision that it is given, either way, and gives no more than it is asked', async () => {
        expect(await revisions({ fromRevision: 2n })).to.deep.equal([2, 3, 4]);
        expect(await revisions({ fromRevision: 1n, maxCount: 2 })).to.deep.equal([1, 2]);
        expect(await revisions({ direction: 'backwards', fromRevision: 'end', maxCount: 1 })).to.deep.equal([4]);
        expect(await revisions({ direction: 'backwards', fromRevision: 2n })).to.deep.equal([2, 1, 0]);
      });

      it('gives nothing beyond the end', async () => {
        expect(await revisions({ fromRevision: 5n })).to.deep.equal([]);
        expect(await revisions({ fromRevision: 1_000_000n, maxCount: 3 })).to.deep.equal([]);
      });

      it('says where there is no stream', async () => {
        expect(await typeOfFailure(read({}, `${stream}-other`))).to.equal('stream-not-found');
      });

      it('does not give what $maxCount and $tb hide', async () => {
        await client.setStreamMetadata(stream, { maxCount: 3 });
        expect(await revisions()).to.deep.equal([2, 3, 4]);
        await client.setStreamMetadata(stream, { truncateBefore: 4 });
        expect(await revisions()).to.deep.equal([4]);
        expect(await revisions({ direction: 'backwards', fromRevision: 'end' })).to.deep.equal([4]);
        expect((await client.getStreamMetadata(stream)).metadata).to.deep.equal({ truncateBefore: 4 });
        expect((await read({}, `$$${stream}`)).map(({ event }) => event!.data)).to.deep.equal([{ $tb: 4 }]);
      });

      it('finds a deleted stream no more, and says of a buried one that it is deleted', async () => {
        await client.deleteStream(stream);
        expect(await typeOfFailure(read())).to.equal('stream-not-found');
        await client.tombstoneStream(stream);
        expect(await typeOfFailure(read())).to.equal('stream-deleted');
      });
    });

    describe('subscribe', () => {
      /** The revisions that come until `last`; `onFirst` is called when one has come, or when all that was there has. */
      const follow = async (
        fromRevision: bigint | 'start' | 'end',
        last: number,
        caughtUp: () => Promise<unknown> = async () => undefined,
      ): Promise<number[]> => {
        const subscription = client.subscribeToStream(stream, { fromRevision });
        subscription.once('caughtUp', () => void caughtUp());
        const found: number[] = [];
        for await (const { event } of subscription) {
          found.push(Number(event!.revision));
          if (found.at(-1) === last) break;
        }
        return found;
      };
      const more = (count: number, after: bigint | 'no_stream'): Promise<AppendResult> =>
        client.appendToStream(stream, events(count), { expectedRevision: after });

      it('begins after the revision that it is given, catches up, and goes on live', async () => {
        await more(4, NO_STREAM);
        expect(await follow(1n, 5, () => more(2, 3n))).to.deep.equal([2, 3, 4, 5]);
        expect(await follow('start', 5)).to.deep.equal([0, 1, 2, 3, 4, 5]);
        expect(await follow('end', 6, () => more(1, 5n))).to.deep.equal([6]);
      });

      it('waits for a stream that is not there yet', async () => {
        expect(await follow('start', 1, () => more(2, NO_STREAM))).to.deep.equal([0, 1]);
      });

      it('leaves out what comes before the revision that it is given, where that is ahead of the end', async () => {
        await more(1, NO_STREAM);
        expect(await follow(2n, 4, () => more(4, 0n))).to.deep.equal([3, 4]);
      });

      it('ends with an error when the stream is buried', async () => {
        await more(1, NO_STREAM);
        await client.tombstoneStream(stream);
        expect(await typeOfFailure(follow('start', 9))).to.equal('stream-deleted');
      });
    });
  });
}
