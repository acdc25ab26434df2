interface Entry<Item> {
  readonly at: number;
  readonly seq: number;
  readonly item: Item;
}

/** With fewer entries, dropping the obsolete ones is not worthwhile. */
const FEW = 1_000;

/**
 * Items that fall due, by time and `seq`: a binary heap. An obsolete entry is skipped when it comes first, and all
 * obsolete ones are dropped each time the heap has doubled.
 */
export class DueQueue<Item> {
  #heap: Entry<Item>[] = [];
  #cleanAt = FEW;

  constructor(private readonly holds: (item: Item, at: number) => boolean) {}

  add(at: number, seq: number, item: Item): void {
    if (this.#heap.length >= this.#cleanAt) this.#clean();
    this.#insert({ at, seq, item });
  }

  first(): Entry<Item> | null {
    for (;;) {
      const [first] = this.#heap;
      if (first === undefined) return null;
      if (this.holds(first.item, first.at)) return first;
      this.#dropFirst();
    }
  }

  #clean(): void {
    const kept = this.#heap.filter(({ at, item }) => this.holds(item, at));
    this.#heap = [];
    for (const entry of kept) this.#insert(entry);
    this.#cleanAt = Math.max(FEW, 2 * kept.length);
  }

  #insert(entry: Entry<Item>): void {
    const heap = this.#heap;
    let place = heap.length;
    heap.push(entry);
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = heap[above] as Entry<Item>;
      if (!isBefore(entry, parent)) break;
      heap[place] = parent;
      place = above;
    }
    heap[place] = entry;
  }

  #dropFirst(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let place = 0;
    for (;;) {
      const left = 2 * place + 1;
      const [one, other] = [heap[left], heap[left + 1]];
      if (one === undefined) break;
      const isOther = other !== undefined && isBefore(other, one);
      const sooner = isOther ? other : one;
      if (!isBefore(sooner, last)) break;
      heap[place] = sooner;
      place = isOther ? left + 1 : left;
    }
    heap[place] = last;
  }
}

const isBefore = (one: Entry<unknown>, other: Entry<unknown>): boolean =>
  one.at < other.at || (one.at === other.at && one.seq < other.seq);
