import type { Authenticate } from '@paper/http';
import type { ReadModels } from '@paper/read-models';
import type { LongReadTurns } from './long-read-turns.ts';
import type { Paging } from './paging/paging.ts';

/** What the routes of reads are made from. */
export interface RouteParts {
  readonly authenticate: Authenticate;
  readonly now: () => number;
  readonly paging: Paging;
  readonly readModels: ReadModels;
  readonly turns: LongReadTurns;
}
