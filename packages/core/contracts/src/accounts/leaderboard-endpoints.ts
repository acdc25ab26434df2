import { z } from 'zod';
import { listCost } from '../cost.ts';
import { defineEndpoint } from '../endpoint.ts';
import { cursorText, limitText, NEXT_PAGE } from '../text.ts';
import { LeaderboardEntry } from './leaderboard.ts';

/** The ranking of accounts. */
export const leaderboardEndpoints = {
  getLeaderboard: defineEndpoint({
    id: 'getLeaderboard',
    method: 'get',
    path: '/api/leaderboard',
    tag: 'Platform',
    summary: 'Rank accounts by portfolio value',
    description: `The ranking includes, from its first fill on, every primary account and the two sub-accounts that it opened first. It leaves out closed accounts, and accounts whose starting balance is not the usual one, as the house's. The whole ranking shows one sequence, at most 2 s old. ${NEXT_PAGE}`,
    auth: 'public',
    kind: 'read',
    cost: listCost(1, 25, 50),
    conditional: true,
    query: z.object({ limit: limitText(50), cursor: cursorText }),
    answer: z.array(LeaderboardEntry),
    errors: ['validation_failed'],
  }),
};
