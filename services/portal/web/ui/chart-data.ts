/** The values of one column, drawn over the chart's times. */
export interface ChartLine {
  readonly label: string;
  /** Undefined at the times that belong only to other columns. */
  readonly values: readonly (number | undefined)[];
  /**
   * `area`: filled below; `steps`: the same, each value drawn until the next; `bars`: at the bottom, on their own scale;
   * `none`: not drawn.
   */
  readonly kind: 'line' | 'area' | 'steps' | 'bars' | 'none';
  /** A CSS custom property, such as `--accent`. */
  readonly color: string;
}

/** A mark of news, at the top of the chart, or of a trade, at its price. */
export type ChartMark = Readonly<{ atS: number; kind: 'news' | 'buy' | 'sell'; value: number }>;

/** The content of a chart. Every column has one value for each of `times`. */
export interface ChartData {
  /** Seconds since 1970 UTC, ascending. */
  readonly times: readonly number[];
  readonly lines: readonly ChartLine[];
  /** Draws candles of this many seconds. The numbers are indexes of `lines`. */
  readonly candles?: Readonly<Record<'periodS' | 'open' | 'high' | 'low' | 'close', number>>;
  readonly marks?: readonly ChartMark[];
  /** The shown times. Default: from the first to the last point, and at least `spanS`. */
  readonly span?: readonly [fromS: number, toS: number];
  /** The shortest shown time; points that span less are at the right. */
  readonly spanS: number;
  /** The text of a value at the left scale. */
  readonly valueText: (value: number) => string;
}
