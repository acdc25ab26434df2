import type { CandleBody, CandlePeriod, MomentsBody } from '@paper/contracts/markets';

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

/** The columns of a chart of the probability, oldest first: seconds since 1970, 0 to 1. */
export interface ProbabilitySeries {
  readonly times: readonly number[];
  readonly probabilities: readonly number[];
}

/**
 * The probability after each moment; of several in one instant, the last one's.
 *
 * @param now the present probability, shown at the right end; null where the market has ended
 */
export function probabilitySeries(
  moments: readonly MomentsBody['moments'][number][],
  now: { readonly atMs: number; readonly probability: number } | null,
): ProbabilitySeries {
  const times: number[] = [];
  const probabilities: number[] = [];
  const add = (timeS: number, probability: number): void => {
    const last = times.at(-1);
    if (last !== undefined && timeS <= last) {
      probabilities[probabilities.length - 1] = probability;
    } else {
      times.push(timeS);
      probabilities.push(probability);
    }
  };
  for (const { at, probability } of moments) add(Date.parse(at) / 1000, probability);
  if (now !== null && times.length > 0) add(now.atMs / 1000, now.probability);
  return { times, probabilities };
}

/** How many candles a chart shows at first. */
const SHOWN = 240;

/** The start of the range that a chart of this period shows, as a query's `from`. */
export function chartStart(nowMs: number, period: CandlePeriod): string {
  const periodMs = period * 60_000;
  return new Date(Math.max(0, (Math.floor(nowMs / periodMs) - SHOWN + 1) * periodMs)).toISOString();
}

/** The ranges of a chart: the probability since the market's beginning, or candles of this many minutes. */
export const RANGES = [
  { value: 'all', text: 'All' },
  { value: '1', text: '1m' },
  { value: '5', text: '5m' },
  { value: '15', text: '15m' },
  { value: '60', text: '1h' },
  { value: '1440', text: '1d' },
] as const satisfies readonly { readonly value: `${CandlePeriod}` | 'all'; readonly text: string }[];

export type ChartRange = (typeof RANGES)[number]['value'];
