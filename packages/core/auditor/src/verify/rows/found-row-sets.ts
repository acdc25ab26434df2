import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { ENDS_VALUE, IS_NULL } from './row-sets.ts';
import type { TableName } from './row.ts';

interface FoundRowSet {
  readonly hash: string;
  readonly rows: number;
}

/** Hashes tables in another connection's snapshot, one after the other, while events are judged. */
export class FoundRowSets {
  /** The key of all hashes, in hex. It must not be known before the rows are fixed. */
  readonly key = randomBytes(32).toString('hex');
  readonly #scans = new Map<TableName, Promise<FoundRowSet>>();
  #last: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly client: pg.Client,
    private readonly schema: string,
  ) {}

  /** @param reader its open transaction has the snapshot that is used */
  static async open(connectionString: string, reader: pg.Client, schema: string): Promise<FoundRowSets> {
    const { rows } = await reader.query<{ snapshot: string }>('select pg_export_snapshot() as snapshot');
    const client = new pg.Client({ connectionString });
    // A connection that breaks also fails its query, where the error is handled.
    client.on('error', () => undefined);
    await client.connect();
    try {
      await client.query('begin isolation level repeatable read read only');
      await client.query(`set transaction snapshot ${client.escapeLiteral(rows[0]?.snapshot ?? '')}`);
      // Calls Postgres's own functions, not functions with the same names in other schemas.
      await client.query('set local search_path = pg_catalog');
    } catch (error) {
      await client.end();
      throw error;
    }
    return new FoundRowSets(client, client.escapeIdentifier(schema));
  }

  scan(table: TableName, columns: readonly string[]): Promise<FoundRowSet> {
    const known = this.#scans.get(table);
    if (known !== undefined) return known;
    const scan = this.#last.then(() => this.#scan(table, columns));
    this.#last = scan;
    // An audit that stops early awaits no result, and an unhandled rejection would end the process.
    scan.catch(() => undefined);
    this.#scans.set(table, scan);
    return scan;
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  /** `offset 0` keeps Postgres from hashing a row once for each half of the hash. */
  async #scan(table: TableName, columns: readonly string[]): Promise<FoundRowSet> {
    // Goes through hex digits, since bytes can be cast to a number only from Postgres 18 on.
    const half = (from: number): string =>
      `coalesce(lpad(to_hex(bit_xor(('x' || encode(substr(digest, ${from}, 8), 'hex'))::bit(64)::int8)), 16, '0'), repeat('0', 16))`;
    const values = columns.map((column) => {
      const name = this.client.escapeIdentifier(column);
      return `${name}, case when ${name} is null then $3 else $2 end`;
    });
    const { rows } = await this.client.query<{ rows: string; hash: string }>(
      `select count(*) as rows, ${half(1)} || ${half(9)} as hash from (
         select sha256(convert_to(concat($1::text, ${values.join(', ')}), 'UTF8')) as digest
         from ${this.schema}.${table} offset 0) hashed`,
      [this.key, ENDS_VALUE, IS_NULL],
    );
    const [found] = rows;
    return { hash: found?.hash ?? '', rows: Number(found?.rows ?? 0) };
  }
}
