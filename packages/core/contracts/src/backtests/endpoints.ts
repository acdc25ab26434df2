import { defineEndpoint } from '../endpoint.ts';
import { TapeList } from './tape.ts';

/** Recorded markets, and backtests on them. */
export const backtestEndpoints = {
  listTapes: defineEndpoint({
    id: 'listTapes',
    method: 'get',
    path: '/api/tapes',
    tag: 'Backtests',
    summary: 'List the recorded markets',
    description:
      'The tapes of this service, and `made-news`, one of our own making. No outcome is in it. A new tape is read once before it is listed: until then this is 503 `unavailable`.',
    auth: 'key',
    kind: 'read',
    cost: { base: 5 },
    answer: TapeList,
    errors: [],
  }),
};
