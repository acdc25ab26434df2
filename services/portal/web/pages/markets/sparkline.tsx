export interface SparklineProps {
  /** The probabilities at the last whole hours, oldest first; null before the listing: the line begins later then. */
  readonly spark: readonly (number | null)[];
  /** The probability now. */
  readonly now: number;
  readonly change: number;
}

const WIDTH = 96;
const HEIGHT = 28;
/** A market that moved by less is drawn as if it had moved by this, so that a tick is no mountain. */
const SPAN_MIN = 0.04;

/** How the probability moved in 24 hours, as a line. The figures beside it say the same. */
export function Sparkline({ spark, now, change }: SparklineProps) {
  const path = sparkPath([now - change, ...spark.filter((value) => value !== null), now]);
  return (
    <svg class={change < 0 ? 'loss' : 'gain'} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

/** The line through two or more values at even distances. */
export function sparkPath(values: readonly number[]): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const span = Math.max(most - least, SPAN_MIN);
  const bottom = (most + least - span) / 2;
  const x = (index: number): number => Math.round((index / (values.length - 1)) * (WIDTH - 2) + 1);
  const y = (value: number): number => Math.round(HEIGHT - 2 - ((value - bottom) / span) * (HEIGHT - 4));
  return `M${values.map((value, index) => `${x(index)} ${y(value)}`).join('L')}`;
}
