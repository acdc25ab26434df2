import { z } from 'zod';
import { answer, same } from '../answer.ts';
import { count } from '../numbers.ts';

export const OrderSequences = answer('OrderSequences', {
  seqs: same(z.array(count.min(1)), "The journal sequences of the order's events, ascending."),
});
