import type { BacktestReportBody } from '@paper/contracts/backtests';
import { useMemo } from 'preact/hooks';
import { Chart } from '../../ui/chart.tsx';
import type { ChartData } from '../../ui/chart-data.ts';
import { FigureTable } from '../../ui/figure-table.tsx';
import { axisMoneyText, gainText, moneyText, timeText } from '../../ui/format.ts';

type Point = BacktestReportBody['participants'][number]['equity'][number];

const BASELINES = {
  nothing: { text: 'doing nothing', color: '--field-line' },
  hold_yes: { text: 'holding Yes', color: '--yes' },
  hold_no: { text: 'holding No', color: '--no' },
} as const;

export interface EquityChartProps {
  readonly equity: readonly Point[];
  /** Dollars at the start. */
  readonly start: number;
  readonly baselines: BacktestReportBody['baselines'];
}

/** A baseline further away than so many times the largest gain or loss would flatten the equity: it is told, not drawn. */
const FAR = 5;

/** The equity of a participant, beside where others would have ended: each as an even line. */
export function EquityChart({ equity, start, baselines }: EquityChartProps) {
  const known = baselines.flatMap(({ name, pnl }) => (pnl === null ? [] : [{ ...BASELINES[name], pnl }]));
  const data = useMemo((): ChartData => {
    const most = Math.max(...equity.map((point) => Math.abs(point.equity - start)));
    const near = known.filter(({ pnl }) => Math.abs(pnl) <= FAR * most);
    const flat = near.map(({ color, pnl, text }) => ({
      ...{ label: text, color, kind: 'line' as const },
      values: equity.map(() => start + pnl),
    }));
    const own = {
      label: 'Equity',
      values: equity.map((point) => point.equity),
      kind: 'steps',
      color: '--accent',
    } as const;
    const times = equity.map(({ at }) => Date.parse(at) / 1000);
    return { times, lines: [...flat, own], spanS: 60, valueText: axisMoneyText };
  }, [equity, start, baselines]);
  const last = equity.at(-1);
  return (
    <section class="card" aria-labelledby="equity-heading">
      <h2 id="equity-heading">Equity</h2>
      <Chart
        label={`Chart of the equity: from ${moneyText(start)} to ${moneyText(last?.equity ?? null)}`}
        data={data}
        pointText={(index) => pointText(equity[index])}
        restText={pointText(last)}
      >
        <p class="quiet">
          Where others would have ended, as even lines where they are near:{' '}
          {known.map(({ pnl, text }) => `${text} ${gainText(pnl)}`).join(', ')}.
        </p>
        <FigureTable
          summary="Equity as a table"
          columns={['Time', 'Equity']}
          rows={() => equity.toReversed().map((point) => [timeText(point.at), moneyText(point.equity)])}
        />
      </Chart>
    </section>
  );
}

function pointText(point: Point | undefined): string {
  return point === undefined ? '' : `${timeText(point.at)}: ${moneyText(point.equity)}`;
}
