import { readIfPresent, writePrivateFile } from '@paper/runtime';
import { dropDatabase, emptyDatabase } from '../process/database.ts';

/**
 * The databases of backtests. An ended backtest leaves its database, empty, to the next one: to create a database copies
 * megabytes through the server's log, and to drop one writes all its changed pages to the disk, while live orders wait.
 */
export class Databases {
  #spare: readonly string[];

  constructor(
    private readonly options: {
      readonly databaseUrl: string;
      /** The file with the names of empty databases, for the time after the service was killed. */
      readonly file: string;
      /** The number of empty databases that are kept. */
      readonly max: number;
      /** The databases that backtests still have: a killed service may not have removed them from the file. */
      readonly taken: ReadonlySet<string>;
    },
  ) {
    const names = JSON.parse(readIfPresent(options.file) ?? '[]') as readonly string[];
    this.#spare = names.filter((name) => !options.taken.has(name));
  }

  /** Returns the name of an empty database, which is no longer spare, or `fresh`, of which there is none. */
  take(fresh: string): string {
    const [name, ...others] = this.#spare;
    if (name === undefined) return fresh;
    this.#spare = others;
    try {
      this.#write(others);
    } catch {
      // If the disk is full, the record of the backtest cannot be written either, and says so.
    }
    return name;
  }

  /** Takes back a name of `take` whose backtest could not begin. */
  putBack(name: string): void {
    this.#spare = [...this.#spare, name];
  }

  /** Empties the database of an ended backtest and keeps it, or drops it. Throws if that is not possible now. */
  async release(name: string, keep: boolean): Promise<void> {
    const { databaseUrl, max } = this.options;
    if (!keep || this.#spare.length >= max) {
      await dropDatabase(databaseUrl, name);
    } else if (await emptyDatabase(databaseUrl, name)) {
      const names = [...this.#spare, name];
      this.#write(names);
      this.#spare = names;
    }
  }

  /** Drops the spare databases. */
  async drop(): Promise<void> {
    await Promise.all(this.#spare.map((name) => dropDatabase(this.options.databaseUrl, name)));
    this.#write([]);
  }

  #write(names: readonly string[]): void {
    writePrivateFile(this.options.file, `${JSON.stringify(names)}\n`);
  }
}
