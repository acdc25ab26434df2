import type { ColumnType } from './columns.ts';

const NULL_LENGTH = -1;
const TWO_TO_32 = 2 ** 32;
/** Up to this length a loop in JavaScript is faster than a call into native code. */
const SHORT_TEXT = 64;
const MAX_UTF8_BYTES = 3;
const FIRST_CAPACITY = 256;

const EMPTY = Buffer.alloc(0);
const EMPTY_VIEW = new DataView(EMPTY.buffer);

/** Postgres's type numbers (OIDs). */
const OIDS = { bool: 16, int8: 20, int2: 21, text: 25, float8: 701, 'text[]': 1009 } as const satisfies Record<
  ColumnType,
  number
>;

/**
 * Values in Postgres's binary format, each after its length, encoded when they are added.
 * @see https://www.postgresql.org/docs/current/sql-copy.html (Binary Format), array_recv in arrayfuncs.c
 */
export class BinaryFields {
  #bytes = EMPTY;
  #view = EMPTY_VIEW;
  #end = 0;
  #firstCapacity = FIRST_CAPACITY;

  get length(): number {
    return this.#end;
  }

  /** Returns the bytes so far and starts again with an empty buffer of the same size. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#end);
    this.#firstCapacity = Math.max(this.#bytes.length, FIRST_CAPACITY);
    this.#bytes = EMPTY;
    this.#end = 0;
    return taken;
  }

  int16(value: number): void {
    this.#grow(2);
    this.#view.setInt16(this.#end, value);
    this.#end += 2;
  }

  int32(value: number): void {
    this.#grow(4);
    this.#setInt32(value);
  }

  bytes(bytes: Buffer): void {
    this.#grow(bytes.length);
    bytes.copy(this.#bytes, this.#end);
    this.#end += bytes.length;
  }

  /** Writes the head of an array, whose elements follow; at an earlier offset it replaces that of an array there. */
  arrayHead(type: ColumnType, count: number, at = this.#end): void {
    const end = this.#end;
    this.#end = at;
    this.int32(count === 0 ? 0 : 1);
    this.int32(0);
    this.int32(OIDS[type]);
    if (count > 0) {
      this.int32(count);
      this.int32(1);
    }
    this.#end = Math.max(end, this.#end);
  }

  /** Adds a field. Throws TypeError for a value of another type. */
  field(type: ColumnType, value: unknown): void {
    if (value === null || value === undefined) {
      this.int32(NULL_LENGTH);
    } else if (type === 'int8' && Number.isSafeInteger(value)) {
      this.#int8(value as number);
    } else if (type === 'int2' && isInt2(value)) {
      this.int32(2);
      this.int16(value);
    } else if (type === 'text' && typeof value === 'string') {
      this.#text(value);
    } else if (type === 'bool' && typeof value === 'boolean') {
      this.#grow(5);
      this.#setInt32(1);
      this.#bytes[this.#end++] = value ? 1 : 0;
    } else if (type === 'float8' && typeof value === 'number') {
      this.#grow(12);
      this.#setInt32(8);
      this.#view.setFloat64(this.#end, value);
      this.#end += 8;
    } else if (type === 'text[]' && Array.isArray(value)) {
      this.#texts(value);
    } else {
      throw new TypeError(`${JSON.stringify(value)} where ${type} should be`);
    }
  }

  #int8(value: number): void {
    this.#grow(12);
    this.#setInt32(8);
    const high = Math.floor(value / TWO_TO_32);
    this.#setInt32(high);
    this.#setInt32(value - high * TWO_TO_32);
  }

  #text(value: string): void {
    const { length } = value;
    this.#grow(4 + MAX_UTF8_BYTES * length);
    const lengthAt = this.#end;
    this.#end += 4;
    if (length > SHORT_TEXT || !this.#ascii(value)) this.#end += this.#bytes.write(value, this.#end);
    this.#view.setInt32(lengthAt, this.#end - lengthAt - 4);
  }

  /** Adds an ASCII text. Returns false and adds nothing if the text has other characters. */
  #ascii(value: string): boolean {
    const begin = this.#end;
    for (let position = 0; position < value.length; position += 1) {
      const code = value.charCodeAt(position);
      if (code > 0x7f) return false;
      this.#bytes[begin + position] = code;
    }
    this.#end = begin + value.length;
    return true;
  }

  #texts(values: readonly unknown[]): void {
    const lengthAt = this.#end;
    this.int32(0);
    this.arrayHead('text', values.length);
    for (const value of values) this.field('text', value);
    this.#view.setInt32(lengthAt, this.#end - lengthAt - 4);
  }

  #setInt32(value: number): void {
    this.#view.setInt32(this.#end, value);
    this.#end += 4;
  }

  #grow(bytes: number): void {
    const needed = this.#end + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.#bytes.length, needed, this.#firstCapacity));
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}

function isInt2(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= -0x8000 && (value as number) <= 0x7fff;
}
