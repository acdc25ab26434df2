import { z } from 'zod';
import { listCost } from '../cost.ts';
import { defineEndpoint } from '../endpoint.ts';
import { cursorText, limitText, NEXT_PAGE } from '../text.ts';
import { RecentSignals } from './signal.ts';

/** Endpoints of signals by themselves. */
export const signalEndpoints = {
  listRecentSignals: defineEndpoint({
    id: 'listRecentSignals',
    method: 'get',
    path: '/api/signals/recent',
    tag: 'Signals',
    summary: 'List recent signals of all markets',
    description: `Cited signals, newest first, including signals about the whole platform. ${NEXT_PAGE}`,
    auth: 'key',
    kind: 'read',
    cost: listCost(1, 50, 50),
    query: z.object({ limit: limitText(50), cursor: cursorText }),
    answer: RecentSignals.schema,
    errors: ['validation_failed'],
  }),
};
