import { z } from 'zod';
import { count, money } from '../numbers.ts';
import { text } from '../text.ts';

export const MergeInput = z
  .strictObject({
    marketId: text(1).meta({ description: 'The id of the market.' }),
    quantity: z
      .int()
      .min(1)
      .max(Number.MAX_SAFE_INTEGER)
      .optional()
      .meta({ description: 'The number of pairs; left out: all pairs of free shares.' }),
  })
  .meta({ id: 'MergeInput' });

export const MergedShares = z
  .strictObject({
    marketId: z.string(),
    merged: count.meta({ description: 'Pairs of one YES and one NO share that became $1 each.' }),
    cash: money.meta({ description: "The account's cash after it, with what its open orders reserve." }),
  })
  .meta({ id: 'MergedShares' });
