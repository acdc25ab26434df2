import { createRandom } from '@paper/testkit';
import { expect } from 'chai';
import { CloseQueue } from '../src/close-queue.ts';
import type { Closing } from '../src/close-queue.ts';

interface Item extends Closing {
  closesAt: number;
}

describe('CloseQueue', () => {
  it('tells what a sorted list tells, whatever is put, moved and removed', () => {
    const random = createRandom(2);
    const queue = new CloseQueue<Item>();
    const items = Array.from({ length: 60 }, (_, i): Item => ({ id: `m${i}`, closesAt: 0, closeIndex: -1 }));
    const inside = new Set<Item>();
    for (let step = 0; step < 4_000; step++) {
      const item = random.pick(items);
      queue.remove(item);
      inside.delete(item);
      if (random.chance(0.7)) {
        item.closesAt = random.int(0, 50);
        queue.put(item);
        inside.add(item);
      }
      const sorted = [...inside].sort((a, b) => a.closesAt - b.closesAt || (a.id < b.id ? -1 : 1));
      const now = random.int(0, 50);
      expect(queue.next).to.equal(sorted[0] ?? null);
      expect(queue.due(now)).to.deep.equal(sorted.filter((other) => other.closesAt <= now));
    }
  });
});
