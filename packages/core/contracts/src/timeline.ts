import { z } from 'zod';
import { count, fraction } from './numbers.ts';
import { timestamp } from './text.ts';
import { iso, probability, probabilityOrNull } from './units.ts';

const timelineKind = z.enum(['signal', 'trade', 'resolution']);

export const TimelineEntry = z
  .strictObject({
    kind: timelineKind.meta({
      description: 'The kind of the entry. A void market is a resolution too, with the event MarketVoided.',
    }),
    date: timestamp.meta({ description: 'The time when the signal was published, else the time of the event.' }),
    headline: z
      .string()
      .meta({ description: 'The headline. For a trade "10 YES at 0.55", in the terms of the taker\'s outcome.' }),
    source: z.string().meta({ description: 'The source of a signal; `exchange` for trades and resolutions.' }),
    event: z.string().meta({ description: "The event that the signal names, else the type of the journal's event." }),
    citationUrl: z.string().nullable(),
    fairProb: fraction.nullable().meta({ description: 'The fair probability, according to the source.' }),
    marketProbBefore: fraction.nullable().meta({ description: "The market's probability just before." }),
    marketProbAfter: fraction.nullable().meta({
      description:
        "The market's probability just after. For a signal: after the market's last event within 60 s; at first it equals marketProbBefore.",
    }),
    factValue: z.number().nullable(),
    threshold: z.number().nullable(),
    confidence: fraction.nullable(),
    freshnessMs: z
      .number()
      .min(0)
      .nullable()
      .meta({ description: 'The age of the signal in ms when it was recorded, unless its source gave another value.' }),
    probability: fraction.meta({ description: "The market's probability after this entry." }),
    externalId: z.string().nullable().meta({
      description: 'The id of the signal at its source. For a trade or resolution: the id of its event in the journal.',
    }),
    relatedSignalId: z.string().nullable().meta({
      description: "For a trade: the id of the market's newest signal within the 24 h before it.",
    }),
    interpolated: z.boolean().meta({ description: 'Whether the probability is not based on any trade or quote.' }),
  })
  .meta({ id: 'TimelineEntry' });

export const MarketEvents = z
  .strictObject({
    marketId: z.string(),
    timeline: z.array(TimelineEntry),
    count: count.meta({ description: 'The number of items in this answer.' }),
  })
  .meta({ id: 'MarketEvents' });

export type TimelineEntryBody = z.output<typeof TimelineEntry>;
export type MarketEventsBody = z.output<typeof MarketEvents>;

/** Entries of a timeline where no limit is given. */
export const TIMELINE_LIMIT = 500;

/** An entry of a market's timeline: the market's probabilities in half units, a source's fractions unchanged. */
export interface TimelineEntryView {
  readonly kind: 'signal' | 'trade' | 'resolution';
  /** The time of the entry in ms since 1970 UTC. */
  readonly date: number;
  readonly headline: string;
  readonly source: string;
  readonly event: string;
  readonly citationUrl: string | null;
  readonly fairProb: number | null;
  readonly beforeHalfUnits: number | null;
  readonly afterHalfUnits: number | null;
  readonly factValue: number | null;
  readonly threshold: number | null;
  readonly confidence: number | null;
  readonly freshnessMs: number | null;
  /** The market's probability after this entry. */
  readonly probabilityHalfUnits: number;
  readonly externalId: string | null;
  readonly relatedSignalId: string | null;
  readonly interpolated: boolean;
}

/** `entries`: oldest first. */
export function marketEventsBody(marketId: string, entries: readonly TimelineEntryView[]): MarketEventsBody {
  return { marketId, timeline: entries.map(timelineEntryBody), count: entries.length };
}

function timelineEntryBody(view: TimelineEntryView): TimelineEntryBody {
  return {
    kind: view.kind,
    date: iso(view.date),
    headline: view.headline,
    source: view.source,
    event: view.event,
    citationUrl: view.citationUrl,
    fairProb: view.fairProb,
    marketProbBefore: probabilityOrNull(view.beforeHalfUnits),
    marketProbAfter: probabilityOrNull(view.afterHalfUnits),
    factValue: view.factValue,
    threshold: view.threshold,
    confidence: view.confidence,
    freshnessMs: view.freshnessMs,
    probability: probability(view.probabilityHalfUnits),
    externalId: view.externalId,
    relatedSignalId: view.relatedSignalId,
    interpolated: view.interpolated,
  };
}
