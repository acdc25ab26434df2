import { z } from 'zod';
import { namedObject } from '../answer.ts';
import { count, fraction, money, price } from '../numbers.ts';
import { hashText, timestamp } from '../text.ts';
import { Tape } from './tape.ts';

const ratio = z.number().nullable();
const outcome = z.enum(['yes', 'no']);
const level = z.strictObject({ price, quantity: count });

const BacktestSettings = z.strictObject({
  tape: z.string(),
  from: timestamp.nullable(),
  to: timestamp.nullable(),
  participants: count,
  startingBalance: money,
  latencyMs: count,
  feedLatencyMs: count,
  fee: fraction,
  seed: count,
  patienceSeconds: count,
});

export const BacktestReport = namedObject('BacktestReport', {
  id: z.string(),
  partial: z.boolean().describe('Whether the backtest has not come to its end.'),
  reproducible: z
    .boolean()
    .describe('Whether the same commands give the same journal; false where somebody was left out.'),
  tape: Tape,
  queue: z.string().describe('The model of the place of recorded orders in the queue.'),
  settings: BacktestSettings,
  build: z.string(),
  rulesVersion: count,
  journal: z.strictObject({ seq: count, hash: hashText }),
  leftOut: z.array(z.strictObject({ accountId: z.string(), at: timestamp })),
  fees: money.describe('The fees of all participants, which nobody was charged.'),
  notModelled: z.array(z.string()).describe('What a backtest cannot know.'),
  baselines: z.array(z.strictObject({ name: z.enum(['nothing', 'hold_yes', 'hold_no']), pnl: money.nullable() })),
  participants: z.array(
    z.strictObject({
      accountId: z.string(),
      pnl: money,
      return: ratio.describe('pnl ÷ startingBalance, to 6 decimals.'),
      maxDrawdown: z.strictObject({ amount: money, fromSeq: count.nullable(), toSeq: count.nullable() }),
      turnover: money.describe('Σ own price × quantity.'),
      makerShare: ratio.describe('The part of turnover as the resting side.'),
      spreadPaid: z
        .strictObject({ amount: money, coverage: ratio })
        .describe('What was paid beyond the middle as taker, and the part of turnover that it covers.'),
      fees: money,
      equity: z.array(z.strictObject({ at: timestamp, seq: count, equity: money })),
      fills: z.array(
        z.strictObject({
          seq: count,
          at: timestamp,
          marketId: z.string(),
          orderId: z.string(),
          role: z.enum(['maker', 'taker']),
          outcome,
          side: z.enum(['buy', 'sell']),
          price,
          quantity: count,
          queueWaitMs: count.nullable().describe('How long the resting order had waited; null of a taker.'),
          book: z
            .strictObject({ bids: z.array(level), asks: z.array(level) })
            .describe('The best ten levels right before, for YES.'),
        }),
      ),
    }),
  ),
});

export type BacktestReportBody = z.output<typeof BacktestReport>;
