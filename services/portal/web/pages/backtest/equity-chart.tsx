import type { BacktestReportBody } from '@paper/contracts/backtests';
import { useMemo } from 'preact/hooks';
import { gainText } from '../../ui/format.ts';
import { ValueChart } from '../../ui/value-chart.tsx';
import { Section } from '../../ui/section.tsx';

type Point = BacktestReportBody['participants'][number]['equity'][number];

const BASELINES = {
  nothing: { label: 'doing nothing', color: '--field-line' },
  hold_yes: { label: 'holding Yes', color: '--yes' },
  hold_no: { label: 'holding No', color: '--no' },
} as const;

export interface EquityChartProps {
  readonly equity: readonly Point[];
  readonly start: number;
  readonly baselines: BacktestReportBody['baselines'];
}

/** A baseline that is further away than this many times the largest gain or loss would flatten the chart. */
const FAR = 5;

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
    <Section title="Equity" class="card">
      <ValueChart name="Equity" points={points} start={start} levels={levels}>
        Where others would have ended, as even lines where they are near:{' '}
        {known.map(({ label, pnl }) => `${label} ${gainText(pnl)}`).join(', ')}.
      </ValueChart>
    </Section>
  );
}
