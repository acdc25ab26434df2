import { z } from 'zod';
import { count, fraction } from './numbers.ts';
import { timestamp } from './text.ts';
import { iso, probability, probabilityOrNull } from './units.ts';

const timelineKind = z.enum(['signal', 'trade', 'resolution']);

export const TimelineEntry = z
  .strictObject({
    kind: timelineKind.meta({ description: 'A void is a resolution too, with the event MarketVoided.' }),
    date: timestamp.meta({ description: "When a signal was published, else the event's time." }),
    headline: z.string().meta({ description: 'A trade\'s: "10 YES at 0.55", in the terms of the taker\'s outcome.' }),
    source: z.string().meta({ description: '`exchange` of our own.' }),
    event: z.string().meta({ description: "The event's type, where a signal names none of its own." }),
    citationUrl: z.string().nullable(),
    fairProb: fraction.nullable().meta({ description: 'What the source takes for fair.' }),
    marketProbBefore: fraction.nullable().meta({ description: "The market's probability just before." }),
    marketProbAfter: fraction.nullable().meta({
      description:
        "Just after; of a signal, after the market's last event within 60 s of it, and at first equal to before.",
    }),
    factValue: z.number().nullable(),
    threshold: z.number().nullable(),
    confidence: fraction.nullable(),
    freshnessMs: z
      .number()
      .min(0)
      .nullable()
      .meta({ description: 'How old a signal was when it was recorded, where its source says nothing else.' }),
    probability: fraction.meta({ description: "The market's, after this entry." }),
    externalId: z.string().nullable().meta({
      description: "The source's own id of a signal; of a trade or a resolution the id of its event in the journal.",
    }),
    relatedSignalId: z.string().nullable().meta({
      description: "Of a trade: the id of the market's newest signal of the 24 h before it.",
    }),
    interpolated: z.boolean().meta({ description: 'No trade or quote stands behind the probability.' }),
  })
  .meta({ id: 'TimelineEntry' });

export const MarketEvents = z
  .strictObject({
    marketId: z.string(),
    timeline: z.array(TimelineEntry),
    count: count.meta({ description: 'Items in this answer.' }),
  })
  .meta({ id: 'MarketEvents' });

export type TimelineEntryBody = z.output<typeof TimelineEntry>;
export type MarketEventsBody = z.output<typeof MarketEvents>;

/** Entries of a timeline where no limit is given. */
export const TIMELINE_LIMIT = 500;

/** One entry of a market's timeline; the market's probabilities in half units, a source's fractions as they came. */
export interface TimelineEntryView {
  readonly kind: 'signal' | 'trade' | 'resolution';
  /** In ms. */
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
  /** After this entry. */
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
