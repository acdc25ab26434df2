import { z } from 'zod';
import { listCost } from '../cost.ts';
import { defineEndpoint, withIds } from '../endpoint.ts';
import { cursorText, limitText, NEXT_PAGE, text, utcText } from '../text.ts';
import { LeaderboardEntry } from './leaderboard.ts';
import { Trader } from './trader.ts';

const read = { tag: 'Platform', auth: 'public', conditional: true } as const;

export const leaderboardEndpoints = withIds({
  getLeaderboard: defineEndpoint({
    ...read,
    path: '/api/leaderboard',
    summary: 'Rank accounts by portfolio value',
    description: `The ranking includes, from its first fill on, every primary account and the two sub-accounts that it opened first. It leaves out closed accounts, and accounts whose starting balance is not the usual one, as the house's. The whole ranking shows one sequence, at most 2 s old. ${NEXT_PAGE}`,
    cost: listCost(1, 25, 50),
    query: z.object({ limit: limitText(50), cursor: cursorText }),
    answer: z.array(LeaderboardEntry.schema),
  }),
  getTrader: defineEndpoint({
    ...read,
    path: '/api/traders/{id}',
    summary: "Get an account's public results",
    description:
      'What the public journal tells of an account, and nothing of who owns it. A moment of `equity` is just after a trade of the exchange, the last one at or before its time; of an account that has traded in more than eight markets there are fewer. Closed and forgotten accounts, and those whose starting balance is not the usual one, are 404.',
    cost: { base: 5 },
    params: z.object({ id: text(1).describe('The id of the account, as the leaderboard shows it.') }),
    query: z.object({
      from: utcText.optional().meta({
        examples: ['2026-11-25T00:00:00Z'],
        description: 'Where `equity` begins, with the value then; left out, or before the opening: at the opening.',
      }),
    }),
    answer: Trader.schema,
    errors: ['account_not_found'],
  }),
});
