import { createRandom } from '@paper/testkit';
import { expect } from 'chai';
import { TimerQueue } from '../../src/state/timer-queue.ts';
import type { Timed } from '../../src/state/timer-queue.ts';

interface Item extends Timed {
  dueAt: number;
}

describe('TimerQueue', () => {
  it('tells what a sorted list tells, whatever is put, moved and removed', () => {
    const random = createRandom(2);
    const queue = new TimerQueue<Item>();
    const items = Array.from({ length: 60 }, (_, i): Item => ({ dueAt: 0, rank: i, heapIndex: -1 }));
    const inside = new Set<Item>();
    for (let step = 0; step < 4_000; step++) {
      const item = random.pick(items);
      queue.remove(item);
      inside.delete(item);
      if (random.chance(0.7)) {
        item.dueAt = random.int(0, 50);
        queue.put(item);
        inside.add(item);
      }
      const sorted = [...inside].sort((a, b) => a.dueAt - b.dueAt || a.rank - b.rank);
      const now = random.int(0, 50);
      expect(queue.next).to.equal(sorted[0] ?? null);
      const count = random.int(1, 30);
      const due = sorted.filter((other) => other.dueAt <= now);
      expect(queue.first(count, (other) => other.dueAt <= now)).to.deep.equal(due.slice(0, count));
    }
  });
});
