import { TABLE_ROWS_MAX, type IdempotencyTable } from './snapshot/tables.ts';
import { TextColumn } from './snapshot/texts.ts';

/** What is remembered of one Idempotency-Key. */
export interface RememberedKey {
  readonly scope: string;
  readonly fingerprint: string;
  /** Event time, and sequence, of what its decision appended first. */
  readonly at: number;
  readonly seq: number;
}

/**
 * The Idempotency-Keys of a snapshot, as they stand there: there can be two million, and nothing is made of each. One
 * is found by halving what is left of all in the order of their scopes. They only become fewer, from the oldest on.
 */
export class KeyRun {
  private readonly parts: readonly Part[];
  private readonly rows: number;
  private forgotten = 0;

  /** The tables of a snapshot. @throws Error where one of them, but for the last, is not full. */
  constructor(tables: readonly IdempotencyTable[]) {
    this.parts = tables.map(partOf);
    this.rows = tables.reduce((sum, { rows }) => sum + rows, 0);
    if (tables.slice(0, -1).some(({ rows }) => rows !== TABLE_ROWS_MAX)) {
      throw new Error('a table of Idempotency-Keys that is not the last has room left');
    }
  }

  get size(): number {
    return this.rows - this.forgotten;
  }

  /** Event time of the oldest; Infinity when there is none. */
  get oldestAt(): number {
    return this.size === 0 ? Infinity : numberIn(this.part(this.forgotten).at, this.forgotten);
  }

  forgetOldest(): void {
    this.forgotten += 1;
  }

  find(scope: string): RememberedKey | null {
    let [from, to] = [0, this.rows];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.scopeAt(this.sorted(middle)) <= scope) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    // Behind the last one that is not greater.
    const row = from === 0 ? -1 : this.sorted(from - 1);
    return row >= this.forgotten && this.scopeAt(row) === scope ? this.keyAt(row) : null;
  }

  *oldestFirst(): Generator<RememberedKey, void, undefined> {
    for (let row = this.forgotten; row < this.rows; row += 1) {
      yield this.keyAt(row);
    }
  }

  private sorted(place: number): number {
    return numberIn(this.part(place).sorted, place);
  }

  private scopeAt(row: number): string {
    return this.part(row).scope.at(row % TABLE_ROWS_MAX);
  }

  private keyAt(row: number): RememberedKey {
    const { scope, fingerprint, at, seq } = this.part(row);
    const inPart = row % TABLE_ROWS_MAX;
    return {
      scope: scope.at(inPart),
      fingerprint: fingerprint.at(inPart),
      at: numberIn(at, row),
      seq: numberIn(seq, row),
    };
  }

  private part(row: number): Part {
    const part = this.parts[Math.floor(row / TABLE_ROWS_MAX)];
    if (part === undefined) {
      throw new Error(`there is no Idempotency-Key ${row} in the snapshot, it has ${this.rows}`);
    }
    return part;
  }
}

interface Part {
  readonly scope: TextColumn;
  readonly fingerprint: TextColumn;
  readonly at: Float64Array;
  readonly seq: Float64Array;
  readonly sorted: Float64Array;
}

function partOf({ columns: { scope, fingerprint, at, seq, sorted } }: IdempotencyTable): Part {
  return { at, fingerprint: new TextColumn(fingerprint), scope: new TextColumn(scope), seq, sorted };
}

function numberIn(column: Float64Array, row: number): number {
  return column[row % TABLE_ROWS_MAX] ?? Number.NaN;
}
