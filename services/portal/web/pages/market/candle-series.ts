import type { CandleBody, CandlePeriod } from '@paper/contracts';

/** The columns of a price chart, oldest first: seconds since 1970, dollars a share, shares. */
export interface CandleSeries {
  readonly times: readonly number[];
  readonly closes: readonly number[];
  readonly highs: readonly number[];
  readonly lows: readonly number[];
  readonly volumes: readonly number[];
}

export function seriesOf(candles: readonly CandleBody[]): CandleSeries {
  return {
    times: candles.map(({ start }) => Date.parse(start) / 1000),
    closes: candles.map(({ close }) => close),
    highs: candles.map(({ high }) => high),
    lows: candles.map(({ low }) => low),
    volumes: candles.map(({ volume }) => volume),
  };
}

/** How many candles a chart shows at first. */
const SHOWN = 240;

/** The start of the range that a chart of this period shows, as a query's `from`. */
export function chartStart(nowMs: number, period: CandlePeriod): string {
  const periodMs = period * 60_000;
  return new Date(Math.max(0, (Math.floor(nowMs / periodMs) - SHOWN + 1) * periodMs)).toISOString();
}

/** The lengths of periods that a person can choose, in minutes. */
export const PERIODS = [
  { value: '1', text: '1m' },
  { value: '5', text: '5m' },
  { value: '15', text: '15m' },
  { value: '60', text: '1h' },
  { value: '1440', text: '1d' },
] as const satisfies readonly { readonly value: `${CandlePeriod}`; readonly text: string }[];

export type PeriodText = (typeof PERIODS)[number]['value'];

const HOUR_MS = 3_600_000;

/** The period with which a market of this age fills a chart. */
export function periodFor(ageMs: number): PeriodText {
  if (ageMs <= 4 * HOUR_MS) return '1';
  if (ageMs <= 20 * HOUR_MS) return '5';
  if (ageMs <= 60 * HOUR_MS) return '15';
  return ageMs <= 240 * HOUR_MS ? '60' : '1440';
}
