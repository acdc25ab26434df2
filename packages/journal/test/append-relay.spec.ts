import { setImmediate as turn } from 'node:timers/promises';
import { SimulatedJournal } from '@paper/testkit';
import { expect } from 'chai';
import { AppendRelay, RelayedJournal } from '../src/index.ts';
import type { Journal, StoredEvent } from '../src/index.ts';

/** A journal, its copy that gets what is relayed, and a follower of that from the beginning. */
function relayed(from = 1) {
  const simulated = new SimulatedJournal({ seed: 5 });
  const reads: number[] = [];
  const source: Journal = {
    append: (expected, batch) => simulated.journal.append(expected, batch),
    close: () => simulated.journal.close(),
    follow: (fromSeq, options) => simulated.journal.follow(fromSeq, options),
    head: () => simulated.journal.head(),
    read(fromSeq, limit) {
      reads.push(fromSeq);
      return simulated.journal.read(fromSeq, limit);
    },
  };
  const copy = new RelayedJournal({ journal: source, retries: () => false, pollMs: 600_000 });
  const relay = new AppendRelay((message, transferred) => {
    copy.receive(structuredClone(message, { transfer: transferred }));
  });
  const followed: StoredEvent[] = [];
  const stop = new AbortController();
  const following = (async () => {
    for await (const page of copy.follow(from, { pageSize: 1_000, signal: stop.signal })) followed.push(...page);
  })();
  /** Appends so many more commands, and gives their events. */
  const grow = async (commands: number): Promise<readonly StoredEvent[]> => {
    const { seq } = simulated.head;
    await simulated.run(commands);
    return simulated.journal.read(seq + 1, simulated.head.seq - seq);
  };
  const settled = async (): Promise<void> => {
    for (let n = 0; n < 10; n += 1) await turn();
  };
  const end = async (): Promise<void> => {
    stop.abort();
    await following;
    await copy.close();
  };
  return { copy, end, followed, grow, reads, relay, settled };
}

describe('appends that are relayed to another thread', () => {
  it('are followed whole, in order, and without a read of the journal', async () => {
    const { end, followed, grow, reads, relay, settled } = relayed();
    await settled();
    const events: StoredEvent[] = [];
    const [readAtFirst] = [reads.length];
    for (let n = 0; n < 5; n += 1) {
      const batch = await grow(20);
      events.push(...batch);
      relay.appended(batch);
      await settled();
    }
    expect(followed).to.deep.equal(events);
    expect(events.some(({ privateText }) => privateText === null)).to.equal(true);
    expect(events.some(({ privateText }) => privateText !== null)).to.equal(true);
    expect(reads.length).to.equal(readAtFirst);
    await end();
  });

  it('keep characters beyond ASCII', async () => {
    const { end, followed, grow, relay, settled } = relayed();
    await settled();
    const [first] = await grow(1);
    if (first === undefined) throw new Error('no event');
    const event = { ...first, publicText: '{"title":"Größe – 漢字 😀"}', privateText: '{"name":"Žofie"}' };
    relay.appended([event]);
    await settled();
    expect(followed).to.deep.equal([event]);
    await end();
  });

  it('are read from the journal where they are announced, or unknown', async () => {
    const { end, followed, grow, relay, settled } = relayed();
    await settled();
    const announced = await grow(10);
    relay.announced(announced.at(-1)?.seq);
    await settled();
    expect(followed).to.deep.equal(announced);
    const unknown = await grow(10);
    relay.unknown();
    await settled();
    expect(followed).to.deep.equal([...announced, ...unknown]);
    await end();
  });

  it('wait in the journal while 8 MiB of them are under way', async () => {
    const { end, followed, grow, reads, relay, settled } = relayed();
    await settled();
    const events = await grow(3);
    const [large, second, third] = events;
    if (large === undefined || second === undefined || third === undefined) throw new Error('too few events');
    relay.appended([{ ...large, publicText: 'ü'.repeat(4 * 1024 * 1024) }]);
    relay.appended([second]);
    await settled();
    expect(followed.map(({ seq }) => seq)).to.deep.equal([large.seq]);
    const readBefore = reads.length;
    relay.processed(large.seq);
    await settled();
    expect(followed.slice(1)).to.deep.equal(events.slice(1));
    expect(reads.length).to.be.greaterThan(readBefore);
    await end();
  });
});
