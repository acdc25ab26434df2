/** A column of a chart, drawn over the chart's times. */
export interface ChartLine {
  readonly label: string;
  /** The values; undefined if the column has no value at a time of another column. */
  readonly values: readonly (number | undefined)[];
  /**
   * The style of the column. `area`: a line with the area below it filled; `steps`: the same, with each value drawn
   * until the next one; `bars`: bars at the bottom with a separate scale; `none`: not drawn.
   */
  readonly kind: 'line' | 'area' | 'steps' | 'bars' | 'none';
  /** The CSS custom property of its color, such as `--accent`. */
  readonly color: string;
}

/** An event that is marked at its time: news at the top, a trade at its price. */
export interface ChartMark {
  readonly atS: number;
  readonly kind: 'news' | 'buy' | 'sell';
  readonly value: number;
}

/** The data of a chart. All columns have one value for each time. */
export interface ChartData {
  /** Seconds since 1970 UTC, ascending. */
  readonly times: readonly number[];
  readonly lines: readonly ChartLine[];
  /** Candles of this many seconds, with the lines of these indexes. */
  readonly candles?: {
    readonly periodS: number;
    readonly open: number;
    readonly high: number;
    readonly low: number;
    readonly close: number;
  };
  readonly marks?: readonly ChartMark[];
  /** The times that the chart spans. Default: from its first to its last point, and at least `spanS`. */
  readonly span?: readonly [fromS: number, toS: number];
  /** The shortest time that the chart spans, in seconds. Points of a shorter time are at its right. */
  readonly spanS: number;
  /** Returns the text of a value for the scale at the left. */
  readonly valueText: (value: number) => string;
}
