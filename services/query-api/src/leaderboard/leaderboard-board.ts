import {
  type Answer,
  endpoints,
  leaderboardEntryBody,
  type LeaderboardEntryBody,
  limitOf,
  type ReadyBytes,
} from '@paper/contracts';
import { decodeCursor, encodeCursor, rankAccounts, type Ranking } from '@paper/read-models';
import { Board, type BoardSettings, type Made } from '../board.ts';
import { listBytes } from '../json-bytes.ts';
import { nextPage } from '../next-page.ts';
import { LongRanking } from './long-ranking.ts';

const LIMIT = 50;

/** Accounts that are ranked each time: what nearly everybody looks at. Whoever reads further waits for a longer one. */
const KEPT = 1000;

type Page = Answer<LeaderboardEntryBody[]>;

interface Shown {
  readonly ranking: Ranking;
  readonly firstPage: ReadyBytes;
}

/** Accounts by what they are worth: all of a page from one ranking, the first page made before it is asked for. */
export class LeaderboardBoard extends Board<Shown> {
  readonly #long: LongRanking;

  constructor(settings: Omit<BoardSettings<Shown>, 'name' | 'make'>) {
    const rank = (limit: number): Promise<Made<Ranking>> =>
      settings.readModels.read(async ({ db, seq }) => ({ seq, value: await rankAccounts(db, limit) }));
    super({
      ...settings,
      name: 'leaderboard',
      make: async () => {
        const { seq, value: ranking } = await rank(KEPT);
        return {
          seq,
          value: { ranking, firstPage: await listBytes(ranking.entries.slice(0, LIMIT), leaderboardEntryBody) },
        };
      },
    });
    this.#long = new LongRanking(rank);
  }

  /** At once where it is shown already. @throws ApiError validation_failed for a forged cursor, unavailable before the first ranking. */
  page(limitText: string | undefined, cursor: string | undefined): Page | Promise<Page> {
    const limit = limitOf(limitText, LIMIT);
    // The cursor is a place in the ranking, whichever that is when it comes.
    const [from] = cursor === undefined ? [0] : decodeCursor('leaderboard', cursor);
    const start = Number(from);
    if (start !== 0 || limit !== LIMIT) return this.#cut(start, start + limit, limitText);
    const shown = this.current();
    const first = ({ value, seq }: Made<Shown>): Page => ({
      readyMade: value.firstPage,
      seq,
      ...next(limitText, limit, value.ranking),
    });
    return shown instanceof Promise ? shown.then(first) : first(shown);
  }

  async #cut(start: number, end: number, limitText: string | undefined): Promise<Page> {
    const { value, seq } = await this.current();
    const inReach = end <= value.ranking.entries.length || value.ranking.entries.length === value.ranking.total;
    const ranked = inReach ? { value: value.ranking, seq } : await this.#long.current(value.ranking.total);
    return {
      body: ranked.value.entries.slice(start, end).map(leaderboardEntryBody),
      seq: ranked.seq,
      ...next(limitText, end, ranked.value),
    };
  }
}

function next(limit: string | undefined, end: number, { total }: Ranking): ReturnType<typeof nextPage> {
  return nextPage(endpoints.getLeaderboard.path, { limit }, end < total ? encodeCursor('leaderboard', [end]) : null);
}
