import { describeDivergence } from '../engine/divergence.ts';
import type { Divergence } from '../engine/divergence.ts';

/** Name and help text of the gauge that `reportDivergence` sets. */
export const DIVERGED_GAUGE = [
  'paper_read_models_diverged',
  '1 while the read models do not match the journal: nothing is read of them until a rebuild',
] as const;

interface Sinks {
  readonly logger: { error(details: object, message: string): void; warn(message: string): void };
  readonly gauge: { set(value: number): void };
}

/** Logs when the read models stop matching the journal, and when they match again. */
export function reportDivergence({ logger, gauge }: Sinks): (divergence: Divergence | null) => void {
  gauge.set(0);
  return (divergence) => {
    gauge.set(divergence === null ? 0 : 1);
    if (divergence === null) logger.warn('the read models match the journal again: they are read');
    else logger.error({ divergence }, describeDivergence(divergence));
  };
}
