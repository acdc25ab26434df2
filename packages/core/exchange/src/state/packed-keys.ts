import type { Fleet } from './fleet-shares.ts';
import { TABLE_ROWS_MAX, TextColumn } from './packed.ts';
import type { IdempotencyTable } from './packed.ts';

export interface RememberedKey {
  readonly scope: string;
  readonly index: number | null;
  readonly fingerprint: string;
  /** The time and sequence of the first event of the key's decision. */
  readonly at: number;
  readonly seq: number;
}

/**
 * The Idempotency-Keys of a snapshot, left in its columns: there can be two million, so none becomes an object. A
 * binary search by scope and index finds a key. Keys are only removed, never added.
 */
export class PackedKeys {
  readonly #parts: readonly Part[];
  readonly #rows: number;
  /** All rows before this one have been removed. */
  #first = 0;
  readonly #goneRows: Uint8Array;
  #left: number;
  /** The fleet of each row, as an index into the result of `groupByFleet`. */
  #groups = new Uint32Array();
  /** All rows, grouped by fleet, oldest first in each fleet. */
  #byFleet = new Uint32Array();

  /** Takes the tables of a snapshot. @throws Error when a table other than the last is not full. */
  constructor(tables: readonly IdempotencyTable[]) {
    this.#parts = tables.map(partOf);
    this.#rows = tables.reduce((sum, { rows }) => sum + rows, 0);
    this.#goneRows = new Uint8Array(this.#rows);
    this.#left = this.#rows;
    if (tables.slice(0, -1).some(({ rows }) => rows !== TABLE_ROWS_MAX)) {
      throw new Error('a table of Idempotency-Keys that is not the last has room left');
    }
  }

  get size(): number {
    return this.#left;
  }

  /** The oldest remaining row; there must be one. */
  get oldestRow(): number {
    while (this.#goneRows[this.#first] === 1) this.#first += 1;
    return this.#first;
  }

  get oldestAt(): number {
    return this.#left === 0 ? Infinity : numberIn(this.#part(this.oldestRow).at, this.oldestRow);
  }

  isGone(row: number): boolean {
    return this.#goneRows[row] === 1;
  }

  forget(row: number): void {
    this.#goneRows[row] = 1;
    this.#left -= 1;
  }

  find(scope: string, index: number | null): RememberedKey | null {
    const row = this.rowOf(scope, index);
    return row === null ? null : this.#keyAt(row);
  }

  rowOf(scope: string, index: number | null): number | null {
    const row = this.#lastUpTo(scope, index ?? NO_BATCH_INDEX);
    const isIt = row !== null && this.#scopeAt(row) === scope && this.#indexAt(row) === (index ?? NO_BATCH_INDEX);
    return isIt && !this.isGone(row) ? row : null;
  }

  /** Whether the key was used in the other form: by a single command (if `index` is given), or by a batch (if not). */
  usedOtherwise(scope: string, index: number | null): boolean {
    if (index !== null) return this.rowOf(scope, null) !== null;
    for (let sorted = this.#countUpTo(scope, Infinity) - 1; sorted >= 0; sorted -= 1) {
      const row = this.#sortedRow(sorted);
      if (this.#scopeAt(row) !== scope || this.#indexAt(row) === NO_BATCH_INDEX) return false;
      if (!this.isGone(row)) return true;
    }
    return false;
  }

  *oldestFirst(): Generator<[row: number, key: RememberedKey], void, undefined> {
    for (let row = this.#first; row < this.#rows; row += 1) {
      if (!this.isGone(row)) yield [row, this.#keyAt(row)];
    }
  }

  /** Groups the rows by fleet, and returns the fleets. */
  groupByFleet<Entry>(fleetOf: (fleet: number, scope: string) => Fleet<Entry>): readonly Fleet<Entry>[] {
    const fleets: Fleet<Entry>[] = [];
    const groups = new Map<Fleet<Entry>, number>();
    const groupByNumber = new Map<number, number>();
    this.#groups = new Uint32Array(this.#rows);
    for (let row = 0; row < this.#rows; row += 1) {
      const number = numberIn(this.#part(row).fleet, row);
      let group = number < 0 ? undefined : groupByNumber.get(number);
      if (group === undefined) {
        const fleet = fleetOf(number, this.#scopeAt(row));
        group = groups.get(fleet) ?? fleets.push(fleet) - 1;
        groups.set(fleet, group);
        groupByNumber.set(number, group);
      }
      this.#groups[row] = group;
      (fleets[group] as Fleet<Entry>).endRow += 1;
    }
    let next = 0;
    for (const fleet of fleets) {
      const count = fleet.endRow;
      fleet.nextRow = next;
      fleet.endRow = next;
      next += count;
    }
    this.#byFleet = new Uint32Array(this.#rows);
    this.#groups.forEach((group, row) => {
      const fleet = fleets[group] as Fleet<Entry>;
      this.#byFleet[fleet.endRow] = row;
      fleet.endRow += 1;
    });
    return fleets;
  }

  rowAt(index: number): number {
    return this.#byFleet[index] ?? Number.NaN;
  }

  groupOf(row: number): number {
    return this.#groups[row] ?? Number.NaN;
  }

  /** The number of rows up to and including this key, in the order of scopes and indexes. */
  #countUpTo(scope: string, index: number): number {
    let [from, to] = [0, this.#rows];
    while (from < to) {
      const middle = (from + to) >>> 1;
      const row = this.#sortedRow(middle);
      const at = this.#scopeAt(row);
      if (at < scope || (at === scope && this.#indexAt(row) <= index)) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  #lastUpTo(scope: string, index: number): number | null {
    const count = this.#countUpTo(scope, index);
    return count === 0 ? null : this.#sortedRow(count - 1);
  }

  #sortedRow(index: number): number {
    return numberIn(this.#part(index).sorted, index);
  }

  #scopeAt(row: number): string {
    return this.#part(row).scope.at(row % TABLE_ROWS_MAX);
  }

  #indexAt(row: number): number {
    return numberIn(this.#part(row).index, row);
  }

  #keyAt(row: number): RememberedKey {
    const { scope, fingerprint, at, seq } = this.#part(row);
    const inPart = row % TABLE_ROWS_MAX;
    const index = this.#indexAt(row);
    return {
      scope: scope.at(inPart),
      index: index === NO_BATCH_INDEX ? null : index,
      fingerprint: fingerprint.at(inPart),
      at: numberIn(at, row),
      seq: numberIn(seq, row),
    };
  }

  #part(row: number): Part {
    const part = this.#parts[Math.floor(row / TABLE_ROWS_MAX)];
    if (part === undefined) throw new Error(`the snapshot has no Idempotency-Key ${row}, but ${this.#rows} keys`);
    return part;
  }
}

/** The index of a single command in a snapshot. */
export const NO_BATCH_INDEX = -1;

interface Part {
  readonly scope: TextColumn;
  readonly index: Float64Array;
  readonly fingerprint: TextColumn;
  readonly at: Float64Array;
  readonly seq: Float64Array;
  readonly fleet: Float64Array;
  readonly sorted: Float64Array;
}

function partOf({ columns }: IdempotencyTable): Part {
  const { scope, fingerprint, ...numbers } = columns;
  return { ...numbers, fingerprint: new TextColumn(fingerprint), scope: new TextColumn(scope) };
}

function numberIn(column: Float64Array, row: number): number {
  return column[row % TABLE_ROWS_MAX] ?? Number.NaN;
}
