/** The most prepared statements of a connection, since each keeps a plan. Further statements are planned each time. */
const STATEMENTS_MAX = 200;

export class StatementNames {
  readonly #names = new Map<string, string>();

  /** The name of a statement, and whether it is used for the first time; '' if there are too many. */
  take(text: string): { readonly name: string; readonly isNew: boolean } {
    const existing = this.#names.get(text);
    if (existing !== undefined) return { name: existing, isNew: false };
    if (this.#names.size >= STATEMENTS_MAX) return { name: '', isNew: true };
    const name = `s${this.#names.size}`;
    this.#names.set(text, name);
    return { name, isNew: true };
  }
}
