import { z } from 'zod';
import { namedObject } from '../answer.ts';
import { count } from '../numbers.ts';
import { hashText } from '../text.ts';

/** The limits of a page of the journal: events, and bytes of their texts. */
export const JOURNAL_PAGE = { events: 1_000, bytes: 1024 * 1024 } as const;

/** A line of the public journal: a stored event without its private part. */
export const JournalLine = namedObject('JournalLine', {
  hash: hashText.describe(
    'The SHA-256 of three times 32 bytes: the hash of the previous event (32 zero bytes for the first), the SHA-256 of publicText in UTF-8, and privateDigest.',
  ),
  id: z.string().describe('The id of the event, a UUID.'),
  privateDigest: hashText.describe(
    'The SHA-256 of the private part, which is withheld: who sent the command, its idempotency key, the hash of a new key, and a random salt. 64 zeros if there is no private part.',
  ),
  publicText: z
    .string()
    .describe(
      'The public part, JSON as RFC 8785 prints it. The hash covers these bytes. It has the event and, for the first event of a decision, the command.',
    ),
  seq: count,
  type: z.string().describe('The type of the event.'),
});

export type JournalLineBody = z.output<typeof JournalLine>;
