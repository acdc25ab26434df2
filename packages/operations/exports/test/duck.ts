import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Format, Manifest } from '../src/index.ts';

/** DuckDB's own readers. */
const READERS: Readonly<Record<Format, string>> = {
  parquet: 'read_parquet',
  csv: 'read_csv',
  ndjson: 'read_ndjson',
};

type Tables = Manifest['tables'];

/** The types of DuckDB for those of a manifest. */
export const DUCK_TYPES = {
  int64: 'BIGINT',
  double: 'DOUBLE',
  boolean: 'BOOLEAN',
  string: 'VARCHAR',
  timestamp: 'TIMESTAMP WITH TIME ZONE',
} as const;

/** DuckDB in this process, without files of its own. */
export class Duck {
  private constructor(
    private readonly instance: DuckDBInstance,
    private readonly connection: DuckDBConnection,
  ) {}

  static async open(): Promise<Duck> {
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
    const connection = await instance.connect();
    await connection.run(`set TimeZone = 'UTC'`);
    return new Duck(instance, connection);
  }

  /** The rows of a query, as JSON writes them: whole numbers of 64 bits are text. */
  async rows(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    return (await this.connection.runAndReadAll(sql)).getRowObjectsJson();
  }

  /**
   * The expression that reads a table of an export.
   *
   * @param columns those of the manifest, for CSV: it has no types, and DuckDB takes yes and no for booleans
   */
  table(folder: string, name: string, format: Format, columns: Tables[string]['columns'] = []): string {
    const file = path.join(folder, `${name}.${format}`);
    if (format !== 'csv' || columns.length === 0) return `${READERS[format]}('${file}')`;
    const types = columns.map((column) => `'${column.name}': '${DUCK_TYPES[column.type]}'`);
    return `read_csv('${file}', header = true, columns = {${types.join(', ')}})`;
  }

  close(): void {
    this.connection.closeSync();
    this.instance.closeSync();
  }
}
