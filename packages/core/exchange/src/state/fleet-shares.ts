/**
 * A fleet shares the memory of Idempotency-Keys. It is a primary account with its sub-accounts, or an operator by name.
 * Its keys stand in two queues, oldest first: the rows of a snapshot, then the entries added since.
 */
export class Fleet<Entry> {
  held = 0;
  /** The fleet's index in the heap of FleetShares, −1 when it is not in the heap. Only FleetShares writes it. */
  heapIndex = -1;
  /** The range of its rows in the snapshot's list by fleet: from the next one that may be remembered to the end. */
  nextRow = 0;
  endRow = 0;
  oldest: Entry | null = null;
  newest: Entry | null = null;

  constructor(
    readonly name: string,
    /** The primary account's number in the order of opening; Infinity for operators, who rank behind all, by name. */
    readonly index: number,
  ) {}
}

/**
 * The fleets that hold anything, and which of them holds most: a binary heap, so that a change costs the logarithm of
 * their number. Of fleets that hold the same the lowest index goes first, then the lowest name.
 */
export class FleetShares<Entry> {
  readonly #byName = new Map<string, Fleet<Entry>>();
  readonly #heap: Fleet<Entry>[] = [];

  /** The fleet that holds most; null when nothing is held. */
  get largest(): Fleet<Entry> | null {
    return this.#heap[0] ?? null;
  }

  /**
   * Returns the entries of the fleet with this name. A fleet without entries is created, and the caller must add an
   * entry to it.
   */
  take(name: string, index: number): Fleet<Entry> {
    let fleet = this.#byName.get(name);
    if (fleet === undefined) {
      fleet = new Fleet<Entry>(name, index);
      this.#byName.set(name, fleet);
    }
    return fleet;
  }

  /** Changes how many keys the fleet holds; removes a fleet without any. */
  change(fleet: Fleet<Entry>, by: number): void {
    fleet.held += by;
    if (fleet.held === 0) {
      this.#remove(fleet);
      return;
    }
    if (fleet.heapIndex < 0) {
      fleet.heapIndex = this.#heap.length;
      this.#heap.push(fleet);
    }
    this.#rise(fleet);
    this.#sink(fleet);
  }

  #remove(fleet: Fleet<Entry>): void {
    this.#byName.delete(fleet.name);
    const index = fleet.heapIndex;
    fleet.heapIndex = -1;
    const last = this.#heap.pop();
    if (last !== undefined && last !== fleet) {
      this.#place(last, index);
      this.#rise(last);
      this.#sink(last);
    }
  }

  #rise(fleet: Fleet<Entry>): void {
    while (fleet.heapIndex > 0) {
      const index = fleet.heapIndex;
      const parent = this.#heap[(index - 1) >> 1];
      if (parent === undefined || !before(fleet, parent)) return;
      this.#place(fleet, parent.heapIndex);
      this.#place(parent, index);
    }
  }

  #sink(fleet: Fleet<Entry>): void {
    for (;;) {
      const index = fleet.heapIndex;
      const left = this.#heap[2 * index + 1];
      const right = this.#heap[2 * index + 2];
      const child = left !== undefined && right !== undefined && before(right, left) ? right : left;
      if (child === undefined || !before(child, fleet)) return;
      this.#place(fleet, child.heapIndex);
      this.#place(child, index);
    }
  }

  #place(fleet: Fleet<Entry>, index: number): void {
    this.#heap[index] = fleet;
    fleet.heapIndex = index;
  }
}

function before<Entry>(a: Fleet<Entry>, b: Fleet<Entry>): boolean {
  if (a.held !== b.held) return a.held > b.held;
  return a.index === b.index ? a.name < b.name : a.index < b.index;
}
