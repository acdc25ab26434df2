import { expect } from 'chai';
import fc from 'fast-check';
import { FairQueue } from '../../src/queues/fair-queue.ts';
import type { Lane } from '../../src/queues/fair-queue.ts';

interface Item {
  readonly name: string;
}

/** `a` is the account a of a fleet of its own; `f/a` the account a of the fleet f. */
const lane = (text: string): Lane => {
  const [fleet = '', account = fleet] = text.split('/');
  return { fleet, account };
};
const item = (name: string): Item => ({ name });
const drain = (queue: FairQueue<Item>): string[] => {
  const names: string[] = [];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) names.push(next.name);
  return names;
};
const filled = (...pushes: readonly (readonly [lane: string, ...names: string[]])[]): FairQueue<Item> => {
  const queue = new FairQueue<Item>();
  for (const [where, ...names] of pushes) for (const name of names) queue.push(lane(where), item(name));
  return queue;
};

describe('a fair queue', () => {
  it('takes turns between accounts of several fleets, and keeps the order of each account', () => {
    const queue = filled(['a', 'a1', 'a2', 'a3', 'a4'], ['b', 'b1', 'b2'], ['c', 'c1']);
    expect(queue.depth).to.equal(7);
    expect(drain(queue)).to.deep.equal(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
    expect(queue.depth).to.equal(0);
  });

  it('gives a fleet of many accounts one turn in two beside a fleet of one', () => {
    const queue = filled(
      ['f/one', 'one1', 'one2'],
      ['f/two', 'two1', 'two2'],
      ['f/three', 'three1'],
      ['g', 'g1', 'g2', 'g3', 'g4', 'g5', 'g6'],
    );
    expect(drain(queue).join(' ')).to.equal('one1 g1 two1 g2 three1 g3 one2 g4 two2 g5 g6');
  });

  it('drops from the front of an account what is over, and nothing else', () => {
    const queue = filled(['a', 'old', 'older', 'new', 'old'], ['b', 'b']);
    queue.dropWhile(lane('a'), ({ name }) => name !== 'new');
    expect([queue.depth, queue.depthOf(lane('a')), queue.depthOf(lane('nobody'))]).to.deep.equal([3, 2, 0]);
    expect(drain(queue)).to.deep.equal(['new', 'b', 'old']);
  });

  it('gives an account that was emptied by a drop no second turn', () => {
    const queue = filled(['a', 'a1'], ['b', 'b1']);
    queue.dropWhile(lane('a'), () => true);
    for (const [where, name] of [
      ['a', 'a2'],
      ['a', 'a3'],
      ['b', 'b2'],
      ['b', 'b3'],
    ] as const) {
      queue.push(lane(where), item(name));
    }
    expect(drain(queue)).to.deep.equal(['a2', 'b1', 'a3', 'b2', 'b3']);
  });

  it('keeps its order through a long life', () => {
    const queue = new FairQueue<Item>();
    const seen: string[] = [];
    for (let n = 0; n < 1_000; n += 1) {
      queue.push(lane('a'), item(`${n}a`));
      queue.push(lane('a'), item(`${n}b`));
      seen.push(queue.shift()?.name ?? '');
    }
    seen.push(...drain(queue));
    expect(seen).to.deep.equal(Array.from({ length: 1_000 }, (_, n) => [`${n}a`, `${n}b`]).flat());
  });

  it('never lets a fleet wait for more than one turn of each other fleet, whatever came when', () => {
    const places = ['f/1', 'f/2', 'f/3', 'g/1', 'g/2', 'h'];
    const step = fc.oneof(
      fc.record({ push: fc.constantFrom(...places) }),
      fc.record({ drop: fc.constantFrom(...places) }),
      fc.constant('shift' as const),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const queue = new FairQueue<Item>();
        const waiting = new Map<string, string[]>(places.map((place) => [place, []]));
        const fleetOf = (place: string): string => lane(place).fleet;
        /** Turns that other fleets had since this one began to wait. */
        const passed = new Map<string, string[]>();
        let number = 0;
        for (const one of steps) {
          if (one === 'shift') {
            const taken = queue.shift()?.name;
            const place = places.find((each) => waiting.get(each)?.[0] === taken);
            const depth = [...waiting.values()].reduce((sum, names) => sum + names.length, 0);
            if (taken === undefined) {
              expect(depth).to.equal(0);
              continue;
            }
            if (place === undefined) throw new Error(`${taken} was not the first of any account`);
            waiting.get(place)?.shift();
            passed.delete(fleetOf(place));
            for (const [fleet, turns] of passed) {
              expect(turns, `turns that ${fleet} waited for`).not.to.include(fleetOf(place));
              turns.push(fleetOf(place));
            }
          } else if ('push' in one) {
            const name = `${one.push} ${(number += 1)}`;
            queue.push(lane(one.push), item(name));
            waiting.get(one.push)?.push(name);
          } else {
            queue.dropWhile(lane(one.drop), () => true);
            waiting.set(one.drop, []);
          }
          for (const fleet of ['f', 'g', 'h']) {
            const waits = places.some((place) => fleetOf(place) === fleet && (waiting.get(place)?.length ?? 0) > 0);
            if (!waits) passed.delete(fleet);
            else if (!passed.has(fleet)) passed.set(fleet, []);
          }
          for (const [place, names] of waiting) expect(queue.depthOf(lane(place))).to.equal(names.length);
        }
      }),
    );
  });
});
