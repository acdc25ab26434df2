/** Something that the clock does at a time. It stores its index in the heap, so that it can be removed from the middle. */
export interface Timed {
  /** Milliseconds since 1970 UTC. May change only while it is not in the queue. */
  readonly dueAt: number;
  /** Decides between two that are due at the same time: the smaller one is first. */
  readonly rank: number;
  /** Index in the heap, −1 when not in it. Only the queue writes it. */
  timerIndex: number;
}

/** What the clock will do, by time: a binary heap, so that neither arming nor looking scans what is armed. */
export class TimerQueue<T extends Timed> {
  readonly #heap: T[] = [];

  get next(): T | null {
    return this.#heap[0] ?? null;
  }

  get size(): number {
    return this.#heap.length;
  }

  put(item: T): void {
    item.timerIndex = this.#heap.length;
    this.#heap.push(item);
    this.#rise(item);
  }

  /** Removes an item; does nothing when it is not in the queue. */
  remove(item: T): void {
    const index = item.timerIndex;
    if (index < 0) return;
    item.timerIndex = -1;
    const last = this.#heap.pop();
    if (last !== undefined && last !== item) {
      this.#place(last, index);
      this.#rise(last);
      this.#sink(last);
    }
  }

  /**
   * The first items for as long as `isDue` holds, at most `count`, in order. Visits at most twice as many as it returns,
   * whatever else is in the queue.
   */
  first(count: number, isDue: (item: T) => boolean): T[] {
    const found: T[] = [];
    // Candidates, last first: each is the root of a part of the heap that was not visited.
    const candidates: T[] = [];
    const consider = (index: number): void => {
      const item = this.#heap[index];
      if (item === undefined || !isDue(item)) return;
      let place = candidates.length;
      for (; place > 0; place -= 1) {
        const other = candidates[place - 1];
        if (other !== undefined && before(item, other)) break;
      }
      candidates.splice(place, 0, item);
    };
    consider(0);
    for (let item = candidates.pop(); item !== undefined; item = candidates.pop()) {
      found.push(item);
      if (found.length === count) break;
      consider(2 * item.timerIndex + 1);
      consider(2 * item.timerIndex + 2);
    }
    return found;
  }

  #rise(item: T): void {
    while (item.timerIndex > 0) {
      const index = item.timerIndex;
      const parent = this.#heap[(index - 1) >> 1];
      if (parent === undefined || !before(item, parent)) return;
      this.#place(item, parent.timerIndex);
      this.#place(parent, index);
    }
  }

  #sink(item: T): void {
    for (;;) {
      const index = item.timerIndex;
      const left = this.#heap[2 * index + 1];
      const right = this.#heap[2 * index + 2];
      const child = left !== undefined && right !== undefined && before(right, left) ? right : left;
      if (child === undefined || !before(child, item)) return;
      this.#place(item, child.timerIndex);
      this.#place(child, index);
    }
  }

  #place(item: T, index: number): void {
    this.#heap[index] = item;
    item.timerIndex = index;
  }
}

function before(a: Timed, b: Timed): boolean {
  return a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.rank < b.rank);
}
