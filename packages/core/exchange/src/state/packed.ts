/** A column of texts in the form that is the fastest to read: all texts joined to one, and the length of each. */
export interface Texts {
  readonly all: string;
  readonly lengths: Float64Array;
}

export function textsOf(list: readonly string[]): Texts {
  return { all: list.join(''), lengths: new Float64Array(list.map(({ length }) => length)) };
}

/** The most rows in one table; further rows go to further tables of the same kind. */
export const TABLE_ROWS_MAX = 8_192;

/** A column of numbers. A boolean is stored as 1 or 0, an outcome or a side as its index in OUTCOMES or SIDES. */
export type Numbers = Float64Array;

/** Rows of one kind, column by column. */
export interface Table<Kind extends string, Columns extends Readonly<Record<string, Texts | Numbers>>> {
  readonly kind: Kind;
  readonly rows: number;
  readonly columns: Columns;
}

/** Idempotency-Keys (or clientOrderIds of ended orders), oldest first; all tables but the last are full. */
export type IdempotencyTable<Kind extends string = 'idempotency' | 'client_order'> = Table<
  Kind,
  {
    readonly scope: Texts;
    readonly index: Numbers;
    readonly fingerprint: Texts;
    readonly at: Numbers;
    readonly seq: Numbers;
    /** The number of the primary account whose fleet the key counts for; −1 where the scope already names it. */
    readonly fleet: Numbers;
    /** The indexes of all rows, counted over all tables, sorted by scope and then by index, for binary search. */
    readonly sorted: Numbers;
  }
>;

/** The value of a row. @throws Error for a row that the column does not have. */
export function valueAt<T>(column: ArrayLike<T>, row: number): T {
  const value = column[row];
  if (value === undefined) throw new Error(`a column of the snapshot ends before row ${row}`);
  return value;
}

/** Reads a column of texts. A text is decoded only when it is read. */
export class TextColumn {
  readonly #all: string;
  readonly #bounds: Float64Array;

  constructor({ all, lengths }: Texts) {
    this.#all = all;
    this.#bounds = new Float64Array(lengths.length + 1);
    lengths.forEach((length, row) => {
      this.#bounds[row + 1] = (this.#bounds[row] ?? 0) + length;
    });
  }

  /** The text of a row. @throws Error for a row that the column does not have. */
  at(row: number): string {
    const [from, to] = [this.#bounds[row], this.#bounds[row + 1]];
    if (from === undefined || to === undefined) throw new Error(`a column of the snapshot ends before row ${row}`);
    return this.#all.slice(from, to);
  }
}
