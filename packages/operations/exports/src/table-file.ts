import type { Columns, FileFacts, Row } from './columns.ts';
import { createEncoder } from './formats.ts';
import type { Encoder, Format } from './formats.ts';
import { HashedFile } from './hashed-file.ts';

/** The fewest rows that are written together, in Parquet as a row group: the limit of an export's memory. */
const ROWS_AT_ONCE = 50_000;

/** A finished file of an export. */
export type WrittenFile = Awaited<ReturnType<TableFile['finish']>>;

/** A table that is being written to its file. */
export class TableFile {
  /** The number of rows in the encoder that are not in the file yet. */
  #waiting = 0;
  #rows = 0;

  private constructor(
    private readonly file: HashedFile,
    private readonly encoder: Encoder,
  ) {}

  /** Creates `<name>.<format>` in a folder. */
  static async create(folder: string, name: string, format: Format, columns: Columns): Promise<TableFile> {
    return new TableFile(await HashedFile.create(folder, `${name}.${format}`), createEncoder(format, columns));
  }

  get isFull(): boolean {
    return this.#waiting >= ROWS_AT_ONCE;
  }

  /** Adds a row. `write` or `finish` writes it. */
  add(row: Row): void {
    this.encoder.add(row);
    this.#waiting += 1;
  }

  /** Writes the rows so far. */
  async write(): Promise<void> {
    this.#rows += this.#waiting;
    this.#waiting = 0;
    await this.file.write(this.encoder.take());
  }

  /** Writes the rest and ends the file. Resolves when the file is on the disk. */
  async finish(facts: FileFacts) {
    if (this.#waiting > 0) await this.write();
    await this.file.write(this.encoder.end(facts));
    const { file, ...written } = await this.file.finish();
    return { file, rows: this.#rows, ...written };
  }

  abandon(): Promise<void> {
    return this.file.abandon();
  }
}
