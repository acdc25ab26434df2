import pg from 'pg';
import { Fault } from '../../journal/fault.ts';
import { checkRelations } from '../../journal/relations.ts';
import type { KnownRelations } from '../../journal/relations.ts';
import { findReadModels } from './find-read-models.ts';
import type { Checkpoint } from './find-read-models.ts';
import { FoundRowSets } from './found-row-sets.ts';
import { KeyHashes } from './key-hashes.ts';
import type { RowSet } from './row-sets.ts';
import { TABLE_KEYS } from './row.ts';
import type { Row, TableName } from './row.ts';
import type { TableRows } from './table-rows.ts';

const TABLES: KnownRelations = Object.fromEntries(
  ['checkpoint', ...Object.keys(TABLE_KEYS)].map((table) => [table, 'table'] as const),
);
const REGISTRY: KnownRelations = { schema_number: 'sequence', versions: 'table' };
const ROWS_PER_QUERY = 2_000;
const FINDINGS_MAX = 10;
const KEYS_PER_FETCH = 20_000;

interface Waiting {
  readonly keys: unknown[][];
  readonly texts: string[];
  readonly compared: KeyHashes;
  lookUp: string | null;
}

/** The hash of a table differs from the expected one. A comparison row by row then finds the wrong row. */
export class RowSetDiffers extends Error {
  override readonly name = 'RowSetDiffers';
}

/**
 * Compares the read models of a database, in one snapshot, with the expected rows: large tables by a hash if requested,
 * others row by row. Postgres prints each row as JSON; columns are compared only where that text differs.
 */
export class ReadModels {
  readonly #tables = new Map<TableName, Waiting>();
  readonly #unknown = new Set<string>();
  #hashedRows = 0;

  private constructor(
    private readonly client: pg.Client,
    readonly schema: string,
    readonly checkpoint: Checkpoint,
    private readonly foundSets: FoundRowSets | null,
  ) {}

  /**
   * Opens the read models, or returns the reason (a text) why nothing can be compared.
   * @param hashes whether large tables are compared by a hash
   */
  static async open(connectionString: string, hashes = false): Promise<ReadModels | string> {
    const types = new pg.TypeOverrides();
    types.setTypeParser(pg.types.builtins.INT8, Number);
    const client = new pg.Client({ connectionString, types });
    // A connection that breaks also fails its query, where the error is handled.
    client.on('error', () => undefined);
    await client.connect();
    try {
      await client.query('begin isolation level repeatable read read only');
      // A generic plan uses the primary key; a plan for 2,000 keys might scan the whole table each time.
      await client.query('set local plan_cache_mode = force_generic_plan');
      const found = await findReadModels(client);
      if (typeof found !== 'string') {
        const { checkpoint, schema } = found;
        const foundSets = hashes ? await FoundRowSets.open(connectionString, client, schema) : null;
        return new ReadModels(client, schema, checkpoint, foundSets);
      }
      await client.end();
      return found;
    } catch (error) {
      await client.end();
      throw error;
    }
  }

  /** What was compared; `hashedRows` by a hash of their tables. Unknown columns are named as `table.column`. */
  get result() {
    const rows = [...this.#tables.values()].reduce((sum, { compared }) => sum + compared.count, this.#hashedRows);
    const { checkpoint, schema } = this;
    return { schema, seq: checkpoint.seq, rows, hashedRows: this.#hashedRows, unknownColumns: [...this.#unknown] };
  }

  get rowKey(): string | null {
    return this.foundSets?.key ?? null;
  }

  /** Compares rows once a query is worthwhile. @throws Fault for a missing or different row. */
  async expect(tables: readonly TableRows[]): Promise<void> {
    for (const { keys, table, texts } of tables) {
      const waiting = this.#table(table);
      for (const [index, values] of keys.entries()) {
        for (const value of values) waiting.keys[index]?.push(value);
      }
      for (const text of texts) waiting.texts.push(text);
      while (waiting.texts.length >= ROWS_PER_QUERY) await this.#compareNext(table, waiting);
    }
  }

  /** Begins to hash the tables of these sets. @throws Fault when a table lacks a column. */
  async expectSets(sets: readonly RowSet[]): Promise<void> {
    for (const { columns, table } of sets) {
      const waiting = this.#table(table);
      if (waiting.lookUp !== null) continue;
      waiting.lookUp = await this.#lookUpOf(table, columns);
      void this.foundSets?.scan(table, columns);
    }
  }

  /** Compares all sets and the collected rows, then looks for extra rows and tables. @throws Fault; RowSetDiffers */
  async finish(sets: readonly RowSet[] = []): Promise<void> {
    for (const { columns, hash, rows, table } of sets) {
      const found = await this.foundSets?.scan(table, columns);
      if (found?.rows !== rows || found.hash !== hash) throw new RowSetDiffers(`the rows of ${table} differ`);
      this.#hashedRows += rows;
    }
    for (const [table, waiting] of this.#tables) {
      while (waiting.texts.length > 0) await this.#compareNext(table, waiting);
    }
    const compared = new Set(sets.map(({ table }) => table));
    for (const table of Object.keys(TABLE_KEYS) as TableName[]) {
      if (!compared.has(table)) await this.#expectNoOthers(table);
    }
    for (const [schema, known] of [
      [this.schema, TABLES],
      ['read_models', REGISTRY],
    ] as const) {
      await checkRelations(this.client, schema, known, this.checkpoint.seq);
    }
  }

  /** Read models do not name their shard, but the display names beside them do. */
  async canBeOf(shard: string): Promise<boolean> {
    const names = await this.client.query(`select where to_regclass('coordination.names') is not null`);
    if (names.rowCount === 0) return true;
    const { rows } = await this.client.query<{ own: boolean }>(
      'select count(*) = 0 or bool_or(shard = $1) as own from coordination.names',
      [shard],
    );
    return rows[0]?.own === true;
  }

  async close(): Promise<void> {
    await this.foundSets?.close();
    await this.client.end();
  }

  async #compareNext(table: TableName, waiting: Waiting): Promise<void> {
    const texts = waiting.texts.splice(0, ROWS_PER_QUERY);
    const keys = waiting.keys.map((column) => column.splice(0, ROWS_PER_QUERY));
    waiting.lookUp ??= await this.#lookUpOf(table, Object.keys(JSON.parse(texts[0] ?? '{}') as Row));
    const { rows } = await this.client.query<[place: number, text: string]>({
      name: `audit_${table}`,
      rowMode: 'array',
      text: waiting.lookUp,
      values: keys,
    });
    const nameOf = (index: number): string => keys.map((column) => String(column[index])).join(' ');
    const isThere = new Array<boolean>(texts.length).fill(false);
    for (const [position, text] of rows) {
      const [index, expected = '{}'] = [position - 1, texts[position - 1]];
      if (isThere[index] === true) throw this.#fault(`table ${table} has row ${nameOf(index)} twice`, 'once');
      isThere[index] = true;
      if (text !== expected) this.#compareColumns(table, nameOf(index), JSON.parse(text) as Row, expected);
    }
    const missing = isThere.indexOf(false);
    if (missing >= 0) throw this.#fault(`table ${table} has no row ${nameOf(missing)}`, texts[missing] ?? '');
    for (const index of texts.keys()) waiting.compared.add(nameOf(index));
  }

  #compareColumns(table: TableName, key: string, found: Row, text: string): void {
    for (const [column, due] of Object.entries(JSON.parse(text) as Row)) {
      const value = found[column];
      // Postgres prints some numbers and lists differently than JSON.stringify does.
      if (value === due || JSON.stringify(value) === JSON.stringify(due)) continue;
      throw this.#fault(
        `row ${key} of table ${table} has ${column} = ${JSON.stringify(value)}`,
        `${JSON.stringify(due)}, as the journal gives`,
      );
    }
  }

  /** Looks rows up by their keys, in the order of the keys, and prints these columns as JSON. */
  async #lookUpOf(table: TableName, columns: readonly string[]): Promise<string> {
    const { rows } = await this.client.query<{ name: string }>(
      `select attname as name from pg_attribute where attrelid = to_regclass($1) and attnum > 0 and not attisdropped`,
      [this.#name(table)],
    );
    const there = new Set(rows.map(({ name }) => name));
    const missing = columns.find((column) => !there.has(column));
    if (missing !== undefined) {
      const found = there.size === 0 ? `there is no table ${table}` : `table ${table} has no column ${missing}`;
      throw this.#fault(found, 'the read models of the build that this auditor is of');
    }
    for (const name of there) if (!columns.includes(name)) this.#unknown.add(`${table}.${name}`);
    const keys = Object.entries(TABLE_KEYS[table]);
    const arrays = keys.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ');
    const names = keys.map((_, index) => `c${index}`).join(', ');
    const same = keys.map(([column], index) => `t.${column} = k.c${index}`).join(' and ');
    const printed = columns.map((column) => `t.${this.client.escapeIdentifier(column)}`).join(', ');
    return `
      select k.place::int4, (select row_to_json(r)::text from (select ${printed}) r)
      from unnest(${arrays}) with ordinality as k(${names}, place) join ${this.#name(table)} t on ${same}`;
  }

  async #expectNoOthers(table: TableName): Promise<void> {
    const { compared } = this.#table(table);
    const { rows } = await this.client.query<{ count: number }>(`select count(*) from ${this.#name(table)}`);
    const count = rows[0]?.count ?? 0;
    if (count === compared.count) return;
    const others = await this.#others(table, compared);
    const named = others.length === 0 ? '' : `, among them ${others.join('; ')}, which the journal does not give`;
    throw this.#fault(
      `table ${table} has ${count} rows, ${count - compared.count} too many${named}`,
      `${compared.count} rows`,
    );
  }

  async #others(table: TableName, compared: KeyHashes): Promise<readonly string[]> {
    const columns = Object.keys(TABLE_KEYS[table]).join(', ');
    await this.client.query(`declare others no scroll cursor for select ${columns} from ${this.#name(table)}`);
    const others: string[] = [];
    for (;;) {
      const { rows } = await this.client.query<unknown[]>({
        rowMode: 'array',
        text: `fetch ${KEYS_PER_FETCH} from others`,
      });
      for (const row of rows) {
        const key = row.map(String).join(' ');
        if (!compared.mayHave(key)) others.push(key);
        if (others.length === FINDINGS_MAX) return others;
      }
      if (rows.length < KEYS_PER_FETCH) return others;
    }
  }

  #table(table: TableName): Waiting {
    let waiting = this.#tables.get(table);
    if (waiting === undefined) {
      const keys = Object.keys(TABLE_KEYS[table]).map(() => []);
      waiting = { compared: new KeyHashes(), keys, lookUp: null, texts: [] };
      this.#tables.set(table, waiting);
    }
    return waiting;
  }

  #name(table: TableName): string {
    return `${this.client.escapeIdentifier(this.schema)}.${table}`;
  }

  #fault(found: string, expected: string): Fault {
    return new Fault('read models', this.checkpoint.seq, null, `in ${this.schema} ${found}`, expected);
  }
}
