import type { BacktestReportBody } from '@paper/contracts/backtests';
import { useMemo } from 'preact/hooks';
import { gainText } from '../../ui/format.ts';
import { ValueChart } from '../../ui/value-chart.tsx';

type Point = BacktestReportBody['participants'][number]['equity'][number];

const BASELINES = {
  nothing: { label: 'doing nothing', color: '--field-line' },
  hold_yes: { label: 'holding Yes', color: '--yes' },
  hold_no: { label: 'holding No', color: '--no' },
} as const;

export interface EquityChartProps {
  readonly equity: readonly Point[];
  /** Dollars at the start, which doing nothing keeps. */
  readonly start: number;
  readonly baselines: BacktestReportBody['baselines'];
}

/** A baseline further away than so many times the largest gain or loss would flatten the equity: it is told, not drawn. */
const FAR = 5;

/** The equity of a participant, beside where others would have ended: each as an even line. */
export function EquityChart({ equity, start, baselines }: EquityChartProps) {
  const known = baselines.flatMap(({ name, pnl }) => (pnl === null ? [] : [{ ...BASELINES[name], pnl }]));
  const points = useMemo(() => equity.map((point) => ({ at: Date.parse(point.at), value: point.equity })), [equity]);
  const levels = useMemo(() => {
    const most = Math.max(...points.map(({ value }) => Math.abs(value - start)));
    return known
      .filter(({ pnl }) => pnl !== 0 && Math.abs(pnl) <= FAR * most)
      .map(({ pnl, ...line }) => ({ ...line, value: start + pnl }));
  }, [points, start, baselines]);
  return (
    <section class="card" aria-labelledby="equity-heading">
      <h2 id="equity-heading">Equity</h2>
      <ValueChart name="Equity" points={points} start={start} levels={levels}>
        Where others would have ended, as even lines where they are near:{' '}
        {known.map(({ label, pnl }) => `${label} ${gainText(pnl)}`).join(', ')}.
      </ValueChart>
    </section>
  );
}
