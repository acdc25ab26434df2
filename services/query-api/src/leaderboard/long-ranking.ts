import { Unavailable } from '@paper/contracts';
import { isTransient } from '@paper/read-models';
import type { queries, ReadDb, ReadModels } from '@paper/read-models';
import { pause } from '@paper/timing';
import type { BoardContent } from '../board.ts';

/** How long a ranking is kept. An answer is at most 2 s old; half of that is for the computation. */
const KEPT_MS = 1000;

type Opened = Pick<queries.OpenRanking, 'idle' | 'page'>;

/**
 * A ranking of every account, for pages beyond the cached ones, computed on request and once for all concurrent
 * requests. It stays in Postgres, and only the rows of pages are read: reading those of 20,000 accounts blocked this
 * process for 163 ms.
 */
export class LongRanking {
  #current: Promise<BoardContent<Opened>> | null = null;
  readonly #stopping = new AbortController();

  constructor(
    private readonly readModels: Pick<ReadModels, 'read'>,
    private readonly open: (db: ReadDb) => Promise<Opened>,
  ) {}

  /** The accounts after the first `start`. @throws Unavailable, as `ReadModels.read`. */
  async page(start: number, limit: number): Promise<BoardContent<queries.Ranking>> {
    const { seq, value } = await (this.#current ??= this.#openKept());
    try {
      return { seq, value: await value.page(start, limit) };
    } catch (error) {
      this.#current = null;
      throw isTransient(error) ? new Unavailable('the database does not answer; try again', { cause: error }) : error;
    }
  }

  /** Releases the ranking. */
  stop(): void {
    this.#stopping.abort();
  }

  /** Opens a ranking. Its read lasts as long as its transaction, so it continues while the ranking is kept. */
  #openKept(): Promise<BoardContent<Opened>> {
    return new Promise((resolve, reject) => {
      const forget = (): void => {
        this.#current = null;
      };
      const keep = this.readModels.read(async ({ db, seq }) => {
        const value = await this.open(db);
        resolve({ seq, value });
        await pause(KEPT_MS, { signal: this.#stopping.signal });
        forget();
        await value.idle();
      });
      keep.finally(forget).catch(reject);
    });
  }
}
