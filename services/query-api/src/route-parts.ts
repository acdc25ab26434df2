import type { endpoints, Handler } from '@paper/contracts';
import type { ReadModels } from '@paper/read-models';
import type { JournalPages } from './journal/journal-pages.ts';
import type { JournalReads } from './journal/journal-reads.ts';
import type { LeaderboardBoard } from './leaderboard/leaderboard-board.ts';
import type { LongReadTurns } from './long-read-turns.ts';
import type { Paging } from './paging/paging.ts';
import type { HeldPortfolios } from './portfolio/held-portfolios.ts';
import type { SignalsBoard } from './signals-board/signals-board.ts';

export interface RouteParts {
  readonly boards: { readonly signals: SignalsBoard; readonly leaderboard: LeaderboardBoard };
  readonly journal: JournalReads;
  readonly now: () => number;
  readonly pages: JournalPages;
  readonly paging: Paging;
  readonly portfolios: HeldPortfolios;
  readonly readModels: ReadModels;
  readonly turns: LongReadTurns;
  readonly unranked: () => readonly string[];
}

export type Handlers = { readonly [Name in keyof typeof endpoints]?: Handler<(typeof endpoints)[Name]> };
