import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { JOURNAL_PAGE, JournalLine } from '../journal-line.ts';
import { limitText, sequenceText } from '../text.ts';

const { events } = JOURNAL_PAGE;

const READ_JOURNAL = `The log of events that everything else follows from, in order and without holes, one a line (application/x-ndjson). Only what is private is withheld, and its digest stands in its place, so that the whole chain of hashes can be checked; \`packages/journal/FORMAT.md\` says how, and \`scripts/verify-journal.mjs\` does it: one file that needs nothing but Node.

A page has \`limit\` events, or fewer where their texts reach 1 MiB. Then \`Link: rel="next"\` names the next page, and the page itself never changes: it may be kept for ever. A page without that header ends with the newest event; where \`from\` is behind it, the page is empty. What is here is durable.

With \`X-Journal-Seq\` and \`X-Journal-Hash\` of a command's answer anyone can prove that this journal holds what was answered.`;

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
    media: ['application/x-ndjson'],
    conditional: true,
    query: z.object({
      from: sequenceText.optional().meta({ default: 1, description: 'The sequence that the page begins with.' }),
      limit: limitText(events, events),
    }),
    answer: JournalLine,
    errors: ['validation_failed'],
  }),
};
