import { z } from 'zod';
import { AccountEvent } from '../account-event.ts';
import { defineEndpoint } from '../endpoint.ts';
import { Pulse } from '../pulse.ts';
import { text } from '../text.ts';
import { exampleAccountEvent, examplePulse } from '../example-answers.ts';
import { EXAMPLE_MARKET_ID } from '../example-data.ts';

/** What is pushed, as server-sent events. */
export const streamEndpoints = {
  streamMarkets: defineEndpoint({
    id: 'streamMarkets',
    method: 'get',
    path: '/api/stream',
    tag: 'Streams',
    summary: 'The market pulse, every 2 seconds',
    description:
      'Server-sent events: plain `message` events whose `data` is one Pulse as JSON, the first at once, then one every 2 seconds; `id` is the journal sequence that the pulse shows. Each pulse is a whole picture, so `Last-Event-ID` is accepted and nothing is sent again. `marketId` narrows the stream to one market. A watcher that does not read is disconnected; when too many watch already, the answer is 503.',
    auth: 'public',
    kind: 'read',
    cost: { base: 5 },
    streams: true,
    query: z.object({ marketId: text(1).optional() }),
    answer: Pulse,
    errors: ['validation_failed', 'market_not_found'],
    example: { query: { marketId: EXAMPLE_MARKET_ID }, answer: examplePulse },
  }),
  streamAccount: defineEndpoint({
    id: 'streamAccount',
    method: 'get',
    path: '/api/stream/account',
    tag: 'Streams',
    summary: "The account's orders and fills, as they happen",
    description:
      'Server-sent events: plain `message` events whose `data` is one AccountEvent as JSON, in the order of the journal, each as soon as reads show it; `id` is its journal sequence, and each sequence is told once. An order that is placed is an `order` message, then a `fill` message for each of its fills (the last one carries the order, filled), and an `order` message with a reason when it is cancelled.\n\nWithout `Last-Event-ID` it begins now. With one, everything of the account after that sequence is told first, then it goes on live, with nothing missing and nothing twice. It is a sequence that the journal has reached; anything else is 400. A comment comes every 15 seconds. The stream ends when the key is revoked. A reader that does not read is disconnected, and goes on where it was by `Last-Event-ID`. An account may have 20 streams, 5 of which come back from more than 1,000 sequences behind (more: 429 with Retry-After); those of all accounts take turns, so there may be comments before what was missed. When too many streams are open altogether, the answer is 503 with Retry-After.',
    auth: 'key',
    permission: 'view',
    kind: 'read',
    cost: { base: 5 },
    streams: true,
    answer: AccountEvent,
    errors: ['validation_failed', 'forbidden'],
    example: { answer: exampleAccountEvent },
  }),
};
