import { z } from 'zod';
import { answer, chance, chanceOrNull, lengthOf, list, same, time } from '../answer.ts';
import type { BodyOf, ViewOf } from '../answer.ts';
import { fraction } from '../numbers.ts';

/** An entry of a market's timeline; a source's fractions are unchanged. */
const TimelineEntry = answer('TimelineEntry', {
  kind: same(
    z.enum(['signal', 'trade', 'resolution']),
    'The kind of the entry. A void market is a resolution too, with the event MarketVoided.',
  ),
  date: time('date', 'The time when the signal was published, else the time of the event.'),
  headline: same(z.string(), 'The headline. For a trade "10 YES at 0.55", in the terms of the taker\'s outcome.'),
  source: same(z.string(), 'The source of a signal; `exchange` for trades and resolutions.'),
  event: same(z.string(), "The event that the signal names, else the type of the journal's event."),
  citationUrl: same(z.string().nullable()),
  fairProb: same(fraction.nullable(), 'The fair probability, according to the source.'),
  marketProbBefore: chanceOrNull('beforeHalfUnits', "The market's probability just before."),
  marketProbAfter: chanceOrNull(
    'afterHalfUnits',
    "The market's probability just after. For a signal: after the market's last event within 60 s; at first it equals marketProbBefore.",
  ),
  factValue: same(z.number().nullable()),
  threshold: same(z.number().nullable()),
  confidence: same(fraction.nullable()),
  freshnessMs: same(
    z.number().min(0).nullable(),
    'The age of the signal in ms when it was recorded, unless its source gave another value.',
  ),
  probability: chance('probabilityHalfUnits', "The market's probability after this entry."),
  externalId: same(
    z.string().nullable(),
    'The id of the signal at its source. For a trade or resolution: the id of its event in the journal.',
  ),
  relatedSignalId: same(
    z.string().nullable(),
    "For a trade: the id of the market's newest signal within the 24 h before it.",
  ),
  interpolated: same(z.boolean(), 'Whether the probability is not based on any trade or quote.'),
});

/** The entries of a market's timeline, oldest first. */
export const MarketEvents = answer('MarketEvents', {
  marketId: same(z.string()),
  timeline: list('timeline', TimelineEntry),
  count: lengthOf('timeline'),
});

export type TimelineEntryView = ViewOf<typeof TimelineEntry>;
export type TimelineEntryBody = BodyOf<typeof TimelineEntry>;
export type MarketEventsBody = BodyOf<typeof MarketEvents>;

export const TIMELINE_LIMIT = 500;
