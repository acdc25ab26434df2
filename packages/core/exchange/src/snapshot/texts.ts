/** A column of texts in the form that is fastest to read: all texts as one, and the length of each. */
export interface Texts {
  readonly all: string;
  readonly lengths: Float64Array;
}

/** The column of these texts. */
export function textsOf(list: readonly string[]): Texts {
  return { all: list.join(''), lengths: new Float64Array(list.map(({ length }) => length)) };
}

/** Reads a column of texts. Each text is made only when it is read. */
export class TextColumn {
  readonly #all: string;
  /** The start of each text, and the end of the last one. */
  readonly #bounds: Float64Array;

  constructor({ all, lengths }: Texts) {
    this.#all = all;
    this.#bounds = new Float64Array(lengths.length + 1);
    lengths.forEach((length, row) => {
      this.#bounds[row + 1] = (this.#bounds[row] ?? 0) + length;
    });
  }

  /** @throws Error for a row that the column does not have. */
  at(row: number): string {
    const [from, to] = [this.#bounds[row], this.#bounds[row + 1]];
    if (from === undefined || to === undefined) throw new Error(`a column of the snapshot ends before row ${row}`);
    return this.#all.slice(from, to);
  }
}
