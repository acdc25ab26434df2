import type { CandleBody, CandlePeriod, MomentsBody } from '@paper/contracts/markets';

type Moment = MomentsBody['moments'][number];

/** The ranges of the chart, which end now. `all` begins at the market's listing. */
export const RANGES = [
  { value: '1h', text: '1H', seconds: 3_600 },
  { value: '6h', text: '6H', seconds: 21_600 },
  { value: '1d', text: '1D', seconds: 86_400 },
  { value: '1w', text: '1W', seconds: 604_800 },
  { value: '1m', text: '1M', seconds: 2_592_000 },
  { value: 'all', text: 'All', seconds: Infinity },
] as const;
export type ChartRange = (typeof RANGES)[number]['value'];

/** How the chart is drawn: the chance of yes as a line, or the prices of its trades as candles. */
export const DRAWINGS = [
  { value: 'line', text: 'Line' },
  { value: 'candles', text: 'Candles' },
] as const;
export type ChartDrawing = (typeof DRAWINGS)[number]['value'];

/** The first and last time of a range in ms. It begins at the listing of the market at the earliest. */
export function rangeTimes(range: ChartRange, listedMs: number, untilMs: number): readonly [number, number] {
  const ms = 1_000 * (RANGES.find(({ value }) => value === range)?.seconds ?? Infinity);
  return [Math.max(listedMs, untilMs - ms), untilMs];
}

const CANDLES_MAX = 200;
const PERIODS: readonly CandlePeriod[] = [1, 5, 15, 60, 1440];

/** The shortest period, in minutes, with which a span has few enough candles. */
export function periodFor(spanMs: number): CandlePeriod {
  return PERIODS.find((period) => spanMs / 60_000 / period <= CANDLES_MAX) ?? 1440;
}

/** The chance after each moment, and the volumes of candles. `now`: the present chance; null for an ended market. */
export function lineSeries(
  moments: readonly Pick<Moment, 'at' | 'probability'>[],
  candles: readonly Pick<CandleBody, 'start' | 'volume'>[],
  fromS: number,
  now: { readonly atMs: number; readonly probability: number } | null,
) {
  const [first] = moments;
  if (first === undefined) return { times: [], chances: [], volumes: [] };
  const chanceAt = new Map(moments.map(({ at, probability }) => [Math.max(fromS, Date.parse(at) / 1000), probability]));
  const volumeAt = new Map(candles.map(({ start, volume }) => [Math.max(fromS, Date.parse(start) / 1000), volume]));
  const lastS = Math.max(...chanceAt.keys());
  if (now !== null) chanceAt.set(Math.max(lastS, now.atMs / 1000), now.probability);
  const times = [...new Set([...chanceAt.keys(), ...volumeAt.keys()])].sort((a, b) => a - b);
  let chance = first.probability;
  return {
    times,
    chances: times.map((time) => (chance = chanceAt.get(time) ?? chance)),
    volumes: times.map((time) => volumeAt.get(time)),
  };
}
