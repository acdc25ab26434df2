import type { LeaseStore } from './lease-store.ts';

/** How long a mark lasts from each renewal. Marks are renewed about once a second. */
const MARK_MS = 3_000;

interface Party {
  readonly holder: string;
  readonly address: string;
}

/**
 * Ensures that an unhealthy holder gives its lease only to a healthy process: the holder marks that it is unhealthy,
 * and each waiting process that is healthy marks that it could hold the lease. A mark is a lease of its own.
 */
export class Succession {
  readonly #unhealthy: Mark;
  readonly #successor: Mark;

  constructor(store: LeaseStore, lease: string) {
    this.#unhealthy = new Mark(store, `${lease}:unhealthy`);
    this.#successor = new Mark(store, `${lease}:successor`);
  }

  /** Called by the holder at each failed check: returns whether a healthy process waits. Throws errors of the store. */
  async seek(holder: Party): Promise<boolean> {
    await this.#unhealthy.set(holder);
    return this.#successor.isSet();
  }

  /**
   * Called by a waiting process each second: marks its health if the holder is unhealthy. Throws the store's errors.
   */
  async offer(waiting: Party, isHealthy: () => Promise<boolean>): Promise<void> {
    if ((await this.#unhealthy.isSet()) && (await isHealthy())) await this.#successor.set(waiting);
    else await this.#successor.clear(waiting);
  }
}

class Mark {
  #term: number | null = null;

  constructor(
    private readonly store: LeaseStore,
    private readonly name: string,
  ) {}

  async isSet(): Promise<boolean> {
    return (await this.store.heldAt(this.name)) !== null;
  }

  async set(by: Party): Promise<void> {
    const claim = { ...by, name: this.name };
    if (this.#term !== null && (await this.store.renew(claim, this.#term, MARK_MS))) return;
    const taken = await this.store.take(claim, MARK_MS);
    this.#term = taken.kind === 'taken' ? taken.term : null;
  }

  async clear(by: Party): Promise<void> {
    if (this.#term !== null) await this.store.release({ ...by, name: this.name }, this.#term);
    this.#term = null;
  }
}
