/** Null in the text format of COPY. */
export const NULL = '\\N';

/** A line break within a text. */
export const LINE_BREAK = '\\n';

/** Columns of a line of COPY. Texts must be without tabs, line breaks and backslashes, as ids and words are. */
export function tuple(...values: readonly (string | number | boolean | null | undefined)[]): string {
  return values.map((value) => value ?? NULL).join('\t');
}

/** A text array. Its elements must be without quotation marks and backslashes, too. */
export function textArray(values: readonly string[]): string {
  return `{${values.map((value) => `"${value}"`).join(',')}}`;
}

/** The bytes of a chunk: large enough to be sent at once. */
const CHUNK_BYTES = 262_144;
const MAX_UTF8_BYTES = 3;

/** Lines of COPY. Only their bytes stay in memory: many strings would be copied by each collection of garbage. */
export class CopyLines {
  #full: Buffer[] = [];
  #bytes = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  #end = 0;

  add(lines: string): void {
    const mostBytes = MAX_UTF8_BYTES * lines.length;
    if (this.#end + mostBytes > this.#bytes.length) this.#begin(Math.max(CHUNK_BYTES, mostBytes));
    this.#end += this.#bytes.write(lines, this.#end);
  }

  /** All lines since the last call, in chunks. */
  take(): readonly Buffer[] {
    this.#begin(CHUNK_BYTES);
    const taken = this.#full;
    this.#full = [];
    return taken;
  }

  #begin(bytes: number): void {
    if (this.#end > 0) this.#full.push(this.#bytes.subarray(0, this.#end));
    this.#bytes = Buffer.allocUnsafeSlow(bytes);
    this.#end = 0;
  }
}
