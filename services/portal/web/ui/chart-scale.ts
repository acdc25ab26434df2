import { noteOf } from '../base/notes.ts';
import { clockText, dayText } from './format.ts';
import type { ChartData } from './chart-data.ts';

const DAY_S = 86_400;
/** The possible distances between labels, in seconds. */
const TIME_STEPS = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((minutes) => 60 * minutes),
  ...[1, 2, 3, 6, 12].map((hours) => 3_600 * hours),
  ...[1, 2, 7, 14, 30, 90, 365].map((days) => DAY_S * days),
];

/** The times at the left and right edge of a chart, in seconds since 1970. */
export function spanOf({ span, spanS, times }: ChartData): readonly [number, number] {
  const last = times.at(-1) ?? 0;
  const [from, to] = span ?? [Math.min(times[0] ?? last, last - spanS), last];
  return [from, Math.max(to, from + 1)];
}

/** The values at the bottom and top of a chart, with space around its lines; a flat line is in the middle. */
export function rangeOf({ lines, times }: ChartData, [from, to]: readonly [number, number]): readonly [number, number] {
  const first = times.findLastIndex((time) => time <= from);
  const last = times.findLastIndex((time) => time <= to);
  const shown = lines
    .filter(({ kind }) => kind !== 'bars')
    .flatMap(({ values }) => values.slice(Math.max(0, first), last + 1))
    .filter((value) => value !== undefined);
  if (shown.length === 0) return [0, 1];
  const [low, high] = [Math.min(...shown), Math.max(...shown)];
  const around = high === low ? Math.max(Math.abs(high) * 0.05, 0.01) : (high - low) * 0.12;
  return [low - around, high + around];
}

/** At most `count` labels for values. Their distance is 1, 2 or 5 times a power of ten, so short texts are exact. */
export function valueLabels([low, high]: readonly [number, number], count: number, textOf: (value: number) => string) {
  const least = Math.max(1e-3, (high - low) / count);
  const power = 10 ** Math.floor(Math.log10(least) + 1e-9);
  const step = power * ([1, 2, 5].find((digit) => digit * power >= least - 1e-12) ?? 10);
  return multiples(low, high, step).map((at) => ({ at, text: textOf(at) }));
}

/** At most `count` labels for times: times of day, and dates at midnight. */
export function timeLabels([from, to]: readonly [number, number], count: number) {
  const step = TIME_STEPS.find((each) => (to - from) / each <= count) ?? 365 * DAY_S;
  const zoneS = noteOf('times') === 'utc' ? 0 : -60 * new Date(from * 1000).getTimezoneOffset();
  return multiples(from + zoneS, to + zoneS, step).map((local) => {
    const at = local - zoneS;
    const iso = new Date(at * 1000).toISOString();
    const clock = clockText(iso);
    if (step >= DAY_S || clock === '00:00:00') return { at, text: dayText(iso).split(',')[0] ?? '' };
    return { at, text: step >= 60 ? clock.slice(0, 5) : clock };
  });
}

function multiples(low: number, high: number, step: number): readonly number[] {
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.max(0, Math.floor(high / step + 1e-9) - first + 1);
  // Without rounding errors such as 0.1 × 3 = 0.30000000000000004.
  return Array.from({ length: count }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}
