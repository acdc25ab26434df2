import { z } from 'zod';
import { AccountEvent } from '../accounts/account-event.ts';
import { count, fraction } from '../numbers.ts';
import { instantText, text, timestamp } from '../text.ts';

export const BACKTEST_STATES = ['starting', 'running', 'ended', 'failed'] as const;

const milliseconds = z.int().min(0).max(60_000);

export const StartBacktestInput = z
  .strictObject({
    tape: text(1, 255).meta({ description: 'The id of a tape of `GET /api/tapes`.' }),
    from: instantText.optional().meta({ description: 'Where the clock starts. Default: at the first event.' }),
    to: instantText
      .optional()
      .meta({ description: 'The last moment that is played. Default: that of the last event.' }),
    participants: z.int().min(1).max(20).default(1).meta({ description: 'Accounts that trade, each with a key.' }),
    startingBalance: z
      .number()
      .min(1)
      .max(10_000_000)
      .optional()
      .meta({ description: 'Dollars of each participant. Default: the STARTING_BALANCE setting of the service.' }),
    latencyMs: milliseconds.default(0).meta({ description: 'How long after it was sent a command is decided.' }),
    feedLatencyMs: milliseconds
      .default(0)
      .meta({ description: 'How much later streams and `advance` show what happens in markets.' }),
    fee: fraction
      .default(0)
      .meta({ description: 'The rate r of a fee of r × p × (1 − p) a share as taker: reported, never charged.' }),
    seed: z
      .int()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .default(1)
      .meta({ description: 'What ids and salts follow from. The same seed gives the same journal.' }),
    patienceSeconds: z
      .int()
      .min(1)
      .max(3_600)
      .default(60)
      .meta({ description: 'The wall time without a call after which a participant is left out for good.' }),
  })
  .meta({ id: 'StartBacktestInput' });

export type StartBacktest = z.output<typeof StartBacktestInput>;

const state = z.enum(BACKTEST_STATES);
const clock = timestamp.nullable().meta({ description: "The backtest's time; null: it has not begun." });

export const StartedBacktest = z
  .strictObject({
    id: z.string(),
    baseUrl: z.string().meta({
      description: 'What participants use in place of the base URL of this service. It is a secret, as their keys are.',
    }),
    participants: z.array(
      z.strictObject({
        accountId: z.string(),
        apiKey: z
          .string()
          .optional()
          .meta({ description: 'It is shown only once; an idempotent replay leaves it out.' }),
      }),
    ),
    clock,
    state,
  })
  .meta({ id: 'StartedBacktest' });

export type StartedBacktestBody = z.output<typeof StartedBacktest>;

export const Backtest = z
  .strictObject({
    id: z.string(),
    tape: z.string(),
    state,
    why: z.string().nullable().meta({ description: 'Why it has failed, or ended before its tape; else null.' }),
    clock,
    eventsDone: count.meta({ description: 'Events of the tape that are played.' }),
    events: count.meta({ description: 'Events of the tape that it plays.' }),
    participants: z.array(z.string()).meta({ description: 'The ids of their accounts, by turn.' }),
    createdAt: timestamp,
    endedAt: timestamp.nullable(),
  })
  .meta({ id: 'Backtest' });

export type BacktestBody = z.output<typeof Backtest>;
export const BacktestList = z.strictObject({ backtests: z.array(Backtest) }).meta({ id: 'BacktestList' });

export const BacktestClock = z
  .strictObject({
    now: timestamp,
    waitingFor: z.array(z.string()).meta({ description: 'The accounts whose `advance` the clock waits for.' }),
    ended: z.boolean(),
  })
  .meta({ id: 'BacktestClock' });

/** The kinds of news that can end an `advance` before its time. */
export const WAKES = ['account', 'book', 'trades'] as const;
export type Wake = (typeof WAKES)[number];

export const AdvanceClockInput = z
  .strictObject({
    until: instantText.optional().meta({ description: 'Default: the end.' }),
    wake: z.array(z.enum(WAKES)).default(['account']).meta({
      description: 'What ends the wait before: an event of the own account stream, a change of any book, a trade.',
    }),
    fleet: z.boolean().default(false).meta({
      description: 'With true the account stream is that of the primary account with all of its sub-accounts.',
    }),
  })
  .prefault({})
  .meta({ id: 'AdvanceClockInput' });

export const AdvancedClock = z
  .strictObject({
    now: timestamp,
    ended: z.boolean(),
    waiting: z.boolean().meta({ description: 'Others have not advanced yet: call again with the same body.' }),
    events: z
      .array(AccountEvent)
      .meta({ description: 'What the account stream had since the last advance, at most 1,000.' }),
    more: z.boolean().meta({ description: 'There are more events at `now`: call again.' }),
  })
  .meta({ id: 'AdvancedClock' });
