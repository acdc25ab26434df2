import type { queries } from '@paper/read-models';
import type { Made } from '../board.ts';

/** How long a ranking is kept. An answer is at most 2 s old; half of that is for the computation. */
const KEPT_MS = 1000;

/**
 * A ranking of every account, for pages beyond the cached ones: computed on request, once for all concurrent requests.
 */
export class LongRanking {
  #current: Promise<Made<queries.Ranking>> | null = null;

  constructor(private readonly rank: (limit: number) => Promise<Made<queries.Ranking>>) {}

  /** @param total about how many accounts there are */
  current(total: number): Promise<Made<queries.Ranking>> {
    this.#current ??= this.#make(total);
    return this.#current;
  }

  async #make(total: number): Promise<Made<queries.Ranking>> {
    const forget = (): void => {
      this.#current = null;
    };
    try {
      const made = await this.rank(total);
      setTimeout(forget, KEPT_MS).unref();
      return made;
    } catch (error) {
      forget();
      throw error;
    }
  }
}
