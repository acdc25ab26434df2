import { z } from 'zod';
import { AccountEvent } from '../account-event.ts';
import { defineEndpoint } from '../endpoint.ts';
import { Pulse } from '../pulse.ts';
import { text } from '../text.ts';
import { exampleAccountEvent, examplePulse } from '../example-answers.ts';
import { EXAMPLE_MARKET_ID } from '../example-data.ts';

/** Streams of server-sent events. */
export const streamEndpoints = {
  streamMarkets: defineEndpoint({
    id: 'streamMarkets',
    method: 'get',
    path: '/api/stream',
    tag: 'Streams',
    summary: 'Stream market prices every 2 seconds',
    description:
      'Server-sent `message` events; `data` is one Pulse as JSON, and `id` is its journal sequence. The first pulse comes at once, then one every 2 seconds. Each pulse is complete, so `Last-Event-ID` is accepted and nothing is sent again. `marketId` selects one market. A client that does not read is disconnected. If too many clients are connected, the answer is 503.',
    auth: 'public',
    kind: 'read',
    cost: { base: 10 },
    streams: true,
    query: z.object({
      marketId: text(1).optional().meta({ description: 'The market to stream; left out: the 50 most active markets.' }),
    }),
    answer: Pulse,
    errors: ['validation_failed', 'market_not_found'],
    example: { query: { marketId: EXAMPLE_MARKET_ID }, answer: examplePulse },
  }),
  streamAccount: defineEndpoint({
    id: 'streamAccount',
    method: 'get',
    path: '/api/stream/account',
    tag: 'Streams',
    summary: "Stream the account's orders and fills",
    description:
      'Server-sent `message` events in journal order, each sent as soon as reads show it. `data` is one AccountEvent as JSON, and `id` is its journal sequence. Each sequence is sent once.\n\nA placed order is an `order` message. Each of its fills is a `fill` message; the last fill carries the filled order. A cancelled order is an `order` message with a reason.\n\nWithout `Last-Event-ID` the stream starts now. With it, the stream first sends every later event of the account, then continues live; nothing is missing and nothing comes twice. The value must be a sequence that the journal has reached, else the answer is 400.\n\nA comment comes every 15 seconds. The stream ends when the key is revoked. A client that does not read is disconnected, and resumes with `Last-Event-ID`.\n\nAn account can have 20 streams, 5 of which may resume from more than 1,000 sequences behind; more are 429 with Retry-After. Resuming accounts take turns, so comments can come before missed events. If too many streams are open in all, the answer is 503 with Retry-After.',
    auth: 'key',
    permission: 'view',
    kind: 'read',
    cost: { base: 20 },
    streams: true,
    answer: AccountEvent,
    errors: ['validation_failed', 'forbidden'],
    example: { answer: exampleAccountEvent },
  }),
};
