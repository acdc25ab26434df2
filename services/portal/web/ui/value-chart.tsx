import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { serviceNowMs } from '../base/service-clock.ts';
import type { ChartData } from './chart-data.ts';
import { Chart } from './chart.tsx';
import { FigureTable } from './figure-table.tsx';
import { axisMoneyText, moneyText, timeText } from './format.ts';

export interface ValuePoint {
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  /** Dollars. */
  readonly value: number;
}

export interface ValueChartProps {
  /** The name of the value, such as `Equity`. */
  readonly name: string;
  readonly points: readonly ValuePoint[];
  /** The present value, drawn at the present time. Default: the chart ends with its last point. */
  readonly now?: number;
  readonly start: number;
  /** Further even lines, each in the color of a CSS custom property. */
  readonly levels?: readonly { readonly label: string; readonly value: number; readonly color: string }[];
  readonly children?: ComponentChildren;
}

/** The shortest time that the chart spans, for accounts that have just been opened. */
const SPAN_S_MIN = 300;
const NO_LEVELS: NonNullable<ValueChartProps['levels']> = [];

export function ValueChart({ name, points, now, start, levels = NO_LEVELS, children }: ValueChartProps) {
  const shown = useMemo(() => {
    const last = points.at(-1);
    if (last === undefined || now === undefined) return points;
    return [...points, { at: Math.max(serviceNowMs(), last.at + 1), value: now }];
  }, [points, now]);
  const data = useMemo<ChartData>(
    () => ({
      times: shown.map(({ at }) => at / 1000),
      lines: [
        ...[{ label: 'Start', value: start, color: '--field-line' }, ...levels].map(({ value, ...line }) => ({
          ...line,
          values: shown.map(() => value),
          kind: 'line' as const,
        })),
        { label: name, values: shown.map(({ value }) => value), kind: 'steps', color: '--accent' },
      ],
      spanS: SPAN_S_MIN,
      valueText: axisMoneyText,
    }),
    [shown, name, start, levels],
  );
  const rowOf = ({ at, value }: ValuePoint): readonly string[] => [
    timeText(new Date(at).toISOString()),
    moneyText(value),
  ];
  const pointText = (index: number): string => (shown[index] === undefined ? '' : rowOf(shown[index]).join(': '));
  const ends = [shown[0]?.value, shown.at(-1)?.value ?? now].map((value) => moneyText(value ?? null));
  return (
    <Chart
      label={`Chart: ${name} from ${ends.join(' to ')}; it began with ${moneyText(start)}`}
      data={data}
      pointText={pointText}
      restText={pointText(shown.length - 1)}
    >
      <p class="quiet">
        {children ?? (
          <>Cash, and shares at the marks of each moment. The even line is the {moneyText(start)} of the start.</>
        )}
      </p>
      <FigureTable summary="The chart as a table" columns={['Time', name]} rows={() => shown.toReversed().map(rowOf)} />
    </Chart>
  );
}
