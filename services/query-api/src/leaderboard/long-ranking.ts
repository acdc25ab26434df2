import type { queries } from '@paper/read-models';
import type { Made } from '../board.ts';

/** The board is at most 2 s old; half of that is for its computation. */
const KEPT_MS = 1000;

/** Every account ranked, for whoever reads that far: made when it is asked for, once for all who ask meanwhile. */
export class LongRanking {
  #current: Promise<Made<queries.Ranking>> | null = null;

  constructor(private readonly rank: (limit: number) => Promise<Made<queries.Ranking>>) {}

  /** `total`: about how many accounts there are. */
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
