import { expect } from 'chai';
import { createRandom } from '../src/random.ts';

/** Fixed, so that a seed in a bug report always gives the same run. */
const GOLDEN = [2_837_322_924, 544_945_897, 479_756_282, 3_500_138_142];

describe('seeded randomness', () => {
  it('gives the same numbers for the same seed, on every machine', () => {
    const random = createRandom(42);
    expect(Array.from({ length: 4 }, () => random.next())).to.deep.equal(GOLDEN);
    expect(createRandom(43).next()).not.to.equal(GOLDEN[0]);
  });

  it('reaches every whole number of a range, about equally often, and none beside', () => {
    const random = createRandom(1);
    const counts = new Map<number, number>();
    for (let i = 0; i < 6_000; i++) {
      const n = random.int(-2, 3);
      counts.set(n, (counts.get(n) ?? 0) + 1);
    }
    expect([...counts.keys()].sort((a, b) => a - b)).to.deep.equal([-2, -1, 0, 1, 2, 3]);
    for (const count of counts.values()) expect(count).to.be.within(850, 1_150);
  });

  it('weighs its choices', () => {
    const random = createRandom(2);
    let heavy = 0;
    for (let i = 0; i < 4_000; i++) {
      if (
        random.weighted([
          [3, 'a'],
          [1, 'b'],
          [0, 'c'],
        ] as const) === 'a'
      ) {
        heavy++;
      }
    }
    expect(heavy).to.be.within(2_850, 3_150);
  });

  it('makes UUIDs of version 7 that carry their time', () => {
    const id = createRandom(3).uuid(1_750_000_000_000);
    expect(id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(parseInt(id.replace(/-/g, '').slice(0, 12), 16)).to.equal(1_750_000_000_000);
  });

  it('picks from nothing: throws', () => {
    expect(() => createRandom(4).pick([])).to.throw('nothing to pick from');
  });
});
