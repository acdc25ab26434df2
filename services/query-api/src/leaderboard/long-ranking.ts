import { Unavailable } from '@paper/contracts';
import { isTransient } from '@paper/read-models';
import type { queries, ReadDb, ReadModels } from '@paper/read-models';
import { pause } from '@paper/timing';
import type { BoardContent } from '../board.ts';

const KEPT_MS = 1000;

type Opened = Pick<queries.OpenRanking, 'idle' | 'page'>;

/**
 * A ranking of every account, kept in Postgres for pages beyond the cached ones, and shared by concurrent requests.
 * Only the rows of a page are read: reading those of 20,000 accounts blocked this process for 163 ms.
 */
export class LongRanking {
  #current: Promise<BoardContent<Opened>> | null = null;
  readonly #stopping = new AbortController();

  constructor(
    private readonly readModels: Pick<ReadModels, 'read'>,
    private readonly open: (db: ReadDb) => Promise<Opened>,
  ) {}

  async page(start: number, limit: number): Promise<BoardContent<queries.Ranking>> {
    const current = (this.#current ??= this.#openKept());
    const { seq, value } = await current;
    try {
      return { seq, value: await value.page(start, limit) };
    } catch (error) {
      this.#forget(current);
      throw isTransient(error) ? new Unavailable('the database does not answer; try again', { cause: error }) : error;
    }
  }

  stop(): void {
    this.#stopping.abort();
  }

  #openKept(): Promise<BoardContent<Opened>> {
    const opened = new Promise<BoardContent<Opened>>((resolve, reject) => {
      const forget = (): void => this.#forget(opened);
      const keep = this.readModels.read(async ({ db, seq }) => {
        const value = await this.open(db);
        resolve({ seq, value });
        await pause(KEPT_MS, { signal: this.#stopping.signal });
        forget();
        await value.idle();
      });
      keep.finally(forget).catch(reject);
    });
    return opened;
  }

  /** Forgets a ranking, but not a newer one: each holds a connection, so there may be few of them. */
  #forget(ranking: Promise<BoardContent<Opened>>): void {
    if (this.#current === ranking) this.#current = null;
  }
}
