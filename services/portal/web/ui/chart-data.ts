/** A column, drawn over the chart's times. */
export interface ChartLine {
  readonly label: string;
  /** Undefined at times of another column. */
  readonly values: readonly (number | undefined)[];
  /**
   * `area`: filled below; `steps`: the same, each value drawn until the next; `bars`: at the bottom with a scale of
   * their own; `none`: not drawn.
   */
  readonly kind: 'line' | 'area' | 'steps' | 'bars' | 'none';
  /** A CSS custom property, such as `--accent`. */
  readonly color: string;
}

/** News at the top, a trade at its price. */
export interface ChartMark {
  readonly atS: number;
  readonly kind: 'news' | 'buy' | 'sell';
  readonly value: number;
}

/** All columns have one value for each time. */
export interface ChartData {
  /** Seconds since 1970 UTC, ascending. */
  readonly times: readonly number[];
  readonly lines: readonly ChartLine[];
  /** Candles of this many seconds, from the lines of these indexes. */
  readonly candles?: {
    readonly periodS: number;
    readonly open: number;
    readonly high: number;
    readonly low: number;
    readonly close: number;
  };
  readonly marks?: readonly ChartMark[];
  /** Default: from the first to the last point, and at least `spanS`. */
  readonly span?: readonly [fromS: number, toS: number];
  /** The shortest time that the chart spans; points of a shorter one are at its right. */
  readonly spanS: number;
  /** For the scale at the left. */
  readonly valueText: (value: number) => string;
}
