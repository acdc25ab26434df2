/** A column of a chart, drawn over its times. */
export interface ChartLine {
  readonly label: string;
  /** Undefined where a column has no value at a time of another one. */
  readonly values: readonly (number | undefined)[];
  /**
   * `area`: a line with the area below it filled; `steps`: the same, with each value drawn until the next one; `bars`:
   * at the bottom, on a scale of their own; `none`: not drawn.
   */
  readonly kind: 'line' | 'area' | 'steps' | 'bars' | 'none';
  /** The custom property of its color, such as `--accent`. */
  readonly color: string;
}

/** A thing that happened, marked at its time: a news at the top, a trade at its price. */
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
  /** Candles of this many seconds, from the lines of these indexes. */
  readonly candles?: {
    readonly periodS: number;
    readonly open: number;
    readonly high: number;
    readonly low: number;
    readonly close: number;
  };
  readonly marks?: readonly ChartMark[];
  /** The times that the chart spans. Left out: those of its points, and no less than `spanS`. */
  readonly span?: readonly [fromS: number, toS: number];
  /** The least time that the chart spans, in seconds: fewer points are at its right. */
  readonly spanS: number;
  /** A value of the scale at the left. */
  readonly valueText: (value: number) => string;
}
