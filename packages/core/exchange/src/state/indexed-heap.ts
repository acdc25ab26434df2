/** An item that stores its index in a heap, so that it can be moved and removed from the middle. */
export interface HeapItem {
  /** The item's index in the heap; −1 when it is not in the heap. Only the heap writes it. */
  heapIndex: number;
}

/** A binary heap: the cost of a change grows with the logarithm of the number of items. */
export class IndexedHeap<T extends HeapItem> {
  readonly #heap: T[] = [];
  readonly #isBefore: (a: T, b: T) => boolean;

  /** Makes a heap in the order of `isBefore`, in which no two items are equal. */
  constructor(isBefore: (a: T, b: T) => boolean) {
    this.#isBefore = isBefore;
  }

  get next(): T | null {
    return this.#heap[0] ?? null;
  }

  get size(): number {
    return this.#heap.length;
  }

  /** Adds an item, or moves one whose rank has changed. */
  put(item: T): void {
    if (item.heapIndex < 0) {
      item.heapIndex = this.#heap.length;
      this.#heap.push(item);
    } else {
      this.#sink(item);
    }
    this.#rise(item);
  }

  remove(item: T): void {
    const index = item.heapIndex;
    if (index < 0) return;
    item.heapIndex = -1;
    const last = this.#heap.pop();
    if (last !== undefined && last !== item) {
      this.#store(last, index);
      this.#rise(last);
      this.#sink(last);
    }
  }

  /** The first items for which `isDue` holds, at most `count`, in order. Visits at most twice as many. */
  first(count: number, isDue: (item: T) => boolean): T[] {
    const found: T[] = [];
    // Candidates, last first. Each is the root of a subtree that was not visited.
    const candidates: T[] = [];
    const consider = (index: number): void => {
      const item = this.#heap[index];
      if (item === undefined || !isDue(item)) return;
      let position = candidates.length;
      for (; position > 0; position -= 1) {
        const other = candidates[position - 1];
        if (other !== undefined && this.#isBefore(item, other)) break;
      }
      candidates.splice(position, 0, item);
    };
    consider(0);
    for (let item = candidates.pop(); item !== undefined; item = candidates.pop()) {
      found.push(item);
      if (found.length === count) break;
      consider(2 * item.heapIndex + 1);
      consider(2 * item.heapIndex + 2);
    }
    return found;
  }

  #rise(item: T): void {
    while (item.heapIndex > 0) {
      const index = item.heapIndex;
      const parent = this.#heap[(index - 1) >> 1];
      if (parent === undefined || !this.#isBefore(item, parent)) return;
      this.#store(item, parent.heapIndex);
      this.#store(parent, index);
    }
  }

  #sink(item: T): void {
    for (;;) {
      const index = item.heapIndex;
      const left = this.#heap[2 * index + 1];
      const right = this.#heap[2 * index + 2];
      const child = left !== undefined && right !== undefined && this.#isBefore(right, left) ? right : left;
      if (child === undefined || !this.#isBefore(child, item)) return;
      this.#store(item, child.heapIndex);
      this.#store(child, index);
    }
  }

  #store(item: T, index: number): void {
    this.#heap[index] = item;
    item.heapIndex = index;
  }
}
