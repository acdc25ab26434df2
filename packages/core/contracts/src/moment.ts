import { z } from 'zod';
import { count, fraction } from './numbers.ts';
import { timestamp } from './text.ts';
import { iso, probability } from './units.ts';

export const Moments = z
  .strictObject({
    moments: z.array(
      z.strictObject({
        seq: count.meta({ description: 'The journal sequence of the event: a value for `asOfSeq`.' }),
        at: timestamp,
        probability: fraction.meta({ description: "The market's, just after the event." }),
      }),
    ),
  })
  .meta({ id: 'Moments' });

export type MomentsBody = z.output<typeof Moments>;

/** A market just after one of its events; `at` in ms. */
export interface MomentView {
  readonly seq: number;
  readonly at: number;
  readonly probabilityHalfUnits: number;
}

export function momentsBody(moments: readonly MomentView[]): MomentsBody {
  return {
    moments: moments.map(({ seq, at, probabilityHalfUnits }) => ({
      seq,
      at: iso(at),
      probability: probability(probabilityHalfUnits),
    })),
  };
}
