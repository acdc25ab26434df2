import { z } from 'zod';
import { defineEndpoint, withIds } from '../endpoint.ts';
import { AccountEvent } from './account-event.ts';

export const accountStreamEndpoints = withIds({
  streamAccount: defineEndpoint({
    path: '/api/stream/account',
    tag: 'Streams',
    summary: "Stream the account's orders, fills, settlements and cash",
    description:
      'Server-sent `message` events in journal order, each sent as soon as it is durable: a fill no later than to the readers of the book. `data` is one AccountEvent as JSON, and `id` is its journal sequence. Each sequence is sent once; where it has two messages, only the last has the `id`.\n\nA placed or changed order is an `order` message. Each of its fills is a `fill` message; the last fill carries the filled order. A cancelled order is an `order` message with a reason. A settled position is a `settled` message. Whatever changes the cash of an account (a fill, a settlement, a merge) has a `cash` message, before its other message.\n\nWith `fleet=true` the stream has the events of the primary and of all its sub-accounts, also of those that are opened later. That needs a key of a primary account with master and trade.\n\nWithout `Last-Event-ID` the stream starts now. With it, the stream first sends every later event of the account, then continues live; nothing is missing and nothing comes twice. The value must be a sequence that the journal has reached, else the answer is 400.\n\nA comment comes every 15 seconds. The stream ends when the key is revoked. A client that does not read is disconnected, and resumes with `Last-Event-ID`.\n\nAn account can have 20 streams, 5 of which may resume from more than 1,000 sequences behind; more are 429 with Retry-After. Resuming accounts take turns, and all streams of a fleet together are sent what they missed at 5,000 events a second at most, so comments can come before missed events. If too many streams are open in all, the answer is 503 with Retry-After.',
    auth: 'key',
    permission: 'view',
    cost: { base: 20 },
    streams: true,
    query: z.object({
      fleet: z.literal('true').optional().describe('With true also the events of the sub-accounts.'),
    }),
    answer: AccountEvent,
    errors: ['forbidden', 'primary_account_required'],
  }),
});
