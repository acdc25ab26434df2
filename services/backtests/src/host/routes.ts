import { backtestEndpoints } from '@paper/contracts/backtests';
import { implement } from '@paper/http';
import type { Authenticate, Route } from '@paper/http';
import type { Tapes } from './tapes.ts';

/** The endpoints of tapes and backtests. @param journalSeq the live journal's sequence, which each answer names */
export function backtestRoutes(tapes: Tapes, journalSeq: () => number, authenticate: Authenticate): Route[] {
  return implement(
    backtestEndpoints,
    { listTapes: async () => ({ body: await tapes.list(), seq: journalSeq() }) },
    authenticate,
  );
}
