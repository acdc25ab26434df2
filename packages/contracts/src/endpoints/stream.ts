import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { Pulse } from '../pulse.ts';
import { text } from '../text.ts';

/** What is pushed, as server-sent events. */
export const streamEndpoints = {
  getStream: defineEndpoint({
    id: 'getStream',
    method: 'get',
    path: '/api/stream',
    tag: 'Markets',
    summary: 'The market pulse, every 2 seconds',
    description:
      'Server-sent events: plain `message` events whose `data` is one Pulse as JSON, the first at once, then one every 2 seconds; `id` is the journal sequence that the pulse shows. Each pulse is a whole picture, so `Last-Event-ID` is accepted and nothing is sent again. `marketId` narrows the stream to one market. A watcher that does not read is disconnected; when too many watch already, the answer is 503.',
    auth: 'public',
    kind: 'read',
    streams: true,
    query: z.object({ marketId: text(1).optional() }),
    answer: Pulse,
    errors: ['validation_failed', 'market_not_found'],
  }),
};
