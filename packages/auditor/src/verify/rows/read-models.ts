import pg from 'pg';
import { Fault } from '../fault.ts';
import { type Row, TABLE_KEYS, type TableName } from './row.ts';

/** How far the read models were when they were looked at. */
export interface Checkpoint {
  readonly at: number;
  readonly hash: string;
  readonly seq: number;
}

/** Rows that are looked up in one query. */
const LOOKUP = 2_000;

/** What Postgres says where a schema or table is not there. */
const MISSING = new Set(['42P01', '3F000']);

/**
 * The read models of a database as they are at one moment, compared row by row with what the auditor expects. The moment
 * is one read-only transaction, which a projector at work does not disturb, and which does not disturb it.
 */
export class ReadModels {
  readonly #waiting = new Map<TableName, Row[]>();
  readonly #compared = new Map<TableName, number>();
  readonly #unknown = new Set<string>();

  private constructor(
    private readonly client: pg.Client,
    readonly schema: string,
    readonly checkpoint: Checkpoint,
  ) {}

  /** Null where the database has no read models. @throws errors of the database. */
  static async open(connectionString: string): Promise<ReadModels | null> {
    const types = new pg.TypeOverrides();
    types.setTypeParser(pg.types.builtins.INT8, Number);
    const client = new pg.Client({ connectionString, types });
    // A connection that breaks says so to its query, too.
    client.on('error', () => undefined);
    await client.connect();
    try {
      await client.query('begin isolation level repeatable read read only');
      const active = await client.query<{ schema: string }>(
        `select schema from read_models.versions where status = 'active' order by version desc limit 1`,
      );
      const schema = active.rows[0]?.schema;
      if (schema !== undefined) {
        const { rows } = await client.query<Checkpoint>(
          `select seq, hash, at from ${client.escapeIdentifier(schema)}.checkpoint`,
        );
        if (rows[0] !== undefined) return new ReadModels(client, schema, rows[0]);
      }
      await client.end();
      return null;
    } catch (error) {
      await client.end();
      if (MISSING.has(String((error as { code?: unknown }).code))) return null;
      throw error;
    }
  }

  /** How many rows were compared, of each table. */
  get compared(): ReadonlyMap<TableName, number> {
    return this.#compared;
  }

  /** Columns that this auditor knows nothing of, as `table.column`. */
  get unknownColumns(): readonly string[] {
    return [...this.#unknown];
  }

  /** Takes a row down for the next `compare`. */
  expect(table: TableName, row: Row): void {
    const waiting = this.#waiting.get(table);
    if (waiting === undefined) this.#waiting.set(table, [row]);
    else waiting.push(row);
  }

  /** Compares the rows that are taken down. @throws Fault for the first that is missing or different. */
  async compare(): Promise<void> {
    for (const [table, rows] of this.#waiting) {
      this.#waiting.delete(table);
      for (let from = 0; from < rows.length; from += LOOKUP) {
        await this.#compareRows(table, rows.slice(from, from + LOOKUP));
      }
    }
  }

  /** Whether every table has only the rows that were compared. @throws Fault */
  async compareCounts(): Promise<void> {
    for (const table of Object.keys(TABLE_KEYS) as TableName[]) {
      const due = this.#compared.get(table) ?? 0;
      const { rows } = await this.client.query<{ count: number }>(`select count(*) from ${this.#name(table)}`);
      const count = rows[0]?.count ?? 0;
      if (count !== due) throw this.#fault(`table ${table} has ${count} rows`, `${due}, as the journal gives`);
    }
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  async #compareRows(table: TableName, expected: readonly Row[]): Promise<void> {
    const keys = Object.entries(TABLE_KEYS[table]);
    const arrays = keys.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ');
    const same = keys.map(([column], index) => `t.${column} = k.c${index}`).join(' and ');
    const names = keys.map((_, index) => `c${index}`).join(', ');
    const { rows } = await this.client.query<Row>(
      `select t.* from ${this.#name(table)} t join unnest(${arrays}) as k(${names}) on ${same}`,
      keys.map(([column]) => expected.map((row) => row[column])),
    );
    const found = new Map(rows.map((row) => [keyOf(table, row), row]));
    for (const row of expected) {
      const key = keyOf(table, row);
      const there = found.get(key);
      if (there === undefined) throw this.#fault(`table ${table} has no row ${key}`, JSON.stringify(row));
      this.#compareRow(table, key, there, row);
    }
    this.#compared.set(table, (this.#compared.get(table) ?? 0) + expected.length);
  }

  #compareRow(table: TableName, key: string, found: Row, expected: Row): void {
    for (const [column, value] of Object.entries(found)) {
      const due = expected[column];
      if (due === undefined) this.#unknown.add(`${table}.${column}`);
      else if (value !== due && JSON.stringify(value) !== JSON.stringify(due)) {
        throw this.#fault(
          `row ${key} of table ${table} has ${column} = ${JSON.stringify(value)}`,
          `${JSON.stringify(due)}, as the journal gives`,
        );
      }
    }
  }

  #name(table: TableName): string {
    return `${this.client.escapeIdentifier(this.schema)}.${table}`;
  }

  #fault(found: string, expected: string): Fault {
    return new Fault('read models', this.checkpoint.seq, null, `in ${this.schema} ${found}`, expected);
  }
}

function keyOf(table: TableName, row: Row): string {
  return Object.keys(TABLE_KEYS[table])
    .map((column) => String(row[column]))
    .join(' ');
}
