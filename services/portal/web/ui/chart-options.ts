import uPlot from 'uplot';
import { noteOf } from '../base/notes.ts';
import { clockText, dayText } from './format.ts';

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
  /** The text of the tag at the pointer; left out: the value of the last line. */
  readonly tagText?: (index: number) => string;
}

/** Colors of the page as it is shown now. */
type Palette = (property: string) => string;

const MINUTE_S = 60;
const DAY_S = 86_400;
/** Bars take this part of the height at most. */
const BARS_PART = 0.22;
/** A line of few points shows each, since one alone draws no line. */
const POINTS_SHOWN = 30;
const FONT = '12px system-ui, sans-serif';
/** The width of a character in that font, and the space around a label. */
const LABEL = { character: 7, around: 14 } as const;
/** The distances between labels of values: texts of few digits equal them, so a label equals its place. */
const STEPS = [-3, -2, -1, 0, 1, 2, 3, 4, 5, 6].flatMap((power) => [1, 2, 5].map((digit) => digit * 10 ** power));

/** The columns as uPlot takes them. */
export function columnsOf({ times, lines }: ChartData): uPlot.AlignedData {
  return [[...times], ...lines.map(({ values }) => [...values])];
}

/** How uPlot draws the chart. @param dataNow gives the data when it is drawn, which may be newer */
export function optionsOf(
  dataNow: () => ChartData,
  size: { readonly width: number; readonly height: number },
  colorOf: Palette,
): Omit<uPlot.Options, 'hooks'> {
  const data = dataNow();
  const axis = { font: FONT, stroke: colorOf('--muted'), ticks: { show: false }, border: { show: false } };
  const grid = { stroke: colorOf('--line'), width: 1 };
  return {
    ...size,
    padding: [8, 20, 0, 0],
    ...(noteOf('times') === 'utc' ? { tzDate: (s: number) => uPlot.tzDate(new Date(s * 1000), 'Etc/UTC') } : {}),
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false, points: { size: 7 } },
    scales: {
      x: { time: true, range: () => spanOf(dataNow()) },
      y: { range: (_, min, max) => padded(min, max) },
      bars: { range: (_, __, max) => [0, Math.max(1, max) / BARS_PART] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        space: 70,
        values: (_, splits, __, ___, incr) => timeTexts(splits, incr),
      },
      {
        ...axis,
        grid,
        incrs: STEPS,
        // It is null while there is none, whatever the types say.
        size: (_, texts: readonly string[] | null) =>
          LABEL.around + LABEL.character * Math.max(3, ...(texts ?? []).map(({ length }) => length)),
        space: 36,
        values: (_, splits) => splits.map(data.valueText),
      },
    ],
    series: [{}, ...data.lines.map((line) => seriesOf(line, colorOf, data.times.length))],
  };
}

function seriesOf({ color, kind, label }: ChartLine, colorOf: Palette, count: number): uPlot.Series {
  const stroke = colorOf(color);
  const common = { label, points: { show: false } };
  if (kind === 'none') return { ...common, width: 0 };
  if (kind !== 'bars') {
    const points = { show: count <= POINTS_SHOWN, size: 5, fill: stroke };
    const stepped = kind === 'steps' ? uPlot.paths.stepped?.({ align: 1 }) : undefined;
    return {
      ...common,
      points,
      stroke,
      width: 2,
      ...(stepped === undefined ? {} : { paths: stepped }),
      ...(kind === 'line' ? {} : { fill: transparent(stroke, 0.1) }),
    };
  }
  const paths = uPlot.paths.bars?.({ size: [0.7, 12], align: 1 });
  return {
    ...common,
    scale: 'bars',
    fill: transparent(stroke, 0.45),
    width: 0,
    ...(paths === undefined ? {} : { paths }),
  };
}

/** The times that the chart spans. uPlot would show a single point in the span of years. */
function spanOf({ span, spanS, times }: ChartData): [number, number] {
  if (span !== undefined) return [span[0], Math.max(span[1], span[0] + 1)];
  const last = times[times.length - 1] ?? 0;
  return [Math.min(times[0] ?? last, last - spanS), last];
}

/** A range around the values: a flat line lies in the middle. */
function padded(min: number, max: number): [number, number] {
  if (!Number.isFinite(min) || !Number.isFinite(max)) return [0, 1];
  const around = max === min ? Math.max(Math.abs(max) * 0.05, 0.01) : (max - min) * 0.12;
  return [min - around, max + around];
}

/** Within a day the time; midnight has its day. */
function timeTexts(splits: readonly number[], incrS: number): string[] {
  return splits.map((each) => {
    const iso = new Date(each * 1000).toISOString();
    const clock = clockText(iso);
    if (incrS >= DAY_S || clock === '00:00:00') return dayText(iso).split(',')[0] ?? '';
    return incrS >= MINUTE_S ? clock.slice(0, 5) : clock;
  });
}

/** A color of the page, which is `#rrggbb`, with so much of it: 0 to 1. */
function transparent(color: string, part: number): string {
  return `${color}${Math.round(part * 255)
    .toString(16)
    .padStart(2, '0')}`;
}
