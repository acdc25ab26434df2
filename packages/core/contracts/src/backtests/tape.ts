import { z } from 'zod';
import { count, fraction, price } from '../numbers.ts';
import { hashText, timestamp } from '../text.ts';

/** The summary of a recorded market, as `@paper/tapes` makes it. */
export const Tape = z
  .strictObject({
    id: z.string().meta({ description: 'The name of its file or folder; what a backtest is started with.' }),
    format: z.string().meta({ description: 'The format of its lines; `made`: a tape of our own making.' }),
    markets: z.array(
      z.strictObject({
        id: z.string(),
        title: z.string(),
        closesAt: timestamp,
        tickSize: fraction,
        prior: price.meta({ description: 'The probability for YES at which the market begins.' }),
      }),
    ),
    from: timestamp.meta({ description: 'The time of its first event.' }),
    to: timestamp.meta({ description: 'The time of its last event.' }),
    events: count,
    bytes: count,
    sha256: hashText.meta({ description: 'Of its file; of several, the SHA-256 of what `sha256sum` prints of them.' }),
    synthetic: z.boolean().meta({ description: 'Whether any of it is invented, such as the book of trades alone.' }),
    skipped: z.array(
      z.strictObject({
        reason: z.string().meta({ description: 'Why parts of it are not played.' }),
        count,
        firstFile: z.string(),
        firstLine: count,
      }),
    ),
  })
  .meta({ id: 'Tape' });

export const TapeList = z
  .strictObject({
    tapes: z.array(Tape),
    refused: z
      .array(z.strictObject({ id: z.string(), why: z.string() }))
      .meta({ description: 'The files and folders beside them that are not played.' }),
  })
  .meta({ id: 'TapeList' });

export type TapeBody = z.output<typeof Tape>;
export type TapeListBody = z.output<typeof TapeList>;
