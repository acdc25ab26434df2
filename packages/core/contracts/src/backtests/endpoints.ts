import { z } from 'zod';
import { listCost } from '../cost.ts';
import { defineEndpoint, withIds } from '../endpoint.ts';
import { JOURNAL_PAGE, JournalLine } from '../journal/journal-line.ts';
import { Done } from '../orders/order.ts';
import { limitText, sequenceText, text } from '../text.ts';
import {
  AdvanceClockInput,
  AdvancedClock,
  Backtest,
  BacktestClock,
  BacktestList,
  StartBacktestInput,
  StartedBacktest,
} from './backtest.ts';
import { BacktestReport } from './report.ts';
import { TapeList } from './tape.ts';

const keyed = { tag: 'Backtests', auth: 'key' } as const;
const owned = { ...keyed, kind: 'read', permission: 'master', primaryOnly: true } as const;
const params = z.object({ id: text(1, 64).describe('The id of the backtest.') });
const INSIDE = 'Below the base URL of a backtest only, with the key of one of its participants; 404 anywhere else.';

export const backtestEndpoints = withIds({
  listTapes: defineEndpoint({
    ...keyed,
    path: '/api/tapes',
    summary: 'List the recorded markets',
    description:
      'The tapes of this service, and `made-news`, one of our own making. No outcome is in it. A new tape is read once before it is listed: until then this is 503 `unavailable`.',
    cost: { base: 5 },
    answer: TapeList,
  }),
  startBacktest: defineEndpoint({
    ...owned,
    method: 'post',
    path: '/api/backtests',
    summary: 'Start a backtest',
    description:
      'Plays a tape into an exchange of its own, and answers once that runs. A bot changes its base URL and its key, and nothing else: below `baseUrl` is all of this API but operators and backtests, on a clock that waits for the participants. Needs the master key of a primary account. An Idempotency-Key is known for as long as its backtest.',
    // The rate limit is not what bounds starts: only a number of backtests may run at once.
    cost: { base: 10 },
    idempotent: true,
    body: StartBacktestInput,
    answer: StartedBacktest,
    errors: ['tape_not_found', 'backtest_limit'],
  }),
  listBacktests: defineEndpoint({
    ...owned,
    path: '/api/backtests',
    summary: "List the fleet's backtests",
    description: 'The newest first, with those that have ended until they are deleted.',
    answer: BacktestList,
  }),
  getBacktest: defineEndpoint({
    ...owned,
    path: '/api/backtests/{id}',
    summary: 'Get a backtest',
    description: 'Its state, its time, and how much of its tape is played.',
    params,
    answer: Backtest,
    errors: ['backtest_not_found'],
  }),
  deleteBacktest: defineEndpoint({
    ...owned,
    method: 'delete',
    path: '/api/backtests/{id}',
    summary: 'End and delete a backtest',
    description: 'Ends it where it runs, and deletes its report and its journal.',
    cost: { base: 5 },
    params,
    answer: Done,
    errors: ['backtest_not_found'],
  }),
  getBacktestReport: defineEndpoint({
    ...owned,
    path: '/api/backtests/{id}/report',
    summary: "Get a backtest's report",
    description:
      'What the participants made of the tape, by the journal of the backtest. It is there from its end until it is deleted. While a long one is being made, this is 503 `unavailable`.',
    cost: { base: 20 },
    conditional: true,
    params,
    query: z.object({
      partial: z
        .literal('true')
        .optional()
        .describe('With true also before its end, and of a failed one: what its journal has.'),
    }),
    answer: BacktestReport,
    errors: ['backtest_not_found', 'backtest_not_ended'],
  }),
  readBacktestJournal: defineEndpoint({
    ...owned,
    path: '/api/backtests/{id}/journal',
    summary: "Read a backtest's journal, one event a line",
    description:
      'As `GET /api/journal` gives the journal of this service: a page has `limit` events, or fewer if their texts reach 1 MiB, and `Link: rel="next"` leads to the next one. `/verify-journal.mjs` verifies it.',
    cost: listCost(1, 30, JOURNAL_PAGE.events, JOURNAL_PAGE.events),
    media: ['application/x-ndjson'],
    conditional: true,
    params,
    query: z.object({
      from: sequenceText.optional().meta({ default: 1, description: 'The first sequence of the page.' }),
      limit: limitText(JOURNAL_PAGE.events, JOURNAL_PAGE.events),
    }),
    answer: JournalLine,
    errors: ['backtest_not_found'],
  }),
  getClock: defineEndpoint({
    ...keyed,
    path: '/api/clock',
    summary: 'Read the clock of a backtest',
    description: `The time, and the accounts that it waits for. ${INSIDE}`,
    answer: BacktestClock,
    errors: ['left_out', 'not_found'],
  }),
  advanceClock: defineEndpoint({
    ...keyed,
    method: 'post',
    path: '/api/clock/advance',
    summary: 'Let the clock of a backtest move',
    description: `Ends the turn of this participant. Comes back at \`until\`, or at the end of the first moment in which something happened that \`wake\` names. The clock moves when all participants advance, to the least of what they asked for. After 25 s it answers \`waiting: true\`, and is called again. ${INSIDE}`,
    // A wait costs no work, so many clients may wait at once.
    kind: 'read',
    idempotent: true,
    body: AdvanceClockInput,
    answer: AdvancedClock,
    errors: ['forbidden', 'primary_account_required', 'left_out', 'not_found'],
  }),
});
