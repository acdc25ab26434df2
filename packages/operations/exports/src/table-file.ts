import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { Columns, FileFacts, Row } from './columns.ts';
import { createEncoder } from './formats.ts';
import type { Encoder, Format } from './formats.ts';

/** The fewest rows that are written together, in Parquet as a row group: the limit of an export's memory. */
const ROWS_AT_ONCE = 50_000;

/** A finished file of an export. */
export interface WrittenFile {
  readonly file: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** A table that is being written to its file. */
export class TableFile {
  readonly #hash = createHash('sha256');
  /** The number of rows in the encoder that are not in the file yet. */
  #waiting = 0;
  #rows = 0;
  #bytes = 0;

  private constructor(
    private readonly file: string,
    private readonly handle: FileHandle,
    private readonly encoder: Encoder,
  ) {}

  /** Creates `<name>.<format>` in a folder. */
  static async create(folder: string, name: string, format: Format, columns: Columns): Promise<TableFile> {
    const file = `${name}.${format}`;
    const handle = await open(path.join(folder, file), 'wx');
    const table = new TableFile(file, handle, createEncoder(format, columns));
    await table.#write(table.encoder.start());
    return table;
  }

  get isFull(): boolean {
    return this.#waiting >= ROWS_AT_ONCE;
  }

  /** Adds a row. `writeFull` or `finish` writes it. */
  add(row: Row): void {
    this.encoder.add(row);
    this.#waiting += 1;
  }

  /** Writes the rows so far, if there are enough of them. */
  async writeFull(): Promise<void> {
    if (this.isFull) await this.#writeRows();
  }

  /** Writes the rest and ends the file. Resolves when the file is on the disk. */
  async finish(facts: FileFacts): Promise<WrittenFile> {
    if (this.#waiting > 0) await this.#writeRows();
    await this.#write(this.encoder.end(facts));
    await this.handle.sync();
    await this.handle.close();
    return { file: this.file, rows: this.#rows, bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  /** Closes the file without a footer. */
  async abandon(): Promise<void> {
    await this.handle.close().catch(() => undefined);
  }

  async #writeRows(): Promise<void> {
    this.#rows += this.#waiting;
    this.#waiting = 0;
    await this.#write(this.encoder.take());
  }

  async #write(bytes: Uint8Array): Promise<void> {
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    await this.handle.writeFile(bytes);
  }
}
