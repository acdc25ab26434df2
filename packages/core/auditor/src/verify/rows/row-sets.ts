import { hash } from 'node:crypto';
import type { Row, TableName } from './row.ts';

/** The tables with the most rows, compared by a hash. Their columns are whole numbers, booleans and texts. */
export const HASHED_TABLES: ReadonlySet<TableName> = new Set([
  'fills',
  'market_history',
  'market_minutes',
  'orders',
  'positions',
]);

/** The rows of a table, in any order; columns are in the order of `textOf`. */
export interface RowSet {
  readonly table: TableName;
  readonly columns: readonly string[];
  readonly rows: number;
  /** XOR of 128 bits of each row's SHA-256 with the audit's key, in hex; null if a row has no text of its own. */
  readonly hash: string | null;
}

/** The character that ends a value in a row's text, and the character that stands for null. */
export const [ENDS_VALUE, IS_NULL] = ['\x1f', '\x1e'];

/**
 * A row as a text that no other row has: its values as Postgres prints them, each followed by `ENDS_VALUE`.
 * @returns null if a value has such a character, or is a list or an object.
 */
export function textOf(row: Row): string | null {
  let text = '';
  for (const name in row) {
    const value = row[name];
    if (value === null) {
      text += IS_NULL;
    } else if (typeof value === 'string') {
      if (value.includes(ENDS_VALUE) || value.includes(IS_NULL)) return null;
      text += value + ENDS_VALUE;
    } else if (typeof value === 'boolean') {
      text += (value ? 't' : 'f') + ENDS_VALUE;
    } else if (typeof value === 'number') {
      text += String(value) + ENDS_VALUE;
    } else {
      return null;
    }
  }
  return text;
}

const WORDS = 4;

interface Hashed {
  readonly columns: readonly string[];
  readonly words: Int32Array;
  rows: number;
  hasTexts: boolean;
}

/**
 * Hashes the sets of expected rows (MSet-XOR-Hash of Clarke et al., Incremental Multiset Hash Functions, Asiacrypt
 * 2003). The key is random and chosen after a snapshot has fixed the database's rows, so no row can be made to match.
 * Different sets with equal numbers of rows have the same hash with a probability of 2^-128.
 */
export class RowSets {
  readonly #sets = new Map<TableName, Hashed>();

  constructor(private readonly key: string) {}

  add(table: TableName, row: Row): void {
    let set = this.#sets.get(table);
    if (set === undefined) {
      set = { columns: Object.keys(row), words: new Int32Array(WORDS), rows: 0, hasTexts: true };
      this.#sets.set(table, set);
    }
    set.rows += 1;
    const text = textOf(row);
    if (text === null) set.hasTexts = false;
    else addDigest(set.words, hash('sha256', this.key + text, 'binary'));
  }

  get all(): readonly RowSet[] {
    return [...this.#sets].map(([table, { columns, hasTexts, rows, words }]) => ({
      table,
      columns,
      rows,
      hash: hasTexts ? Array.from(words, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('') : null,
    }));
  }
}

/** One character for each byte of the digest takes half the time of a buffer. */
function addDigest(words: Int32Array, digest: string): void {
  for (let word = 0, at = 0; word < WORDS; word += 1, at += 4) {
    const bits =
      (digest.charCodeAt(at) << 24) |
      (digest.charCodeAt(at + 1) << 16) |
      (digest.charCodeAt(at + 2) << 8) |
      digest.charCodeAt(at + 3);
    words[word] = (words[word] ?? 0) ^ bits;
  }
}
