import { CompiledQuery } from 'kysely';
import type { Kysely } from 'kysely';
import type { Table } from './table.ts';

/** Vacuums tables whose private values were erased, since the old rows stay on disk until then. Never fails. */
export class PrivateVacuum {
  #running: Promise<void> | null = null;
  #again = false;
  readonly #tables: readonly Table[];

  /** @param tables tables without private columns are ignored */
  constructor(
    private readonly db: Pick<Kysely<unknown>, 'executeQuery'>,
    private readonly schema: string,
    tables: readonly Table[],
  ) {
    this.#tables = tables.filter((table) => table.private.length > 0);
  }

  request(): void {
    this.#again = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
  }

  async #run(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      for (const { name } of this.#tables) {
        // VACUUM must run outside of any transaction.
        const vacuum = CompiledQuery.raw(`vacuum "${this.schema}"."${name}"`);
        await this.db.executeQuery(vacuum).catch(() => undefined);
      }
    }
  }
}
