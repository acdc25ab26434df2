import { z } from 'zod';
import { namedObject } from '../answer.ts';
import { AccountEvent } from '../accounts/account-event.ts';
import { count, fraction, startingBalance } from '../numbers.ts';
import { instantText, text, timestamp } from '../text.ts';

const BACKTEST_STATES = ['starting', 'running', 'ended', 'failed'] as const;

const milliseconds = z.int().min(0).max(60_000);

export const StartBacktestInput = namedObject('StartBacktestInput', {
  tape: text(1, 255).describe('The id of a tape of `GET /api/tapes`.'),
  from: instantText.optional().describe('Where the clock starts. Default: at the first event.'),
  to: instantText.optional().describe('The last moment that is played. Default: that of the last event.'),
  participants: z.int().min(1).max(20).default(1).describe('Accounts that trade, each with a key.'),
  startingBalance: startingBalance.describe(
    'Dollars of each participant. Default: the STARTING_BALANCE setting of the service.',
  ),
  latencyMs: milliseconds.default(0).describe('How long after it was sent a command is decided.'),
  feedLatencyMs: milliseconds.default(0).describe('How much later streams and `advance` show what happens in markets.'),
  fee: fraction
    .default(0)
    .describe('The rate r of a fee of r × p × (1 − p) a share as taker: reported, never charged.'),
  seed: z
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .default(1)
    .describe('What ids and salts follow from. The same seed gives the same journal.'),
  patienceSeconds: z
    .int()
    .min(1)
    .max(3_600)
    .default(60)
    .describe('The wall time without a call after which a participant is left out for good.'),
});

export type StartBacktest = z.output<typeof StartBacktestInput>;

const state = z.enum(BACKTEST_STATES);
const clock = timestamp.nullable().describe("The backtest's time; null: it has not begun.");

export const StartedBacktest = namedObject('StartedBacktest', {
  id: z.string(),
  baseUrl: z
    .string()
    .describe('What participants use in place of the base URL of this service. It is a secret, as their keys are.'),
  participants: z.array(
    z.strictObject({
      accountId: z.string(),
      apiKey: z.string().optional().describe('It is shown only once; an idempotent replay leaves it out.'),
    }),
  ),
  clock,
  state,
});

export type StartedBacktestBody = z.output<typeof StartedBacktest>;

export const Backtest = namedObject('Backtest', {
  id: z.string(),
  tape: z.string(),
  state,
  why: z.string().nullable().describe('Why it has failed, or ended before its tape; else null.'),
  clock,
  eventsDone: count.describe('Events of the tape that are played.'),
  events: count.describe('Events of the tape that it plays.'),
  participants: z.array(z.string()).describe('The ids of their accounts, by turn.'),
  createdAt: timestamp,
  endedAt: timestamp.nullable(),
});

export type BacktestBody = z.output<typeof Backtest>;
export const BacktestList = namedObject('BacktestList', { backtests: z.array(Backtest) });

export const BacktestClock = namedObject('BacktestClock', {
  now: timestamp,
  waitingFor: z.array(z.string()).describe('The accounts whose `advance` the clock waits for.'),
  ended: z.boolean(),
});

/** The kinds of news that can end an `advance` before its time. */
const WAKES = ['account', 'book', 'trades'] as const;
export type Wake = (typeof WAKES)[number];

export const AdvanceClockInput = z
  .strictObject({
    until: instantText.optional().describe('Default: the end.'),
    wake: z
      .array(z.enum(WAKES))
      .default(['account'])
      .describe('What ends the wait before: an event of the own account stream, a change of any book, a trade.'),
    fleet: z
      .boolean()
      .default(false)
      .describe('With true the account stream is that of the primary account with all of its sub-accounts.'),
  })
  .prefault({})
  .meta({ id: 'AdvanceClockInput' });

export const AdvancedClock = namedObject('AdvancedClock', {
  now: timestamp,
  ended: z.boolean(),
  waiting: z.boolean().describe('Others have not advanced yet: call again with the same body.'),
  events: z.array(AccountEvent).describe('What the account stream had since the last advance, at most 1,000.'),
  more: z.boolean().describe('There are more events at `now`: call again.'),
});
