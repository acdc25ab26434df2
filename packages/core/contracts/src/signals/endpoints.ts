import { z } from 'zod';
import { listCost } from '../cost.ts';
import { defineEndpoint, withIds } from '../endpoint.ts';
import { cursorText, limitText, NEXT_PAGE } from '../text.ts';
import { RecentSignals } from './signal.ts';

export const signalEndpoints = withIds({
  listRecentSignals: defineEndpoint({
    path: '/api/signals/recent',
    tag: 'Signals',
    summary: 'List recent signals of all markets',
    description: `Cited signals, newest first, including signals about the whole platform. ${NEXT_PAGE}`,
    auth: 'key',
    cost: listCost(1, 50, 50),
    query: z.object({ limit: limitText(50), cursor: cursorText }),
    answer: RecentSignals.schema,
  }),
});
