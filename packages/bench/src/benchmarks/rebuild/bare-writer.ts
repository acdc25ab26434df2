import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { buffer } from 'node:stream/consumers';
import type { Journal } from '@paper/journal';
import pg from 'pg';
import { from, to } from 'pg-copy-streams';

const SCHEMA = 'bare';
const NEWLINE = 10;

interface FilledTable {
  readonly name: string;
  /** All rows of the table in COPY's text format, one line each. */
  readonly lines: Buffer;
}

/**
 * Writes the rows of a rebuild as fast as Postgres accepts them: it has them as the bytes of a COPY, and copies each
 * once, into tables without a key or an index.
 */
export class BareWriter {
  private constructor(
    private readonly client: pg.Client,
    /** The connections that make keys, indexes and statistics: this client and further ones. */
    private readonly finishers: readonly pg.Client[],
    private readonly tables: readonly FilledTable[],
  ) {}

  /**
   * Loads all rows of `filled` into memory.
   * @param atOnce connections that make keys, indexes and statistics: as many as a rebuild has
   */
  static async open(connectionString: string, filled: string, atOnce: number): Promise<BareWriter> {
    const connect = async (): Promise<pg.Client> => {
      const client = new pg.Client({ connectionString, options: '-c synchronous_commit=off' });
      await client.connect();
      return client;
    };
    const client = await connect();
    const others = await Promise.all(Array.from({ length: atOnce - 1 }, connect));
    const { rows } = await client.query<{ name: string; ordered: string }>(
      `select t.tablename as name, coalesce(
         (select column_name::text from information_schema.columns c where c.table_schema = t.schemaname
            and c.table_name = t.tablename and c.column_name in ('seq', 'created_seq') order by 1 limit 1), '1') as ordered
       from pg_tables t where t.schemaname = $1`,
      [filled],
    );
    const tables: FilledTable[] = [];
    for (const { name, ordered } of rows) {
      const copied = client.query(to(`copy (select * from "${filled}"."${name}" order by ${ordered}) to stdout`));
      tables.push({ name, lines: await buffer(copied) });
    }
    return new BareWriter(client, [client, ...others], tables);
  }

  async close(): Promise<void> {
    for (const client of this.finishers) await client.end();
  }

  /** Empty tables like those of the schema `model`, without keys and indexes. */
  async createTables(model: string): Promise<void> {
    await this.client.query(`create schema ${SCHEMA}`);
    for (const { name } of this.tables) {
      await this.client.query(
        `create table ${SCHEMA}."${name}" (like "${model}"."${name}" including all excluding indexes)`,
      );
    }
  }

  async dropTables(): Promise<void> {
    await this.client.query(`drop schema ${SCHEMA} cascade`);
  }

  /**
   * Reads the journal page by page, and with each page writes a proportional share of all rows, in one transaction.
   * Then makes the keys, indexes and statistics that `model` has.
   */
  async write(journal: Journal, pageSize: number, model: string, onFilled: () => void): Promise<void> {
    const { seq } = await journal.head();
    let writing: Promise<void> = Promise.resolve();
    for (let read = 0; read < seq;) {
      const page = await journal.read(read + 1, Math.min(pageSize, seq - read));
      const [first, end] = [read / seq, (read + page.length) / seq];
      await writing;
      writing = this.#writeShare(first, end);
      read += page.length;
    }
    await writing;
    onFilled();
    await this.#finish(model);
  }

  /** Table by table, the largest first, one on each connection at a time, as a rebuild does. */
  async #finish(model: string): Promise<void> {
    const indexes = await this.#indexes(model);
    const waiting = this.tables.toSorted((a, b) => b.lines.length - a.lines.length).values();
    const finish = async (client: pg.Client): Promise<void> => {
      await client.query(`set maintenance_work_mem = '128MB'`);
      for (const { name } of waiting) {
        for (const { table, definition } of indexes) if (table === name) await client.query(definition);
        await client.query(`vacuum (analyze) ${SCHEMA}."${name}"`);
      }
    };
    await Promise.all(this.finishers.map(finish));
  }

  async #indexes(model: string): Promise<readonly { readonly table: string; readonly definition: string }[]> {
    const { rows } = await this.client.query<{ table: string; definition: string }>(
      `select c.relname as table, pg_get_indexdef(i.indexrelid) as definition
       from pg_index i join pg_class c on c.oid = i.indrelid
       where c.relnamespace = $1::regnamespace order by c.relname, i.indexrelid`,
      [model],
    );
    return rows.map(({ definition, table }) => ({
      definition: definition.replace(` ON ${model}.`, ` ON ${SCHEMA}.`),
      table,
    }));
  }

  async #writeShare(first: number, end: number): Promise<void> {
    await this.client.query('begin');
    for (const { name, lines } of this.tables) {
      const share = lines.subarray(lineAt(lines, first), lineAt(lines, end));
      if (share.length > 0) {
        await pipeline(Readable.from([share]), this.client.query(from(`copy ${SCHEMA}."${name}" from stdin`)));
      }
    }
    await this.client.query('commit');
  }
}

/** The beginning of the line that lies at this fraction of all bytes. */
function lineAt(lines: Buffer, part: number): number {
  const byte = Math.floor(part * lines.length);
  return byte === 0 ? 0 : lines.indexOf(NEWLINE, byte - 1) + 1;
}
