import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from } from 'pg-copy-streams';

const SCHEMA = 'bare';

/** Tables like those of a rebuild, in a schema of their own, and the connections that fill and finish them. */
export class BareTables {
  private constructor(
    /** The first one also fills the tables. */
    private readonly clients: readonly [pg.Client, ...pg.Client[]],
    /** The schema of the rebuild. */
    private readonly model: string,
  ) {}

  /** `atOnce`: as many connections as a rebuild has for keys, indexes and statistics. */
  static async open(connectionString: string, model: string, atOnce: number): Promise<BareTables> {
    const connect = async (): Promise<pg.Client> => {
      const client = new pg.Client({ connectionString, options: '-c synchronous_commit=off' });
      await client.connect();
      return client;
    };
    const others = await Promise.all(Array.from({ length: atOnce - 1 }, connect));
    return new BareTables([await connect(), ...others], model);
  }

  get client(): pg.Client {
    return this.clients[0];
  }

  async close(): Promise<void> {
    for (const client of this.clients) await client.end();
  }

  async names(): Promise<readonly string[]> {
    const { rows } = await this.client.query<{ name: string }>(
      'select tablename as name from pg_tables where schemaname = $1 order by 1',
      [this.model],
    );
    return rows.map(({ name }) => name);
  }

  /** Creates the tables empty, without keys and indexes. */
  async create(): Promise<void> {
    await this.client.query(`create schema ${SCHEMA}`);
    for (const name of await this.names()) {
      await this.client.query(
        `create table ${SCHEMA}."${name}" (like "${this.model}"."${name}" including all excluding indexes)`,
      );
    }
  }

  async drop(): Promise<void> {
    await this.client.query(`drop schema ${SCHEMA} cascade`);
  }

  /** Copies rows in the text format of COPY, in one transaction. */
  async write(rows: Iterable<readonly [table: string, lines: Iterable<Buffer>]>): Promise<void> {
    await this.client.query('begin');
    for (const [name, lines] of rows) {
      await pipeline(Readable.from(lines), this.client.query(from(`copy ${SCHEMA}."${name}" from stdin`)));
    }
    await this.client.query('commit');
  }

  /** Creates keys, indexes and statistics as a rebuild does: the largest first, one on each connection at a time. */
  async finish(): Promise<void> {
    const indexes = await this.#indexes();
    const { rows } = await this.client.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = '${SCHEMA}'
       order by pg_table_size(format('%I.%I', schemaname, tablename)) desc`,
    );
    const waiting = rows.values();
    const finish = async (client: pg.Client): Promise<void> => {
      await client.query(`set maintenance_work_mem = '128MB'`);
      for (const { name } of waiting) {
        for (const { table, definition } of indexes) if (table === name) await client.query(definition);
        await client.query(`vacuum (analyze) ${SCHEMA}."${name}"`);
      }
    };
    await Promise.all(this.clients.map(finish));
  }

  async #indexes(): Promise<readonly { readonly table: string; readonly definition: string }[]> {
    const { rows } = await this.client.query<{ table: string; definition: string }>(
      `select c.relname as table, pg_get_indexdef(i.indexrelid) as definition
       from pg_index i join pg_class c on c.oid = i.indrelid
       where c.relnamespace = $1::regnamespace order by c.relname, i.indexrelid`,
      [this.model],
    );
    return rows.map(({ definition, table }) => ({
      definition: definition.replace(` ON ${this.model}.`, ` ON ${SCHEMA}.`),
      table,
    }));
  }
}
