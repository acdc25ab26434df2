import type { CandleBody, CandlePeriod, CandlesBody, MarketBody } from '@paper/contracts/markets';
import { useMemo, useRef, useState } from 'preact/hooks';
import { useRead } from '../../data/api/use-read.ts';
import { Chart } from '../../ui/chart.tsx';
import type { ChartData } from '../../ui/chart-options.ts';
import { FigureTable } from '../../ui/figure-table.tsx';
import { countText, timeText, percentText, priceText } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { Segments } from '../../ui/segments.tsx';
import { chartStart, probabilitySeries, RANGES, seriesOf } from './candle-series.ts';
import type { ChartRange } from './candle-series.ts';
import { isOver } from './market-head.tsx';
import { momentText } from './moment-text.ts';
import { TimeSlider } from './time-slider.tsx';
import { useMoments } from './use-moments.ts';
import type { Moment } from './use-past.ts';

export interface PricePanelProps {
  readonly market: Pick<MarketBody, 'id' | 'phase'>;
  /** The newest probability of yes. */
  readonly probability: number;
  /** Changes when there are new trades that the candles lack. */
  readonly tradesSeen: number;
  /** The moment that the time slider shows; null: the present. */
  readonly moment: Moment | null;
  readonly onMoment: (moment: Moment | null) => void;
}

/** The data that the panel shows of one range. */
interface Shown {
  readonly data: ChartData;
  /** A sentence with the figures. */
  readonly summary: string;
  readonly pointText: (index: number) => string;
  /** Shown while no point is pointed at. */
  readonly restText: string;
  readonly columns: readonly string[];
  /** Newest first: a time, then figures. */
  readonly rows: () => readonly (readonly string[])[];
}

const LIMIT = 1_000;
const NO_CANDLES: readonly CandleBody[] = [];

/** The chart of the chance of yes or of its price in trades, with its figures as a table, and the time slider. */
export function PricePanel({ market, probability, tradesSeen, moment, onMoment }: PricePanelProps) {
  const [range, setRange] = useState<ChartRange>('all');
  const { candles, error } = useCandles(market.id, range, tradesSeen);
  const history = useMoments(market.id, moment !== null);
  const { moments } = history;
  const hasEnded = isOver(market);
  const shown = useMemo(
    () =>
      range === 'all' ? shownMoments(moments, hasEnded ? null : probability) : shownCandles(candles, Number(range)),
    [range, moments, hasEnded, probability, candles],
  );
  const failure = error ?? history.error;
  return (
    <section class="card price-panel" aria-labelledby="price-heading">
      <div class="panel-head">
        <h2 id="price-heading">{range === 'all' ? 'Chance of yes' : 'Price of yes'}</h2>
        <Segments label="What the chart shows" hideLabel value={range} options={RANGES} onValue={setRange} />
      </div>
      {failure !== null && <Notice kind="error">{failure.message}</Notice>}
      <Chart
        label={shown.summary}
        data={shown.data}
        pointText={shown.pointText}
        restText={shown.restText}
        markerS={moment === null ? null : Date.parse(moment.at) / 1000}
      >
        <TimeSlider moments={moments} moment={moment} onMoment={onMoment} />
        <FigureTable summary="The chart as a table" columns={shown.columns} rows={shown.rows} />
      </Chart>
    </section>
  );
}

/** The candles of a period; the previous period's stay until the new ones have been read. */
function useCandles(marketId: string, range: ChartRange, tradesSeen: number) {
  const path = useMemo(() => {
    if (range === 'all') return null;
    const from = chartStart(Date.now(), Number(range) as CandlePeriod);
    const query = new URLSearchParams({ period: range, from, limit: String(LIMIT) }).toString();
    return `/api/markets/${encodeURIComponent(marketId)}/candles?${query}`;
  }, [marketId, range]);
  const { data, error } = useRead<CandlesBody>(path, { version: tradesSeen });
  const shown = useRef(NO_CANDLES);
  if (data !== null) shown.current = data.candles;
  return { candles: shown.current, error };
}

/** Young markets are shown in no less than this time, so that a few points are no wide stretch. */
const MOMENTS_S_MIN = 120;

function shownMoments(moments: readonly Moment[], probability: number | null): Shown {
  const now = probability === null ? null : { atMs: Date.now(), probability };
  const { probabilities, times } = probabilitySeries(moments, now);
  const textOf = (index: number): string => {
    const [time, value] = [times[index], probabilities[index]];
    if (time === undefined || value === undefined) return '';
    return momentText({ at: new Date(time * 1000).toISOString(), probability: value });
  };
  const [first, last] = [probabilities[0], probabilities.at(-1)];
  const [low, high] = [percentText(Math.min(...probabilities)), percentText(Math.max(...probabilities))];
  return {
    data: {
      times,
      lines: [{ label: 'Chance of yes', values: probabilities, kind: 'steps', color: '--accent' }],
      spanS: MOMENTS_S_MIN,
      valueText: percentText,
    },
    summary:
      first === undefined || last === undefined
        ? 'Chart of the chance of yes'
        : `Chart of the chance of yes: from ${percentText(first)} to ${percentText(last)}, lowest ${low}, highest ${high}`,
    pointText: textOf,
    restText: textOf(times.length - 1),
    columns: ['Time', 'Chance of yes'],
    rows: () => moments.toReversed().map(({ at, probability: value }) => [timeText(at), percentText(value)]),
  };
}

/**
 * At least this many periods are shown, so that a young market's few candles are not stretched over the whole width.
 */
const PERIODS_MIN = 20;

function shownCandles(candles: readonly CandleBody[], periodMinutes: number): Shown {
  const { closes, highs, lows, times, volumes } = seriesOf(candles);
  return {
    data: {
      times,
      lines: [
        { label: 'Shares', values: volumes, kind: 'bars', color: '--field-line' },
        { label: 'High', values: highs, kind: 'none', color: '--accent' },
        { label: 'Low', values: lows, kind: 'none', color: '--accent' },
        { label: 'Close', values: closes, kind: 'area', color: '--accent' },
      ],
      band: [1, 2],
      spanS: PERIODS_MIN * periodMinutes * 60,
      valueText: (value) => value.toFixed(2),
    },
    summary: candlesSummary(candles),
    pointText: (index) => candleText(candles[index]),
    restText: candles.length === 0 ? 'Nothing was traded in this time.' : candleText(candles.at(-1)),
    columns: ['From', 'Open', 'High', 'Low', 'Close', 'Shares'],
    rows: () =>
      candles
        .toReversed()
        .map(({ close, high, low, open, start, volume }) => [
          timeText(start),
          ...[open, high, low, close].map(priceText),
          countText(volume),
        ]),
  };
}

function candleText(candle: CandleBody | undefined): string {
  if (candle === undefined) return '';
  const { close, high, low, start, volume } = candle;
  return `${timeText(start)}: ${priceText(close)} (${priceText(low)} to ${priceText(high)}), ${countText(volume)} shares`;
}

function candlesSummary(candles: readonly CandleBody[]): string {
  const [first, last] = [candles[0], candles.at(-1)];
  if (first === undefined || last === undefined) return 'Chart of the price of yes: nothing was traded in this time';
  const low = priceText(Math.min(...candles.map((each) => each.low)));
  const high = priceText(Math.max(...candles.map((each) => each.high)));
  return `Chart of the price of yes: from ${priceText(first.open)} to ${priceText(last.close)}, lowest ${low}, highest ${high}`;
}
