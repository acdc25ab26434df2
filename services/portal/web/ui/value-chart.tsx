import { useMemo } from 'preact/hooks';
import { serviceNowMs } from '../base/service-clock.ts';
import type { ChartData } from './chart-data.ts';
import { Chart } from './chart.tsx';
import { FigureTable } from './figure-table.tsx';
import { axisMoneyText, moneyText, timeText } from './format.ts';

/** What accounts were worth from a moment on. */
export interface ValuePoint {
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  /** Dollars. */
  readonly value: number;
}

export interface ValueChartProps {
  /** What the value is, such as `Equity`. */
  readonly name: string;
  readonly points: readonly ValuePoint[];
  /** The value now, with which the chart ends. */
  readonly now: number;
  /** The value at the start, an even line. */
  readonly start: number;
}

/** An account's first minutes are shown in no less than this time. */
const SPAN_S_MIN = 300;

/** A chart of dollars in steps until now, by the service's clock, with its figures as a table. */
export function ValueChart({ name, points, now, start }: ValueChartProps) {
  const shown = useMemo(() => {
    const last = points.at(-1);
    return last === undefined ? [] : [...points, { at: Math.max(serviceNowMs(), last.at + 1), value: now }];
  }, [points, now]);
  const data = useMemo<ChartData>(
    () => ({
      times: shown.map(({ at }) => at / 1000),
      lines: [
        { label: 'Start', values: shown.map(() => start), kind: 'line', color: '--field-line' },
        { label: name, values: shown.map(({ value }) => value), kind: 'steps', color: '--accent' },
      ],
      spanS: SPAN_S_MIN,
      valueText: axisMoneyText,
    }),
    [shown, name, start],
  );
  const rowOf = ({ at, value }: ValuePoint): readonly string[] => [
    timeText(new Date(at).toISOString()),
    moneyText(value),
  ];
  const pointText = (index: number): string => (shown[index] === undefined ? '' : rowOf(shown[index]).join(': '));
  return (
    <Chart
      label={`Chart: ${name} from ${moneyText(shown[0]?.value ?? null)} to ${moneyText(now)}; it began with ${moneyText(start)}`}
      data={data}
      pointText={pointText}
      restText={pointText(shown.length - 1)}
    >
      <p class="quiet">
        Cash, and shares at the marks of each moment. The even line is the {moneyText(start)} of the start.
      </p>
      <FigureTable summary="The chart as a table" columns={['Time', name]} rows={() => shown.toReversed().map(rowOf)} />
    </Chart>
  );
}
