import { z } from 'zod';
import { answer, chanceOrNull, lengthOf, list, same, time } from '../answer.ts';
import type { BodyOf, ViewOf } from '../answer.ts';
import { count, fraction } from '../numbers.ts';

/** A cited signal as an item of a market's recentEvents. A source's fractions stay unchanged. */
export const RecentEvent = answer('RecentEvent', {
  id: same(z.string()),
  source: same(z.string()),
  headline: same(z.string()),
  citationUrl: same(z.string()),
  publishedAt: time('publishedAt'),
  marketProbBefore: chanceOrNull('beforeHalfUnits', "The market's probability just before the signal."),
  marketProbAfter: chanceOrNull(
    'afterHalfUnits',
    "The market's probability after its last event within 60 s of the signal. At first it equals marketProbBefore.",
  ),
  fairProb: same(fraction.nullable(), 'The fair probability, according to the source.'),
});

export const RecentSignal = answer('RecentSignal', {
  ...RecentEvent.fields,
  marketId: same(z.string().nullable(), 'The market; null for a signal about the whole platform.'),
  seq: same(count),
});

export const RecentSignals = answer('RecentSignals', {
  signals: list('signals', RecentSignal),
  count: lengthOf('signals'),
});

export type SignalView = ViewOf<typeof RecentSignal>;
export type RecentSignalBody = BodyOf<typeof RecentSignal>;
