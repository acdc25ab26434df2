import { expect } from 'chai';
import fc from 'fast-check';
import { LruCache } from '../src/serving/lru-cache.ts';

const KEYS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

describe('kept answers', () => {
  it('gives what was put in, and nothing else', () => {
    const kept = new LruCache<string>({ answers: 2, bytes: 100 });
    kept.set('a', 'one', 3);
    expect(kept.get('a')).to.equal('one');
    expect(kept.get('b')).to.equal(undefined);
    kept.delete('a');
    expect(kept.get('a')).to.equal(undefined);
    expect(kept.bytes).to.equal(0);
  });

  it('evicts the least recently used entry', () => {
    const kept = new LruCache<number>({ answers: 2, bytes: 100 });
    kept.set('a', 1, 1);
    kept.set('b', 2, 1);
    kept.get('a');
    kept.set('c', 3, 1);
    expect(['a', 'b', 'c'].map((key) => kept.get(key))).to.deep.equal([1, undefined, 3]);
  });

  it('does not evict everything for an entry that exceeds its limit', () => {
    const kept = new LruCache<number>({ answers: 9, bytes: 100 });
    kept.set('a', 1, 50);
    kept.set('b', 2, 200);
    expect([kept.get('a'), kept.get('b')]).to.deep.equal([1, undefined]);
  });

  it('holds no more than its room, whatever is put in, and counts what it holds', () => {
    const step = fc.record({ key: fc.constantFrom(...KEYS), bytes: fc.integer({ min: 0, max: 60 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const kept = new LruCache<number>({ answers: 4, bytes: 100 });
        for (const { key, bytes } of steps) {
          kept.set(key, bytes, bytes);
          expect(kept.size).to.be.at.most(4);
          expect(kept.bytes).to.be.at.most(100);
        }
        const held = KEYS.flatMap((key) => kept.get(key) ?? []);
        expect(held.length).to.equal(kept.size);
        expect(held.reduce((sum, bytes) => sum + bytes + 2, 0)).to.equal(kept.bytes);
      }),
      { seed: 6 },
    );
  });
});
