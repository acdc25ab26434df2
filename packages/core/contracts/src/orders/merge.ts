import { z } from 'zod';
import { namedObject } from '../answer.ts';
import { count, money } from '../numbers.ts';
import { text } from '../text.ts';

export const MergeInput = namedObject('MergeInput', {
  marketId: text(1).describe('The id of the market.'),
  quantity: z
    .int()
    .min(1)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('The number of pairs; left out: all pairs of free shares.'),
});

export const MergedShares = namedObject('MergedShares', {
  marketId: z.string(),
  merged: count.describe('Pairs of one YES and one NO share that became $1 each.'),
  cash: money.describe("The account's cash after it, with what its open orders reserve."),
});
