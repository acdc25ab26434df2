import { z } from 'zod';
import { listCost } from '../cost.ts';
import { defineEndpoint } from '../endpoint.ts';
import { JOURNAL_PAGE, JournalLine } from '../journal-line.ts';
import { Ledger } from '../ledger.ts';
import { cursorText, limitText, sequenceText } from '../text.ts';
import { exampleLedger, exampleLedgerCsv, exampleJournalLine } from '../example-answers.ts';

const { events } = JOURNAL_PAGE;

const READ_JOURNAL = `The log of events that everything else follows from, in order and without holes, one a line (application/x-ndjson). Only what is private is withheld, and its digest stands in its place, so that the whole chain of hashes can be checked; \`/docs/format\` says how, and \`/verify-journal.mjs\` does it: one file that needs nothing but Node.

A page has \`limit\` events, or fewer where their texts reach 1 MiB. Then \`Link: rel="next"\` names the next page, and the page itself never changes: it may be kept for ever. A page without that header ends with the newest event; where \`from\` is behind it, the page is empty. What is here is durable.

With \`X-Journal-Seq\` and \`X-Journal-Hash\` of a command's answer anyone can prove that this journal holds what was answered.`;

const LIST_LEDGER = `Every movement of cash and shares of the fleet, a primary account and all of its sub-accounts, with the event behind it, oldest first. A sub-account's key reads the ledger of its whole fleet too.

Nothing is left out: added up over all pages, \`cash\` is each account's cash, reserved money included, and \`shares\` are its positions, exactly, as of the \`X-Journal-Seq\` of the last page. Amounts are multiples of $0.0001: add them in that unit.

With \`format=csv\` it is CSV by RFC 4180, the fields of an entry as columns, with a header line on each page, and null as nothing; a text that a spreadsheet would take for a formula begins with an apostrophe. Further pages by the \`Link: rel="next"\` header.`;

/** What can be checked without trusting those who run the exchange. */
export const auditEndpoints = {
  readJournal: defineEndpoint({
    id: 'readJournal',
    method: 'get',
    path: '/api/journal',
    tag: 'Audit',
    summary: 'The public journal, one event a line',
    description: READ_JOURNAL,
    auth: 'public',
    kind: 'read',
    cost: listCost(1, 50, events, events),
    media: ['application/x-ndjson'],
    conditional: true,
    query: z.object({
      from: sequenceText.optional().meta({ default: 1, description: 'The sequence that the page begins with.' }),
      limit: limitText(events, events),
    }),
    answer: JournalLine,
    errors: ['validation_failed'],
    example: { query: { from: '1', limit: '10' }, answer: exampleJournalLine },
  }),
  listLedger: defineEndpoint({
    id: 'listLedger',
    method: 'get',
    path: '/api/ledger',
    tag: 'Audit',
    summary: "The fleet's every movement of cash and shares",
    description: LIST_LEDGER,
    auth: 'key',
    permission: 'reconcile',
    kind: 'read',
    cost: listCost(2, 25, 500),
    media: ['application/json', 'text/csv'],
    conditional: true,
    query: z.object({
      format: z.enum(['json', 'csv']).optional().meta({ default: 'json' }),
      limit: limitText(500),
      cursor: cursorText,
    }),
    answer: Ledger,
    errors: ['validation_failed', 'forbidden'],
    example: { query: { format: 'json', limit: '500' }, answer: exampleLedger, csv: exampleLedgerCsv },
  }),
};
