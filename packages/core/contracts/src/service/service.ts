import { COMPLIANCE_MODES } from '@paper/exchange/vocabulary';
import { z } from 'zod';
import { ERRORS } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import { count } from '../numbers.ts';
import { dayText, timestamp } from '../text.ts';

export const Health = z
  .strictObject({
    status: z.enum(['ok', 'degraded']).meta({ description: 'Whether all parts of the service work.' }),
    version: z.string(),
    database: z.enum(['ok', 'down']),
    timestamp,
    complianceMode: z
      .enum(COMPLIANCE_MODES)
      .meta({ description: '`kyc`: the service refuses orders of accounts that are not approved.' }),
    emailConfigured: z.boolean().meta({ description: 'Whether the service can send e-mail.' }),
  })
  .meta({ id: 'Health' });

export type HealthBody = z.output<typeof Health>;

/** The OpenAPI document itself. */
export const OpenApiDocument = z.looseObject({ openapi: z.string() });

const codes = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

export const ErrorBody = z
  .strictObject({
    error: z.string().meta({ description: 'What is wrong with the request, and how to correct it. For people.' }),
    code: z.enum(codes).meta({ description: 'The kind of the error. Stable, for programs.' }),
  })
  .meta({ id: 'Error' });

export const OperatorStatus = z
  .strictObject({
    journalSeq: count,
    epoch: count.meta({
      description: 'The number of the writer: it grows whenever another process becomes the leader.',
    }),
    shard: z.string(),
    queueDepth: count.meta({ description: 'The commands that wait for a decision.' }),
    projections: z.array(
      z.strictObject({
        name: z.string(),
        seq: count,
        lagEvents: count,
        lagMs: z.number().min(0),
        problem: z
          .string()
          .nullable()
          .meta({
            description:
              'Why the projection is not read, and how to end that: the journal does not answer, can lose events, or is ' +
              'another one. Null while the projection follows the journal.',
          }),
      }),
    ),
    version: z.string(),
    uptimeMs: z.number().min(0),
  })
  .meta({ id: 'OperatorStatus' });

export type OperatorStatusBody = z.output<typeof OperatorStatus>;

const FleetUsage = z
  .strictObject({
    primaryAccountId: z.string(),
    commands: count.meta({
      description: 'The commands that appended something: refusals, replays and previews are none.',
    }),
    events: count,
    bytes: count.meta({ description: 'The size of these events in the journal.' }),
  })
  .meta({ id: 'FleetUsage' });

/** The events that the keys of each fleet have appended on a UTC day. */
export const Usage = z
  .strictObject({
    day: dayText,
    fleets: z.array(FleetUsage).meta({ description: 'At most 100, those with most commands first.' }),
  })
  .meta({ id: 'Usage' });

export type UsageBody = z.output<typeof Usage>;
