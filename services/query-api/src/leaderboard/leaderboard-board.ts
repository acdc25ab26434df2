import type { Answer, SerializedBytes } from '@paper/contracts';
import { LeaderboardEntry } from '@paper/contracts/accounts';
import type { LeaderboardEntryBody } from '@paper/contracts/accounts';
import { queries } from '@paper/read-models';
import { Board } from '../board.ts';
import type { BoardSettings, BoardContent } from '../board.ts';
import { listBytes } from '../json-bytes.ts';
import type { PageRequest } from '../paging/paging.ts';
import { LongRanking } from './long-ranking.ts';

const LIMIT = 50;

/** The number of accounts ranked in each computation. Further pages wait for a longer ranking. */
const RANKS_CACHED = 1000;

type Page = Answer<LeaderboardEntryBody[]>;

interface Shown {
  readonly ranking: queries.Ranking;
  readonly firstPage: SerializedBytes;
}

export class LeaderboardBoard extends Board<Shown> {
  readonly #long: LongRanking;

  constructor(settings: Omit<BoardSettings<Shown>, 'name' | 'make'>, unranked: () => readonly string[]) {
    super({
      ...settings,
      name: 'leaderboard',
      make: async () => {
        const { seq, value: ranking } = await settings.readModels.read(async ({ db, seq: shown }) => ({
          seq: shown,
          value: await queries.rankAccounts(db, RANKS_CACHED, unranked()),
        }));
        return {
          seq,
          value: { ranking, firstPage: await listBytes(ranking.entries.slice(0, LIMIT), LeaderboardEntry.body) },
        };
      },
    });
    this.#long = new LongRanking(settings.readModels, (db) => queries.OpenRanking.open(db, unranked()));
  }

  override async stop(): Promise<void> {
    this.#long.stop();
    await super.stop();
  }

  /** The page, at once if it is cached; a position is a rank. Throws Unavailable before the first ranking. */
  page(pageRequest: PageRequest<number>): Page | Promise<Page> {
    if (pageRequest.after !== undefined || pageRequest.limit !== LIMIT) return this.#cut(pageRequest);
    const shown = this.current();
    const first = ({ value, seq }: BoardContent<Shown>): Page => ({
      preSerialized: value.firstPage,
      seq,
      ...pageRequest.linkTo(nextRank(LIMIT, value.ranking)),
    });
    return shown instanceof Promise ? shown.then(first) : first(shown);
  }

  async #cut({ after: start = 0, limit, linkTo }: PageRequest<number>): Promise<Page> {
    const end = start + limit;
    const { value, seq } = await this.current();
    const inReach = end <= value.ranking.entries.length || value.ranking.entries.length === value.ranking.total;
    const { entries, total } = value.ranking;
    const page = inReach
      ? { value: { entries: entries.slice(start, end), total }, seq }
      : await this.#long.page(start, limit);
    return {
      body: page.value.entries.map(LeaderboardEntry.body),
      seq: page.seq,
      ...linkTo(nextRank(end, page.value)),
    };
  }
}

function nextRank(end: number, { total }: queries.Ranking): number | null {
  return end < total ? end : null;
}
