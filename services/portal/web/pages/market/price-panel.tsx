import type { CandleBody, CandlesBody, MarketBody } from '@paper/contracts';
import { useMemo, useRef, useState } from 'preact/hooks';
import { useRead } from '../../api/use-read.ts';
import { Chart } from '../../ui/chart.tsx';
import type { ChartData } from '../../ui/chart-options.ts';
import { countText, localText, priceText } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { Segments } from '../../ui/segments.tsx';
import { chartStart, periodFor, PERIODS, seriesOf } from './candle-series.ts';
import type { PeriodText } from './candle-series.ts';
import { TimeSlider } from './time-slider.tsx';
import type { Moment } from './use-past.ts';

export interface PricePanelProps {
  readonly market: Pick<MarketBody, 'id' | 'createdAt'>;
  /** Changes when trades have come that the candles do not have yet. */
  readonly tradesSeen: number;
  /** The moment that the time slider stands on; null: the present. */
  readonly moment: Moment | null;
  readonly onMoment: (moment: Moment | null) => void;
}

const LIMIT = 1_000;
const NO_CANDLES: readonly CandleBody[] = [];

/** The chart of the YES price, with its figures as a table. */
export function PricePanel({ market, tradesSeen, moment, onMoment }: PricePanelProps) {
  const [period, setPeriod] = useState<PeriodText>(() => periodFor(Date.now() - Date.parse(market.createdAt)));
  const { candles, error } = useCandles(market.id, period, tradesSeen);
  const data = useMemo(() => chartOf(candles, Number(period)), [candles, period]);
  return (
    <section class="card price-panel" aria-labelledby="price-heading">
      <div class="panel-head">
        <h2 id="price-heading">Price of yes</h2>
        <Segments label="Period of a point" hideLabel value={period} options={PERIODS} onValue={setPeriod} />
      </div>
      {error !== null && <Notice kind="error">{error.message}</Notice>}
      <Chart
        label={summaryOf(candles)}
        data={data}
        pointText={(index) => pointText(candles[index])}
        restText={candles.length === 0 ? 'Nothing was traded in this time.' : pointText(candles.at(-1))}
        markerS={moment === null ? null : Date.parse(moment.at) / 1000}
      >
        <TimeSlider marketId={market.id} moment={moment} onMoment={onMoment} />
        <PriceTable candles={candles} />
      </Chart>
    </section>
  );
}

/** The candles of a period; those of the period before stay until the new ones are there. */
function useCandles(marketId: string, period: PeriodText, tradesSeen: number) {
  const from = useMemo(() => chartStart(Date.now(), Number(period) as CandlesBody['period']), [period]);
  const query = new URLSearchParams({ period, from, limit: String(LIMIT) }).toString();
  const path = `/api/markets/${encodeURIComponent(marketId)}/candles?${query}`;
  const { data, error } = useRead<CandlesBody>(path, { version: tradesSeen });
  const shown = useRef(NO_CANDLES);
  if (data !== null) shown.current = data.candles;
  return { candles: shown.current, error };
}

/** At least so many periods are shown, so that a young market's few candles are no wide stretch. */
const PERIODS_MIN = 20;

function chartOf(candles: readonly CandleBody[], periodMinutes: number): ChartData {
  const { closes, highs, lows, times, volumes } = seriesOf(candles);
  return {
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
  };
}

function pointText(candle: CandleBody | undefined): string {
  if (candle === undefined) return '';
  const { close, high, low, start, volume } = candle;
  return `${localText(start)}: ${priceText(close)} (${priceText(low)} to ${priceText(high)}), ${countText(volume)} shares`;
}

function summaryOf(candles: readonly CandleBody[]): string {
  const [first, last] = [candles[0], candles.at(-1)];
  if (first === undefined || last === undefined) return 'Chart of the price of yes: nothing was traded in this time';
  const low = priceText(Math.min(...candles.map((each) => each.low)));
  const high = priceText(Math.max(...candles.map((each) => each.high)));
  return `Chart of the price of yes: from ${priceText(first.open)} to ${priceText(last.close)}, lowest ${low}, highest ${high}`;
}

/** The candles as a table, newest first, once the person opens it. */
function PriceTable({ candles }: { readonly candles: readonly CandleBody[] }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details class="chart-table" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>Prices as a table</summary>
      {isOpen && (
        <div class="table-frame" role="region" aria-label="Prices of yes" tabIndex={0}>
          <table>
            <thead>
              <tr>
                {['From', 'Open', 'High', 'Low', 'Close', 'Shares'].map((name, index) => (
                  <th key={name} scope="col" class={index === 0 ? undefined : 'figure'}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {candles.toReversed().map(({ close, high, low, open, start, volume }) => (
                <tr key={start}>
                  <td class="number">{localText(start)}</td>
                  <td class="figure">{priceText(open)}</td>
                  <td class="figure">{priceText(high)}</td>
                  <td class="figure">{priceText(low)}</td>
                  <td class="figure">{priceText(close)}</td>
                  <td class="figure">{countText(volume)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}
