import { expect } from 'chai';
import fc from 'fast-check';
import { AppendedEvents } from '../src/appended-events.ts';
import type { StoredEvent } from '../src/index.ts';

const event = (seq: number, publicText = 'text'): StoredEvent => ({
  seq,
  publicText,
  hash: `hash-${seq}`,
  id: `id-${seq}`,
  privateText: null,
  type: 'OrderPlaced',
});
const events = (from: number, count: number): StoredEvent[] => Array.from({ length: count }, (_, n) => event(from + n));
const seqs = (taken: readonly StoredEvent[] | null): readonly number[] | null => taken?.map(({ seq }) => seq) ?? null;

describe('appended events that wait for a follower', () => {
  it('are taken once, in order, as many as are asked for', () => {
    const queue = new AppendedEvents();
    queue.offer(events(4, 3));
    queue.offer(events(7, 2));
    expect(seqs(queue.take(4, 4))).to.deep.equal([4, 5, 6, 7]);
    expect(seqs(queue.take(8, 4))).to.deep.equal([8]);
    expect(queue.take(9, 4)).to.equal(null);
  });

  it('are left to the journal where the follower is behind them', () => {
    const queue = new AppendedEvents();
    queue.offer(events(4, 3));
    expect(queue.take(2, 10)).to.equal(null);
    expect(seqs(queue.take(4, 10)), 'after it has read the journal up to them').to.deep.equal([4, 5, 6]);
  });

  it('are skipped where the follower has read them from the journal', () => {
    const queue = new AppendedEvents();
    queue.offer(events(4, 3));
    expect(seqs(queue.take(6, 10))).to.deep.equal([6]);
    queue.offer(events(7, 1));
    expect(queue.take(9, 10)).to.equal(null);
    expect(seqs(queue.take(8, 10)), 'what was skipped is gone').to.equal(null);
  });

  it('are taken once where the process has appended them and the server pushes them too', () => {
    const queue = new AppendedEvents();
    queue.offer(events(4, 3));
    queue.offer(events(4, 1));
    queue.offer(events(5, 4));
    expect(seqs(queue.take(4, 10))).to.deep.equal([4, 5, 6, 7, 8]);
    queue.offer(events(6, 4));
    expect(seqs(queue.take(9, 10))).to.deep.equal([9]);
    queue.offer(events(8, 2));
    expect(queue.take(10, 10)).to.equal(null);
  });

  it('begin anew after a gap', () => {
    const queue = new AppendedEvents();
    queue.offer(events(4, 2));
    queue.offer(events(9, 1));
    expect(queue.take(4, 10)).to.equal(null);
    expect(seqs(queue.take(9, 10))).to.deep.equal([9]);
  });

  it('are dropped beyond 8 MiB, and the queue goes on after what was dropped', () => {
    const queue = new AppendedEvents();
    const text = 'x'.repeat(1024 * 1024);
    for (let seq = 1; seq <= 7; seq += 1) queue.offer([event(seq, text)]);
    expect(seqs(queue.take(1, 1))).to.deep.equal([1]);
    queue.offer([event(8, text)]);
    queue.offer([event(9, text)]);
    expect(queue.take(2, 10)).to.equal(null);
    queue.offer([event(10, text)]);
    expect(seqs(queue.take(10, 10))).to.deep.equal([10]);
  });

  it('may be as many as are taken, however large, while few wait', () => {
    const queue = new AppendedEvents();
    const text = 'x'.repeat(1024 * 1024);
    for (let seq = 1; seq <= 20; seq += 1) {
      queue.offer([event(seq, text)]);
      expect(seqs(queue.take(seq, 1))).to.deep.equal([seq]);
    }
  });

  it('are kept up to 8 MiB, of which each event takes 150 beside its text, also after a gap', () => {
    for (const [excess, kept] of [
      [0, [7, 8]],
      [1, null],
    ] as const) {
      const queue = new AppendedEvents();
      queue.offer(events(1, 3));
      const large = {
        ...event(8, 'x'.repeat(5 * 1024 * 1024)),
        privateText: 'x'.repeat(3 * 1024 * 1024 - 304 + excess),
      };
      queue.offer([event(7, 'text'), large]);
      expect(seqs(queue.take(7, 10))).to.deep.equal(kept);
    }
  });

  it('never give an event out of order, twice, or another one than was offered', () => {
    const step = fc.oneof(
      fc.record({ offer: fc.integer({ min: 1, max: 5 }), gap: fc.constantFrom(0, 0, 0, 2) }),
      fc.record({ take: fc.integer({ min: 1, max: 6 }), read: fc.integer({ min: 0, max: 3 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const queue = new AppendedEvents();
        let end = 0;
        let next = 1;
        for (const step of steps) {
          if ('offer' in step) {
            queue.offer(events(end + 1 + step.gap, step.offer));
            end += step.gap + step.offer;
            continue;
          }
          // Meanwhile the follower has read these events from the journal.
          next = Math.min(end + 1, next + step.read);
          const taken = queue.take(next, step.take) ?? [];
          expect(seqs(taken)).to.deep.equal(taken.map((_, n) => next + n));
          expect(taken.length).to.be.at.most(step.take);
          next += taken.length;
          expect(next).to.be.at.most(end + 1);
        }
      }),
    );
  });
});
