import { IndexedHeap } from './indexed-heap.ts';
import type { HeapItem } from './indexed-heap.ts';

/** A timer: something that happens at a set time. */
export interface Timed extends HeapItem {
  /** Milliseconds since 1970 UTC. May change only while the timer is not in the queue. */
  readonly dueAt: number;
  /** Orders timers that are due at the same time: the smaller rank comes first. */
  readonly rank: number;
}

export class TimerQueue<T extends Timed> extends IndexedHeap<T> {
  constructor() {
    super((a, b) => a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.rank < b.rank));
  }
}
