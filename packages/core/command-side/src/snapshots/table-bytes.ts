import type { SnapshotTable, Texts } from '@paper/exchange/snapshot';
import type { UsageTable } from '../usage/usage-table.ts';

/** Every table that a stored snapshot has. */
export type StoredTable = SnapshotTable | UsageTable;

/**
 * A table is stored as the length of its header (4 bytes), the header's JSON, and the columns that it names: numbers in
 * the narrowest form that holds them, texts as their lengths and then all of them joined. The byte order is this
 * machine's; read in the other one, the header's length is out of range, so such a table is refused.
 */
interface Header {
  readonly kind: string;
  readonly rows: number;
  readonly columns: readonly (NumberColumn | TextColumn)[];
}

type NumberColumn = readonly [name: string, form: Form];
type TextColumn = readonly [name: string, lengths: Form, encoding: Encoding, bytes: number];
type Columns = Readonly<Record<string, Float64Array | Texts>>;

const FORMS = { u8: Uint8Array, i32: Int32Array, f64: Float64Array } as const;
type Form = keyof typeof FORMS;
/** The first one that can hold all texts of a column is used. A lone surrogate is a valid text too. */
type Encoding = 'hex' | 'latin1' | 'utf16le';

const LENGTH_BYTES = Uint32Array.BYTES_PER_ELEMENT;

export function encodeTable({ kind, rows, columns }: StoredTable): Buffer {
  const parts: Uint8Array[] = [];
  const headers = Object.entries(columns as Columns).map(([name, column]): NumberColumn | TextColumn => {
    if (column instanceof Float64Array) return [name, addNumbers(parts, column)];
    const lengths = addNumbers(parts, column.lengths);
    const encoding = encodingOf(column);
    const bytes = Buffer.from(column.all, encoding);
    parts.push(bytes);
    return [name, lengths, encoding, bytes.length];
  });
  const header = Buffer.from(JSON.stringify({ kind, rows, columns: headers } satisfies Header));
  const length = new Uint8Array(Uint32Array.of(header.length).buffer);
  return Buffer.concat([length, header, ...parts]);
}

/** Decodes a table. @throws Error when the bytes are not those of a table. */
export function decodeTable(bytes: Buffer): StoredTable {
  const reader = new Reader(bytes);
  const { kind, rows, columns } = JSON.parse(reader.text(reader.length(), 'latin1')) as Header;
  const decoded = columns.map(([name, form, encoding, size = 0]) => [
    name,
    encoding === undefined ? reader.numbers(form, rows) : reader.texts(form, rows, encoding, size),
  ]);
  reader.end();
  // The contents are checked when they are used.
  return { kind, rows, columns: Object.fromEntries(decoded) as unknown } as StoredTable;
}

function addNumbers(parts: Uint8Array[], numbers: Float64Array): Form {
  const form = formOf(numbers);
  parts.push(new Uint8Array(new FORMS[form](numbers).buffer));
  return form;
}

function formOf(numbers: Float64Array): Form {
  if (numbers.every((each) => each === (each & 0xff))) return 'u8';
  return numbers.every((each) => each === (each | 0)) ? 'i32' : 'f64';
}

function encodingOf({ all }: Texts): Encoding {
  if (all.length % 2 === 0 && /^[0-9a-f]*$/.test(all)) return 'hex';
  return /^[\u0000-\u00ff]*$/.test(all) ? 'latin1' : 'utf16le';
}

class Reader {
  #at = 0;

  constructor(private readonly bytes: Buffer) {}

  length(): number {
    const [length = 0] = new Uint32Array(this.#take(LENGTH_BYTES));
    return length;
  }

  text(bytes: number, encoding: Encoding): string {
    const from = this.#skip(bytes);
    return this.bytes.toString(encoding, from, this.#at);
  }

  numbers(form: Form, count: number): Float64Array {
    const Array = FORMS[form];
    return new Float64Array(new Array(this.#take(count * Array.BYTES_PER_ELEMENT)));
  }

  texts(form: Form, count: number, encoding: Encoding, bytes: number): Texts {
    const lengths = this.numbers(form, count);
    const all = this.text(bytes, encoding);
    const length = lengths.reduce((sum, each) => sum + each, 0);
    if (length !== all.length) throw new Error(`its texts are ${length} characters long, here are ${all.length}`);
    return { all, lengths };
  }

  end(): void {
    const more = this.bytes.length - this.#at;
    if (more > 0) throw new Error(`its table goes on for ${more} bytes after its end`);
  }

  /** Copies the bytes to an aligned offset, which typed arrays need. */
  #take(bytes: number): ArrayBuffer {
    const from = this.#skip(bytes);
    return new Uint8Array(this.bytes.subarray(from, this.#at)).buffer;
  }

  #skip(bytes: number): number {
    const from = this.#at;
    if (!(bytes >= 0 && from + bytes <= this.bytes.length)) throw new Error('its table is cut off');
    this.#at = from + bytes;
    return from;
  }
}
