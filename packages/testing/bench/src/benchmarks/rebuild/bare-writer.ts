import { buffer } from 'node:stream/consumers';
import type { Journal } from '@paper/journal';
import { to } from 'pg-copy-streams';
import type { BareTables } from './bare-tables.ts';

const NEWLINE = 10;

interface FilledTable {
  readonly name: string;
  /** All rows of the table in COPY's text format, one line each. */
  readonly lines: Buffer;
}

/** Writes the rows of a rebuild as fast as Postgres accepts them, from the bytes of a COPY in memory. */
export class BareWriter {
  private constructor(private readonly filled: readonly FilledTable[]) {}

  static async load(tables: BareTables, model: string): Promise<BareWriter> {
    const filled: FilledTable[] = [];
    for (const name of await tables.names()) {
      const { rows } = await tables.client.query<{ column: string }>(
        `select column_name::text as column from information_schema.columns
         where table_schema = $1 and table_name = $2 and column_name in ('seq', 'created_seq') order by 1 limit 1`,
        [model, name],
      );
      const ordered = rows[0]?.column ?? '1';
      const select = `select * from "${model}"."${name}" order by ${ordered}`;
      filled.push({ name, lines: await buffer(tables.client.query(to(`copy (${select}) to stdout`))) });
    }
    return new BareWriter(filled);
  }

  /** Writes a share of all rows with each page of the journal, in one transaction; then finishes the tables. */
  async run(tables: BareTables, journal: Journal, pageSize: number, onFilled: () => void): Promise<void> {
    const { seq } = await journal.head();
    let writing: Promise<void> = Promise.resolve();
    for (let read = 0; read < seq;) {
      const page = await journal.read(read + 1, Math.min(pageSize, seq - read));
      const [first, end] = [read / seq, (read + page.length) / seq];
      await writing;
      writing = tables.write(this.#share(first, end));
      read += page.length;
    }
    await writing;
    onFilled();
    await tables.finish();
  }

  *#share(first: number, end: number): Generator<readonly [table: string, lines: readonly Buffer[]], void> {
    for (const { name, lines } of this.filled) {
      const share = lines.subarray(lineAt(lines, first), lineAt(lines, end));
      if (share.length > 0) yield [name, [share]];
    }
  }
}

/** The beginning of the line at this fraction of all bytes. */
function lineAt(lines: Buffer, part: number): number {
  const byte = Math.floor(part * lines.length);
  return byte === 0 ? 0 : lines.indexOf(NEWLINE, byte - 1) + 1;
}
