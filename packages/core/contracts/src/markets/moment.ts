import { answer, chance, list, same, time } from '../answer.ts';
import type { BodyOf, ViewOf } from '../answer.ts';
import { count } from '../numbers.ts';

const Moment = answer(null, {
  seq: same(count, 'The journal sequence of the event: a value for `asOfSeq`.'),
  at: time('at'),
  probability: chance('probabilityHalfUnits', "The market's, just after the event."),
});

export type MomentView = ViewOf<typeof Moment>;

export const Moments = answer('Moments', { moments: list('moments', Moment) });

export type MomentsBody = BodyOf<typeof Moments>;
