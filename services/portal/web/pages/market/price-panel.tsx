import type { CandleBody, CandlesBody, MarketBody, MomentsBody } from '@paper/contracts/markets';
import type { FillBody } from '@paper/contracts/orders';
import type { MarketEventsBody } from '@paper/contracts/signals';
import { useMemo, useRef, useState } from 'preact/hooks';
import { useRead } from '../../data/api/use-read.ts';
import type { Read, UseReadOptions } from '../../data/api/use-read.ts';
import { serviceNowMs } from '../../base/service-clock.ts';
import { useSession } from '../../data/session/session.tsx';
import { useAccount } from '../../data/session/use-account.ts';
import { Chart } from '../../ui/chart.tsx';
import type { ChartData, ChartMark } from '../../ui/chart-data.ts';
import { FigureTable } from '../../ui/figure-table.tsx';
import { countText, percentText, priceText, timeText } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { Segments } from '../../ui/segments.tsx';
import { DRAWINGS, lineSeries, periodFor, RANGES, rangeTimes } from './candle-series.ts';
import type { ChartDrawing, ChartRange } from './candle-series.ts';
import { momentText, TimeSlider } from './time-slider.tsx';
import type { Moment } from './use-past.ts';

export interface PricePanelProps {
  readonly market: Pick<MarketBody, 'id' | 'createdAt' | 'resolvedAt'>;
  readonly probability: number;
  /** Changes when there are trades that the chart lacks. */
  readonly tradesSeen: number;
  readonly moment: Moment | null;
  readonly onMoment: (moment: Moment | null) => void;
  readonly news: MarketEventsBody | null;
}

const REFRESH_MS = 20_000;
/** The most steps of the time slider. */
const POINTS = 160;
const NO_CANDLES: readonly CandleBody[] = [];
const NO_MOMENTS: readonly Moment[] = [];

export default function PricePanel({ market, probability, tradesSeen, moment, onMoment, news }: PricePanelProps) {
  const [range, setRange] = useState<ChartRange>('all');
  const [drawing, setDrawing] = useState<ChartDrawing>('line');
  const { candles, error, marks, moments, period } = usePast(market, range, tradesSeen, moment !== null, news);
  const shown = useMemo(() => {
    const isOver = market.resolvedAt !== null;
    const [fromMs, toMs] = rangeTimes(range, Date.parse(market.createdAt), endOf(market));
    const span = [fromMs / 1000, toMs / 1000] as const;
    const made =
      drawing === 'line'
        ? shownLine(moments, candles, span, isOver ? null : { atMs: toMs, probability })
        : shownCandles(candles, 60 * period);
    return { ...made, data: { ...made.data, span, marks } };
  }, [market, range, drawing, moments, probability, candles, period, marks]);
  return (
    <section class="card price-panel" aria-labelledby="price-heading">
      <div class="panel-head">
        <h2 id="price-heading">{drawing === 'line' ? 'Chance of yes' : 'Price of yes'}</h2>
        <Segments
          label="Range of the chart"
          value={range}
          options={RANGES}
          onValue={(value) => {
            // The time slider has the steps of the range, so another range resets it.
            onMoment(null);
            setRange(value);
          }}
        />
        <Segments label="Drawn as" value={drawing} options={DRAWINGS} onValue={setDrawing} />
      </div>
      {error !== null && <Notice kind="error">{error.message}</Notice>}
      <Chart
        label={shown.summary}
        data={shown.data}
        pointText={shown.pointText}
        restText={shown.pointText(shown.data.times.length - 1)}
        markerS={moment === null ? null : Date.parse(moment.at) / 1000}
      >
        <p class="chart-key">
          Bars: shares traded{marks.some(({ kind }) => kind === 'news') && ' · ◆ news'}
          {marks.some(({ kind }) => kind !== 'news') && ' · your trades: ▲ for Yes, ▼ for No'}
        </p>
        <TimeSlider moments={moments} moment={moment} onMoment={onMoment} />
        <FigureTable summary="The chart as a table" columns={shown.columns} rows={shown.rows} />
      </Chart>
    </section>
  );
}

function endOf({ resolvedAt }: PricePanelProps['market']): number {
  return resolvedAt === null ? serviceNowMs() : Date.parse(resolvedAt);
}

/** Reads a range's moments, with the last moment before it, its candles, and the marks of news and own trades. */
function usePast(
  market: PricePanelProps['market'],
  range: ChartRange,
  tradesSeen: number,
  isPast: boolean,
  news: PricePanelProps['news'],
) {
  const { createdAt, id } = market;
  const isSignedIn = useSession().person !== null;
  const { version } = useAccount();
  const listedMs = Date.parse(createdAt);
  const [fromMs, toMs] = rangeTimes(range, listedMs, endOf(market));
  const period = periodFor(toMs - fromMs);
  // The start of the reads changes only after a quarter of the range, so that an open page repeats few reads.
  const stepMs = Math.max(period * 60_000, (toMs - fromMs) / 4);
  const readMs = fromMs === listedMs ? fromMs : Math.floor(fromMs / stepMs) * stepMs;
  const from = new Date(readMs).toISOString();
  const path = `/api/markets/${encodeURIComponent(id)}`;
  const candleStart = new Date(Math.floor(readMs / period / 60_000) * period * 60_000).toISOString();
  const query = new URLSearchParams({ period: String(period), from: candleStart, limit: '1000' }).toString();
  const candles = useKept<CandlesBody>(`${path}/candles?${query}`, { version: tradesSeen });
  const refresh = { everyMs: REFRESH_MS };
  const inRange = useKept<MomentsBody>(`${path}/moments?points=${POINTS}&from=${from}`, refresh);
  const before = useKept<MomentsBody>(readMs > listedMs ? `${path}/moments?points=1&to=${from}` : null);
  const fills = useKept<readonly FillBody[]>(
    isSignedIn ? `/portal/as/me/fills?${new URLSearchParams({ marketId: id, limit: '100' }).toString()}` : null,
    { version },
  );
  const moments = useMemo(
    () => [...(before.data?.moments ?? []), ...(inRange.data?.moments ?? NO_MOMENTS)],
    [before.data, inRange.data],
  );
  const marks = useMemo(() => marksOf(news, fills.data ?? []), [news, fills.data]);
  // The steps of the slider stay the same while it shows a past time.
  const steps = useRef(moments);
  if (!isPast) steps.current = moments;
  return {
    candles: candles.data?.candles ?? NO_CANDLES,
    error: candles.error ?? inRange.error,
    marks,
    moments: steps.current,
    period,
  };
}

/** Reads a path; the former answer stays until the answer for another path arrives. */
function useKept<T>(path: string | null, options?: UseReadOptions): Pick<Read<T>, 'data' | 'error'> {
  const { data, error } = useRead<T>(path, options);
  const kept = useRef<T | null>(null);
  if (data !== null || path === null) kept.current = data;
  return { data: kept.current, error };
}

function marksOf(news: MarketEventsBody | null, fills: readonly FillBody[]): readonly ChartMark[] {
  const signals = news?.timeline.filter(({ kind }) => kind === 'signal') ?? [];
  return [
    ...signals.map(({ date, probability }) => ({
      atS: Date.parse(date) / 1000,
      kind: 'news' as const,
      value: probability,
    })),
    // In terms of YES, selling NO is buying.
    ...fills.map(({ createdAt, outcome, side, yesPrice }) => ({
      atS: Date.parse(createdAt) / 1000,
      kind: (side === 'buy') === (outcome === 'yes') ? ('buy' as const) : ('sell' as const),
      value: yesPrice,
    })),
  ];
}

function shownLine(
  moments: readonly Moment[],
  candles: readonly CandleBody[],
  [fromS]: readonly [number, number],
  now: { readonly atMs: number; readonly probability: number } | null,
) {
  const { chances, times, volumes } = lineSeries(moments, candles, fromS, now);
  const textOf = (index: number): string => {
    const [time, value] = [times[index], chances[index]];
    if (time === undefined || value === undefined) return '';
    return momentText({ at: new Date(time * 1000).toISOString(), probability: value });
  };
  const [low, high] = [percentText(Math.min(...chances)), percentText(Math.max(...chances))];
  return {
    data: {
      times,
      lines: [
        { label: 'Shares', values: volumes, kind: 'bars', color: '--field-line' },
        { label: 'Chance of yes', values: chances, kind: 'steps', color: '--accent' },
      ],
      spanS: 0,
      valueText: percentText,
    } satisfies ChartData,
    summary:
      chances[0] === undefined
        ? 'Chart of the chance of yes'
        : `Chart of the chance of yes: from ${percentText(chances[0])} to ${percentText(chances.at(-1) ?? null)}, lowest ${low}, highest ${high}`,
    pointText: textOf,
    columns: ['Time', 'Chance of yes'],
    rows: () => moments.toReversed().map(({ at, probability }) => [timeText(at), percentText(probability)]),
  };
}

function shownCandles(candles: readonly CandleBody[], periodS: number) {
  const column = (name: 'open' | 'high' | 'low' | 'close') =>
    ({ label: name, values: candles.map((candle) => candle[name]), kind: 'none', color: '--accent' }) as const;
  const [first, last] = [candles[0], candles.at(-1)];
  return {
    data: {
      times: candles.map(({ start }) => Date.parse(start) / 1000),
      lines: [
        { label: 'Shares', values: candles.map(({ volume }) => volume), kind: 'bars', color: '--field-line' },
        ...(['open', 'high', 'low', 'close'] as const).map(column),
      ],
      candles: { periodS, open: 1, high: 2, low: 3, close: 4 },
      spanS: periodS,
      valueText: priceText,
    } satisfies ChartData,
    summary:
      first === undefined || last === undefined
        ? 'Chart of the price of yes: nothing was traded in this time'
        : `Chart of the price of yes: from ${priceText(first.open)} to ${priceText(last.close)}, lowest ${priceText(Math.min(...candles.map(({ low }) => low)))}, highest ${priceText(Math.max(...candles.map(({ high }) => high)))}`,
    pointText: (index: number) => candleText(candles[index]),
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
  if (candle === undefined) return 'Nothing was traded in this time.';
  const { close, high, low, start, volume } = candle;
  return `${timeText(start)}: ${priceText(close)} (${priceText(low)} to ${priceText(high)}), ${countText(volume)} shares`;
}
