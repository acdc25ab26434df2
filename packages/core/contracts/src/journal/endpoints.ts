import { z } from 'zod';
import { listCost } from '../cost.ts';
import { defineEndpoint, withIds } from '../endpoint.ts';
import { cursorText, limitText, NEXT_PAGE, sequenceText, text } from '../text.ts';
import { JOURNAL_PAGE, JournalLine } from './journal-line.ts';
import { Ledger } from './ledger.ts';
import { OrderSequences } from './order-sequences.ts';

const { events } = JOURNAL_PAGE;

const READ_JOURNAL = `The log of events from which every other state follows, in order and without gaps, one event a line (application/x-ndjson). Private parts are withheld, and their digests are in their place, so that anyone can verify the whole chain of hashes. \`/docs/format\` explains how. \`/verify-journal.mjs\` does it: one file that needs only Node.

A page has \`limit\` events, or fewer if their texts reach 1 MiB. A page with \`Link: rel="next"\` never changes and may be cached for ever. A page without that header ends with the newest event; it is empty if \`from\` is beyond that. Every event here is durable.

Keep \`X-Journal-Seq\` and \`X-Journal-Hash\` of an answer to prove later that this journal holds it.`;

const LIST_LEDGER = `Every movement of cash and shares of the fleet (a primary account and all of its sub-accounts), with the event behind it, oldest first. A sub-account's key reads the ledger of its whole fleet too.

A merge of YES and NO shares has two entries with the same sequence, YES first, each at $0.50 a share: the pair pays $1.

The ledger is complete: summed over all pages, \`cash\` is each account's cash, including reserved money, and \`shares\` are its positions, exactly, as of the \`X-Journal-Seq\` of the last page. Amounts are multiples of $0.0001: sum them in that unit.

\`format=csv\` returns CSV by RFC 4180: one column for each field of an entry, a header line on each page, and an empty cell for null. An apostrophe is put before text that a spreadsheet would run as a formula. ${NEXT_PAGE}`;

/** Endpoints with which anyone can verify the exchange without trusting its operators. */
export const auditEndpoints = withIds({
  readJournal: defineEndpoint({
    path: '/api/journal',
    tag: 'Audit',
    summary: 'Read the public journal, one event a line',
    description: READ_JOURNAL,
    auth: 'public',
    cost: listCost(1, 30, events, events),
    media: ['application/x-ndjson'],
    conditional: true,
    query: z.object({
      from: sequenceText.optional().meta({ default: 1, description: 'The first sequence of the page.' }),
      limit: limitText(events, events),
    }),
    answer: JournalLine,
  }),
  getOrderSequences: defineEndpoint({
    path: '/api/journal/orders/{id}',
    tag: 'Audit',
    summary: "List the sequences of an order's events",
    description: `Where the public journal has the order: its placing, each change and fill, and its cancellation if there was one. \`GET /api/journal?from=\` shows the events. ${NEXT_PAGE}`,
    auth: 'public',
    cost: listCost(2, 100, events, events),
    conditional: true,
    params: z.object({ id: text(1).describe('The id of the order.') }),
    query: z.object({ limit: limitText(events, events), cursor: cursorText }),
    answer: OrderSequences.schema,
    errors: ['not_found'],
  }),
  listLedger: defineEndpoint({
    path: '/api/ledger',
    tag: 'Audit',
    summary: "List the fleet's movements of cash and shares",
    description: LIST_LEDGER,
    auth: 'key',
    permission: 'reconcile',
    cost: listCost(2, 25, 500),
    media: ['application/json', 'text/csv'],
    conditional: true,
    query: z.object({
      format: z.enum(['json', 'csv']).optional().meta({ default: 'json', description: 'The format of the answer.' }),
      limit: limitText(500),
      cursor: cursorText,
    }),
    answer: Ledger,
  }),
});
