import { CompiledQuery } from 'kysely';
import { ALL_TABLES } from '../models/tables.ts';
import type { ReadDb } from '../schema/database.ts';

/** The tables whose rows have had names. */
const PRIVATE_TABLES = ALL_TABLES.filter((table) => table.private.length > 0);

/**
 * Vacuums a schema's tables after names were taken out of their rows: an update leaves the former row in the file until
 * then. Only one vacuum is under way at a time. A failure is left to the next one, or to Postgres's own vacuum.
 */
export class NameVacuum {
  #running: Promise<void> | null = null;
  #again = false;

  constructor(
    private readonly db: ReadDb,
    private readonly schema: string,
  ) {}

  /** Vacuums where names were ever forgotten: a process may have ended before it did. */
  async resume(): Promise<void> {
    const forgotten = await this.db
      .withSchema(this.schema)
      .selectFrom('accounts')
      .select('id')
      .where('forgotten_seq', 'is not', null)
      .limit(1)
      .execute();
    if (forgotten.length > 0) this.request();
  }

  /** Vacuums soon, beside the projection. */
  request(): void {
    this.#again = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
  }

  /** Resolves when no vacuum is under way. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      for (const { name } of PRIVATE_TABLES) {
        // Outside of any transaction, as VACUUM has to be.
        const vacuum = CompiledQuery.raw(`vacuum "${this.schema}"."${name}"`);
        await this.db.executeQuery(vacuum).catch(() => undefined);
      }
    }
  }
}
