import { expect } from 'chai';
import fc from 'fast-check';
import { FleetShares } from '../../src/state/fleet-shares.ts';
import type { Fleet } from '../../src/state/fleet-shares.ts';

const change = fc.record({
  /** The fleet's number. Fleets below 8 are primaries'; from 8 on they are operators', which have no index. */
  number: fc.nat(11),
  by: fc.constantFrom(1, 1, 1, 2, -1, -1, -2),
});

const indexOf = (number: number): number => (number < 8 ? number : Infinity);

describe('the shares of fleets', () => {
  it('has the fleet that holds most first, then the lowest index, then the lowest name, as a sorted list has', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 200 }), (changes) => {
        const shares = new FleetShares<null>();
        const held = new Map<number, number>();
        for (const { number, by } of changes) {
          const before = held.get(number) ?? 0;
          const after = Math.max(0, before + by);
          if (after === before) continue;
          shares.change(
            shares.getOrCreate(`fleet ${String(number).padStart(2, '0')}`, indexOf(number)),
            after - before,
          );
          held.set(number, after);
          const [first] = [...held].filter(([, count]) => count > 0).sort(([a, m], [b, n]) => n - m || a - b);
          expect(shares.largest?.name ?? null).to.equal(
            first === undefined ? null : `fleet ${String(first[0]).padStart(2, '0')}`,
          );
          expect(shares.largest?.held ?? null).to.equal(first === undefined ? null : first[1]);
        }
      }),
      { seed: 26, numRuns: 300 },
    );
  });

  it('kept a fleet that holds nothing any more: it is let out, and made anew when it comes again', () => {
    const shares = new FleetShares<null>();
    const add = (name: string, index: number): Fleet<null> => {
      const fleet = shares.getOrCreate(name, index);
      shares.change(fleet, 1);
      return fleet;
    };
    const [a, b] = [add('a', 0), add('b', 1)];
    for (const fleet of [b, a]) shares.change(fleet, -1);
    expect([a.heapIndex, b.heapIndex, shares.largest]).to.deep.equal([-1, -1, null]);
    expect(shares.getOrCreate('a', 0)).not.to.equal(a);
  });
});
