import { z } from 'zod';
import { count, fraction } from './numbers.ts';
import { timestamp } from './text.ts';
import { iso, probabilityOrNull } from './units.ts';

const eventFields = {
  id: z.string(),
  source: z.string(),
  headline: z.string(),
  citationUrl: z.string(),
  publishedAt: timestamp,
  marketProbBefore: fraction.nullable().meta({ description: "The market's probability just before the signal." }),
  marketProbAfter: fraction.nullable().meta({
    description:
      "The market's probability after its last event within 60 s of the signal. At first it equals marketProbBefore.",
  }),
  fairProb: fraction.nullable().meta({ description: 'The fair probability, according to the source.' }),
};

/** A cited signal as an item of a market's recentEvents. */
export const RecentEvent = z.strictObject(eventFields).meta({ id: 'RecentEvent' });

export const RecentSignal = z
  .strictObject({
    ...eventFields,
    marketId: z.string().nullable().meta({ description: 'The market; null for a signal about the whole platform.' }),
    seq: count,
  })
  .meta({ id: 'RecentSignal' });

export const RecentSignals = z
  .strictObject({
    signals: z.array(RecentSignal),
    count: count.meta({ description: 'The number of items in this answer.' }),
  })
  .meta({ id: 'RecentSignals' });

export type RecentEventBody = z.output<typeof RecentEvent>;
export type RecentSignalBody = z.output<typeof RecentSignal>;
export type RecentSignalsBody = z.output<typeof RecentSignals>;

/** A cited signal. Fractions that a source gave come as they are; the market's own come in half units. */
export interface SignalView {
  readonly id: string;
  readonly source: string;
  readonly headline: string;
  readonly citationUrl: string;
  readonly publishedAt: number;
  readonly marketId: string | null;
  readonly beforeHalfUnits: number | null;
  readonly afterHalfUnits: number | null;
  readonly fairProb: number | null;
  readonly seq: number;
}

export function recentEventBody(view: SignalView): RecentEventBody {
  return {
    id: view.id,
    source: view.source,
    headline: view.headline,
    citationUrl: view.citationUrl,
    publishedAt: iso(view.publishedAt),
    marketProbBefore: probabilityOrNull(view.beforeHalfUnits),
    marketProbAfter: probabilityOrNull(view.afterHalfUnits),
    fairProb: view.fairProb,
  };
}

export function recentSignalBody(view: SignalView): RecentSignalBody {
  return { ...recentEventBody(view), marketId: view.marketId, seq: view.seq };
}

export function recentSignalsBody(signals: readonly SignalView[]): RecentSignalsBody {
  return { signals: signals.map(recentSignalBody), count: signals.length };
}
