import { COMPLIANCE_MODES } from '@paper/exchange/vocabulary';
import { z } from 'zod';
import { errorCode, namedObject } from '../answer.ts';
import { count } from '../numbers.ts';
import { dayText, timestamp } from '../text.ts';

export const Health = namedObject('Health', {
  status: z.enum(['ok', 'degraded']).describe('Whether all parts of the service work.'),
  version: z.string(),
  database: z.enum(['ok', 'down']),
  timestamp,
  complianceMode: z
    .enum(COMPLIANCE_MODES)
    .describe('`kyc`: the service refuses orders of accounts that are not approved.'),
  emailConfigured: z.boolean().describe('Whether the service can send e-mail.'),
});

export type HealthBody = z.output<typeof Health>;

/** The OpenAPI document itself. */
export const OpenApiDocument = z.looseObject({ openapi: z.string() });

export const ErrorBody = namedObject('Error', {
  error: z.string().describe('What is wrong with the request, and how to correct it. For people.'),
  code: errorCode.describe('The kind of the error. Stable, for programs.'),
});

export const OperatorStatus = namedObject('OperatorStatus', {
  journalSeq: count,
  epoch: count.describe('The number of the writer: it grows whenever another process becomes the leader.'),
  shard: z.string(),
  queueDepth: count.describe('The commands that wait for a decision.'),
  projections: z.array(
    z.strictObject({
      name: z.string(),
      seq: count,
      lagEvents: count,
      lagMs: z.number().min(0),
      problem: z
        .string()
        .nullable()
        .describe(
          'Why the projection is not read, and how to end that: the journal does not answer, can lose events, or is ' +
            'another one. Null while the projection follows the journal.',
        ),
    }),
  ),
  version: z.string(),
  uptimeMs: z.number().min(0),
});

export type OperatorStatusBody = z.output<typeof OperatorStatus>;

const FleetUsage = namedObject('FleetUsage', {
  primaryAccountId: z.string(),
  commands: count.describe('The commands that appended something: refusals, replays and previews are none.'),
  events: count,
  bytes: count.describe('The size of these events in the journal.'),
});

/** The events that the keys of each fleet have appended on a UTC day. */
export const Usage = namedObject('Usage', {
  day: dayText,
  fleets: z.array(FleetUsage).describe('At most 100, those with most commands first.'),
});

export type UsageBody = z.output<typeof Usage>;
