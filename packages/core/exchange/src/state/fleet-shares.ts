import { IndexedHeap } from './indexed-heap.ts';
import type { HeapItem } from './indexed-heap.ts';

/**
 * The Idempotency-Keys of one fleet (here a primary account with its sub-accounts, or an operator by name), which are
 * evicted together. They are in two queues, oldest first: the rows of a snapshot, then the entries added since.
 */
export class Fleet<Entry> implements HeapItem {
  held = 0;
  heapIndex = -1;
  /** The fleet's range in the snapshot's rows by fleet: from the first that may still be stored to the end. */
  nextRow = 0;
  endRow = 0;
  oldest: Entry | null = null;
  newest: Entry | null = null;

  constructor(
    readonly name: string,
    /** The primary account's number in the order of opening; Infinity for operators, who rank last, by name. */
    readonly index: number,
  ) {}
}

/** The fleets with stored keys, and the one with the most keys. Equal counts are ordered by index, then by name. */
export class FleetShares<Entry> {
  readonly #byName = new Map<string, Fleet<Entry>>();
  readonly #heap = new IndexedHeap<Fleet<Entry>>(isBefore);

  get largest(): Fleet<Entry> | null {
    return this.#heap.next;
  }

  /** Returns the fleet with this name. A fleet without entries is created, and the caller must add an entry to it. */
  getOrCreate(name: string, index: number): Fleet<Entry> {
    let fleet = this.#byName.get(name);
    if (fleet === undefined) {
      fleet = new Fleet<Entry>(name, index);
      this.#byName.set(name, fleet);
    }
    return fleet;
  }

  change(fleet: Fleet<Entry>, by: number): void {
    fleet.held += by;
    if (fleet.held === 0) {
      this.#byName.delete(fleet.name);
      this.#heap.remove(fleet);
    } else {
      this.#heap.put(fleet);
    }
  }
}

function isBefore<Entry>(a: Fleet<Entry>, b: Fleet<Entry>): boolean {
  if (a.held !== b.held) return a.held > b.held;
  return a.index === b.index ? a.name < b.name : a.index < b.index;
}
