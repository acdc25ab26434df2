import { z } from 'zod';
import { namedObject } from '../answer.ts';
import { count, fraction, price } from '../numbers.ts';
import { hashText, timestamp } from '../text.ts';

/** The summary of a recorded market, as `@paper/tapes` makes it. */
export const Tape = namedObject('Tape', {
  id: z.string().describe('The name of its file or folder; what a backtest is started with.'),
  format: z.string().describe('The format of its lines; `made`: a tape of our own making.'),
  markets: z.array(
    z.strictObject({
      id: z.string(),
      title: z.string(),
      closesAt: timestamp,
      tickSize: fraction,
      prior: price.describe('The probability for YES at which the market begins.'),
    }),
  ),
  from: timestamp.describe('The time of its first event.'),
  to: timestamp.describe('The time of its last event.'),
  events: count,
  bytes: count,
  sha256: hashText.describe('Of its file; of several, the SHA-256 of what `sha256sum` prints of them.'),
  synthetic: z.boolean().describe('Whether any of it is invented, such as the book of trades alone.'),
  skipped: z.array(
    z.strictObject({
      reason: z.string().describe('Why parts of it are not played.'),
      count,
      firstFile: z.string(),
      firstLine: count,
    }),
  ),
});

export const TapeList = namedObject('TapeList', {
  tapes: z.array(Tape),
  refused: z
    .array(z.strictObject({ id: z.string(), why: z.string() }))
    .describe('The files and folders beside them that are not played.'),
});

export type TapeBody = z.output<typeof Tape>;
export type TapeListBody = z.output<typeof TapeList>;
