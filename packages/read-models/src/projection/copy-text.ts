import type { Columns } from '../columns.ts';
import { arrayText } from './array-text.ts';

/** Characters after which a text is given over as bytes: large enough to be sent at once, small enough to move. */
const TEXT_CHARS = 262_144;

/**
 * Rows of one table in the text format of COPY, all columns in the order of their declaration. A row is encoded when
 * it is added, so that nothing but its text has to be kept.
 */
export class CopyText<R extends object> {
  #rows = 0;
  #text = '';
  readonly #texts: Buffer[] = [];
  readonly #names: readonly string[];

  constructor(columns: Columns) {
    this.#names = Object.keys(columns);
  }

  get rows(): number {
    return this.#rows;
  }

  add(row: R): void {
    const values = row as Readonly<Record<string, unknown>>;
    this.#text += `${this.#names.map((name) => fieldText(values[name])).join('\t')}\n`;
    this.#rows += 1;
    if (this.#text.length >= TEXT_CHARS) this.#turnToBytes();
  }

  /** All rows until now; nothing may be added any more. */
  end(): readonly Buffer[] {
    if (this.#text !== '') this.#turnToBytes();
    return this.#texts;
  }

  #turnToBytes(): void {
    this.#texts.push(Buffer.from(this.#text));
    this.#text = '';
  }
}

const SPECIAL = /[\\\t\n\r]/;
const SPECIALS = /[\\\t\n\r]/g;
const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** What joins to the field's text: numbers and truth values are left as they are. */
function fieldText(value: unknown): unknown {
  if (value === null || value === undefined) return '\\N';
  if (typeof value === 'string') return escape(value);
  return Array.isArray(value) ? escape(arrayText(value)) : value;
}

function escape(text: string): string {
  return SPECIAL.test(text) ? text.replace(SPECIALS, (special) => ESCAPED[special] ?? special) : text;
}
