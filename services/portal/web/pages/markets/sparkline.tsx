import { HEIGHT, sparkPath, WIDTH } from './spark-path.ts';

export interface SparklineProps {
  /**
   * The probabilities at the last whole hours, oldest first; null for hours before the listing, which the line leaves
   * out.
   */
  readonly spark: readonly (number | null)[];
  /** The probability now. */
  readonly now: number;
  readonly change: number;
}

/** The movement of the probability in 24 hours as a line. The figures beside the line say the same. */
export function Sparkline({ spark, now, change }: SparklineProps) {
  const path = sparkPath([now - change, ...spark.filter((value) => value !== null), now]);
  return (
    <svg class={change < 0 ? 'loss' : 'gain'} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
