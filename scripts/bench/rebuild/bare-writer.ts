import type { Journal } from '@paper/journal';
import { connectReadModels, type ReadDb } from '@paper/read-models';
import { sql } from 'kysely';

const SCHEMA = 'bare';

interface Column {
  readonly name: string;
  readonly type: string;
}

interface FilledTable {
  readonly name: string;
  readonly columns: readonly Column[];
  /** As texts, an array a column. */
  readonly values: readonly (readonly (string | null)[])[];
  readonly rows: number;
}

/** Writes the rows that a rebuild has come to, as fast as they can be written: each once, and in bulk. */
export class BareWriter {
  private constructor(
    private readonly db: ReadDb,
    private readonly tables: readonly FilledTable[],
  ) {}

  /** Keeps all rows of `filled` in memory. */
  static async open(connectionString: string, filled: string): Promise<BareWriter> {
    const db = connectReadModels({ connectionString, maxConnections: 1, synchronousCommit: false });
    const { rows } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = ${filled}`.execute(db);
    const tables: FilledTable[] = [];
    for (const { name } of rows) tables.push(await load(db, filled, name));
    return new BareWriter(db, tables);
  }

  close(): Promise<void> {
    return this.db.destroy();
  }

  /**
   * Reads the journal page by page, and writes with each page as large a share of all rows, in one transaction; into
   * tables like those of the schema `model`.
   */
  async write(
    journal: Journal,
    pageSize: number,
    model: string,
  ): Promise<{ readonly fillMs: number; readonly allMs: number }> {
    await this.#createTables(model);
    const { seq } = await journal.head();
    const begunMs = performance.now();
    let writing: Promise<void> = Promise.resolve();
    for (let read = 0; read < seq;) {
      const page = await journal.read(read + 1, Math.min(pageSize, seq - read));
      const [from, to] = [read / seq, (read + page.length) / seq];
      await writing;
      writing = this.#writeShare(from, to);
      read += page.length;
    }
    await writing;
    const fillMs = performance.now() - begunMs;
    await sql`set maintenance_work_mem = '128MB'`.execute(this.db);
    for (const index of await this.#indexes(model, false)) await sql.raw(index).execute(this.db);
    const names = this.tables.map(({ name }) => sql.id(SCHEMA, name));
    await sql`vacuum (analyze) ${sql.join(names)}`.execute(this.db);
    const allMs = performance.now() - begunMs;
    await sql`drop schema ${sql.id(SCHEMA)} cascade`.execute(this.db);
    return { allMs, fillMs };
  }

  async #createTables(model: string): Promise<void> {
    await sql`create schema ${sql.id(SCHEMA)}`.execute(this.db);
    for (const { name } of this.tables) {
      await sql`create table ${sql.id(SCHEMA, name)}
        (like ${sql.id(model, name)} including all excluding indexes)`.execute(this.db);
    }
    for (const index of await this.#indexes(model, true)) await sql.raw(index).execute(this.db);
  }

  /** Definitions of the primary keys' indexes, or of all others. */
  async #indexes(model: string, primary: boolean): Promise<readonly string[]> {
    const { rows } = await sql<{ definition: string }>`
      select pg_get_indexdef(i.indexrelid) as definition from pg_index i join pg_class c on c.oid = i.indrelid
      where c.relnamespace = ${model}::regnamespace and i.indisprimary = ${primary}`.execute(this.db);
    return rows.map(({ definition }) => definition.replace(` ON ${model}.`, ` ON ${SCHEMA}.`));
  }

  async #writeShare(from: number, to: number): Promise<void> {
    await this.db.transaction().execute(async (trx) => {
      for (const { name, columns, values, rows } of this.tables) {
        const [first, last] = [Math.round(from * rows), Math.round(to * rows)];
        if (first === last) continue;
        const arrays = values.map((column) => sql`${column.slice(first, last)}::text[]`);
        const names = sql.raw(columns.map((column) => column.name).join(', '));
        const cast = sql.raw(columns.map((column) => `${column.name}::${column.type}`).join(', '));
        await sql`insert into ${sql.id(SCHEMA, name)} (${names})
          select ${cast} from unnest(${sql.join(arrays)}) as u(${names})`.execute(trx);
      }
    });
  }
}

async function load(db: ReadDb, schema: string, name: string): Promise<FilledTable> {
  const columns = await sql<Column>`
    select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
    where attrelid = ${`${schema}.${name}`}::regclass and attnum > 0 order by attnum`.execute(db);
  const texts = columns.rows.map((column) => `${column.name}::text`).join(', ');
  const ordered = columns.rows.some((column) => column.name === 'created_seq') ? 'created_seq' : columns.rows[0]?.name;
  const { rows } = await sql<Record<string, string | null>>`
    select ${sql.raw(texts)} from ${sql.id(schema, name)} order by ${sql.raw(`${name}.${ordered ?? '1'}`)}`.execute(db);
  const values = columns.rows.map((column) => rows.map((row) => row[column.name] ?? null));
  return { columns: columns.rows, name, rows: rows.length, values };
}
