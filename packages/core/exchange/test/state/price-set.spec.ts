import { PriceSet } from '@paper/exchange';
import { createRandom } from '@paper/testkit';
import { expect } from 'chai';

describe('PriceSet', () => {
  it('has no neighbours when empty', () => {
    const set = new PriceSet(100);
    expect([set.highest(), set.lowest(), set.below(50)]).to.deep.equal([-1, -1, -1]);
  });

  it('finds what a sorted list finds, over every size of gap', () => {
    const random = createRandom(1);
    for (const [size, members] of [
      [32, 4],
      [1_000, 20],
      [10_000, 3],
      [10_000, 400],
      [32_768, 60],
    ] as const) {
      const set = new PriceSet(size);
      const list = new Set<number>();
      for (let step = 0; step < 3_000; step++) {
        const value = list.size > members || random.chance(0.3) ? random.pick([...list, 0]) : random.int(0, size - 1);
        if (list.delete(value)) {
          set.clear(value);
        } else {
          list.add(value);
          set.set(value);
        }
        const sorted = [...list].sort((a, b) => a - b);
        const probe = random.int(0, size - 1);
        expect(set.highest()).to.equal(sorted.at(-1) ?? -1);
        expect(set.lowest()).to.equal(sorted[0] ?? -1);
        expect(set.below(probe)).to.equal(sorted.filter((member) => member < probe).at(-1) ?? -1);
      }
    }
  });

  it('clearing what is not there changes nothing', () => {
    const set = new PriceSet(64);
    set.set(40);
    set.clear(41);
    set.clear(3);
    expect([set.highest(), set.lowest()]).to.deep.equal([40, 40]);
  });

  it('refuses a size that it cannot hold', () => {
    for (const size of [0, 32_769, Number.NaN]) expect(() => new PriceSet(size)).to.throw(RangeError);
  });
});
