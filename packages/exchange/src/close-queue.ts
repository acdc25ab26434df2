/** An item of a CloseQueue. It stores its index in the heap, so that it can be removed from the middle. */
export interface Closing {
  /** Index in the heap, −1 when not in it. Only the queue writes it. */
  closeIndex: number;
  readonly closesAt: number;
  readonly id: string;
}

/** The markets that the clock will close, by time: a binary heap, so that no command ever scans them. */
export class CloseQueue<T extends Closing> {
  readonly #heap: T[] = [];

  get next(): T | null {
    return this.#heap[0] ?? null;
  }

  /** Adds an item, or moves one whose closesAt has changed. */
  put(item: T): void {
    this.remove(item);
    item.closeIndex = this.#heap.length;
    this.#heap.push(item);
    this.#rise(item);
  }

  remove(item: T): void {
    const index = item.closeIndex;
    if (index < 0) return;
    item.closeIndex = -1;
    const last = this.#heap.pop();
    if (last !== undefined && last !== item) {
      this.#place(last, index);
      this.#rise(last);
      this.#sink(last);
    }
  }

  /** All items with closesAt ≤ atMs, earliest first, then by id. Visits at most twice as many items as it returns. */
  due(atMs: number): T[] {
    const due: T[] = [];
    const open = [0];
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      const item = this.#heap[index];
      if (item !== undefined && item.closesAt <= atMs) {
        due.push(item);
        open.push(2 * index + 1, 2 * index + 2);
      }
    }
    return due.sort((a, b) => (before(a, b) ? -1 : 1));
  }

  #rise(item: T): void {
    while (item.closeIndex > 0) {
      const index = item.closeIndex;
      const parent = this.#heap[(index - 1) >> 1];
      if (parent === undefined || !before(item, parent)) return;
      this.#place(item, parent.closeIndex);
      this.#place(parent, index);
    }
  }

  #sink(item: T): void {
    for (;;) {
      const index = item.closeIndex;
      const left = this.#heap[2 * index + 1];
      const right = this.#heap[2 * index + 2];
      const child = left !== undefined && right !== undefined && before(right, left) ? right : left;
      if (child === undefined || !before(child, item)) return;
      this.#place(item, child.closeIndex);
      this.#place(child, index);
    }
  }

  #place(item: T, index: number): void {
    this.#heap[index] = item;
    item.closeIndex = index;
  }
}

function before(a: Closing, b: Closing): boolean {
  return a.closesAt < b.closesAt || (a.closesAt === b.closesAt && a.id < b.id);
}
