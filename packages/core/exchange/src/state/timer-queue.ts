import { IndexedHeap } from './indexed-heap.ts';
import type { HeapItem } from './indexed-heap.ts';

/** Something that the clock does at a time. */
export interface Timed extends HeapItem {
  /** Milliseconds since 1970 UTC. May change only while it is not in the queue. */
  readonly dueAt: number;
  /** Decides between two that are due at the same time: the smaller one is first. */
  readonly rank: number;
}

/** Timers, by due time. */
export class TimerQueue<T extends Timed> extends IndexedHeap<T> {
  constructor() {
    super((a, b) => a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.rank < b.rank));
  }
}
