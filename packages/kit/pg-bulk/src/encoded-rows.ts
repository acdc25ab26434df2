import { FEW_ROWS, rowParameters } from './row-parameters.ts';
import type { ParameterColumn, RowParameters } from './row-parameters.ts';

/** Rows that are encoded when they are added, except the first few, which may be sent as single parameters instead. */
export abstract class EncodedRows<R extends object> {
  #rows = 0;
  #few: R[] = [];

  protected constructor(protected readonly columns: readonly ParameterColumn[]) {}

  get rows(): number {
    return this.#rows;
  }

  /** All rows as single parameters if they are few and without arrays, else null. Throws TypeError for a wrong type. */
  get parameters(): RowParameters | null {
    return this.#rows <= FEW_ROWS ? rowParameters(this.columns, this.#few) : null;
  }

  add(row: R): void {
    this.#rows += 1;
    if (this.#rows <= FEW_ROWS) {
      this.#few.push(row);
      return;
    }
    this.encodeFew();
    this.encode(row);
  }

  protected encodeFew(): void {
    const few = this.#few;
    if (few.length === 0) return;
    this.#few = [];
    this.begin();
    for (const row of few) this.encode(row);
  }

  protected abstract begin(): void;

  protected abstract encode(row: R): void;
}
