import { z } from 'zod';
import { count, fraction } from './numbers.ts';
import { timestamp } from './text.ts';
import { iso, probability } from './units.ts';

const eventFields = {
  id: z.string(),
  source: z.string(),
  headline: z.string(),
  citationUrl: z.string(),
  publishedAt: timestamp,
  marketProbBefore: fraction.nullable().meta({ description: "The market's probability just before the signal." }),
  marketProbAfter: fraction.nullable().meta({
    description: "The probability after the market's last event within 60 s of the signal; at first equal to before.",
  }),
  fairProb: fraction.nullable().meta({ description: 'What the source takes for fair.' }),
};

export const RecentSignal = z
  .strictObject({
    ...eventFields,
    marketId: z.string().nullable().meta({ description: 'Null for a signal about the whole platform.' }),
    seq: count,
  })
  .meta({ id: 'RecentSignal' });

export const RecentSignals = z
  .strictObject({ signals: z.array(RecentSignal), count: count.meta({ description: 'Items in this answer.' }) })
  .meta({ id: 'RecentSignals' });

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

export function recentSignalBody(view: SignalView): RecentSignalBody {
  return {
    id: view.id,
    source: view.source,
    headline: view.headline,
    citationUrl: view.citationUrl,
    publishedAt: iso(view.publishedAt),
    marketProbBefore: view.beforeHalfUnits === null ? null : probability(view.beforeHalfUnits),
    marketProbAfter: view.afterHalfUnits === null ? null : probability(view.afterHalfUnits),
    fairProb: view.fairProb,
    marketId: view.marketId,
    seq: view.seq,
  };
}

export function recentSignalsBody(signals: readonly SignalView[]): RecentSignalsBody {
  return { signals: signals.map(recentSignalBody), count: signals.length };
}
