import { z } from 'zod';
import { answer, same } from '../answer.ts';
import { count } from '../numbers.ts';

/** The sequences of an order's events in the public journal. */
export const OrderSequences = answer('OrderSequences', {
  seqs: same(z.array(count.min(1)).meta({ description: "The journal sequences of the order's events, ascending." })),
});
