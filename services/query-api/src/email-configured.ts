import { withClient } from '@paper/runtime';

const MAX_AGE_MS = 5_000;
const ANSWER_MS = 2_000;

/** Errors that mean that the portal has not run on this database yet, or that this role may not read its schema. */
const NOT_THERE = new Set(['42P01', '3F000', '42501']);

/** Reads from the portal's view `portal.mail` whether it can send e-mail. The last value counts if no answer comes. */
export class EmailConfigured {
  #known = false;
  #readAtMs = -Infinity;
  #reading: Promise<boolean> | null = null;

  constructor(private readonly connectionString: string) {}

  readonly get = (): Promise<boolean> => {
    if (performance.now() - this.#readAtMs < MAX_AGE_MS) return Promise.resolve(this.#known);
    this.#reading ??= this.#read().finally(() => (this.#reading = null));
    return this.#reading;
  };

  async #read(): Promise<boolean> {
    try {
      this.#known = await withClient(
        { connectionString: this.connectionString, query_timeout: ANSWER_MS, connectionTimeoutMillis: ANSWER_MS },
        async (client) => {
          const { rows } = await client.query<{ configured: boolean }>('select configured from portal.mail');
          return rows[0]?.configured ?? false;
        },
      );
    } catch (error) {
      if (NOT_THERE.has(String((error as { code?: unknown }).code))) this.#known = false;
    }
    this.#readAtMs = performance.now();
    return this.#known;
  }
}
