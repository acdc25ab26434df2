import { HEIGHT, sparkPath, WIDTH } from './spark-path.ts';

export interface SparklineProps {
  /** The probability at the last whole hours, oldest first; null before the listing. */
  readonly spark: readonly (number | null)[];
  readonly now: number;
  readonly change: number;
}

/** The probability of 24 hours as a line. The figures beside it say the same. */
export function Sparkline({ spark, now, change }: SparklineProps) {
  const path = sparkPath([now - change, ...spark.filter((value) => value !== null), now]);
  return (
    <svg class={change < 0 ? 'loss' : 'gain'} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
