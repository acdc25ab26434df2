import type { StoredEvent } from '@paper/journal';
import { expect } from 'chai';
import fc from 'fast-check';
import { EVENT_COLUMNS, eventRow, eventsOf } from '../src/event-rows.ts';

const anyText = fc.string({ unit: fc.constantFrom('a', 'ä', '😀', '\\', '\t', '\n', '\r', 'N', '"') });
const anyEvent: fc.Arbitrary<StoredEvent> = fc.record({
  hash: fc.constant('ab'.repeat(32)),
  id: fc.uuid(),
  privateText: fc.option(anyText),
  publicText: anyText,
  seq: fc.integer({ min: 1 }),
  type: fc.constant('OrderPlaced'),
});

async function read(bytes: Buffer, chunk: number): Promise<StoredEvent[]> {
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, n) =>
    bytes.subarray(n * chunk, (n + 1) * chunk),
  );
  const found: StoredEvent[] = [];
  for await (const { shard, ...event } of eventsOf(streamed(chunks), EVENT_COLUMNS)) {
    expect(shard).to.equal('main');
    found.push(event);
  }
  return found;
}

async function* streamed(chunks: readonly Buffer[]): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield* chunks;
}

describe('rows of events', () => {
  it('are read as they were written, however the bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyEvent, { maxLength: 5 }), fc.integer({ min: 1, max: 40 }), async (events, chunk) => {
        const bytes = Buffer.from(events.map((event) => eventRow('main', event)).join(''));
        expect(await read(bytes, chunk)).to.deep.equal(events);
      }),
      { numRuns: 100 },
    );
  });

  it('are refused where the last one is cut off', async () => {
    const error = await read(Buffer.from('main\t1'), 3).catch((reason: unknown) => reason);
    expect(String(error)).to.include('The last row of journal.events is cut off');
  });
});
