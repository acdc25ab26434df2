import { useMemo, useState } from 'preact/hooks';
import { Chart } from '../../ui/chart.tsx';
import type { ChartData } from '../../ui/chart-options.ts';
import { FigureTable } from '../../ui/figure-table.tsx';
import { timeText, moneyText } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { Segments } from '../../ui/segments.tsx';
import type { EquityPoint } from './equity.ts';
import { useEquity } from './use-equity.ts';

export interface EquityPanelProps {
  readonly accountId: string;
  /** Whether there are other accounts, whose sum can be shown instead. */
  readonly hasFleet: boolean;
  readonly version: number;
}

const SCOPES = [
  { value: 'account', text: 'This account' },
  { value: 'fleet', text: 'Whole fleet' },
] as const;

/** The chart of cash and equity, with its figures as a table. */
export function EquityPanel({ accountId, hasFleet, version }: EquityPanelProps) {
  const [scope, setScope] = useState<'account' | 'fleet'>('account');
  const { error, isWhole, points } = useEquity(scope === 'fleet' ? null : accountId, version);
  const data = useMemo(() => chartOf(points), [points]);
  return (
    <section class="card equity" aria-labelledby="equity-heading">
      <div class="panel-head">
        <h2 id="equity-heading">Equity</h2>
        {hasFleet && <Segments label="Equity of" hideLabel value={scope} options={SCOPES} onValue={setScope} />}
      </div>
      {error !== null && <Notice kind="error">{error.message}</Notice>}
      {!isWhole && <Notice kind="info">The chart has the first 20,000 movements of the ledger.</Notice>}
      <Chart
        label={summaryOf(points)}
        data={data}
        pointText={(index) => pointText(points[index])}
        restText={pointText(points.at(-1))}
      >
        <p class="quiet">
          From the ledger: after each movement of cash or shares. Shares count at the price of your own last trade in
          their market.
        </p>
        <FigureTable summary="Equity as a table" columns={COLUMNS} rows={() => rowsOf(points)} />
      </Chart>
    </section>
  );
}

function chartOf(points: readonly EquityPoint[]): ChartData {
  return {
    times: points.map(({ at }) => at / 1000),
    lines: [
      { label: 'Cash', values: points.map(({ cash }) => cash), kind: 'line', color: '--field-line' },
      { label: 'Equity', values: points.map(({ equity }) => equity), kind: 'area', color: '--accent' },
    ],
    spanS: 300,
    valueText: (value) => axisMoney.format(value),
  };
}

const axisMoney = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

function pointText(point: EquityPoint | undefined): string {
  if (point === undefined) return '';
  const { at, cash, equity } = point;
  return `${timeText(new Date(at).toISOString())}: equity ${moneyText(equity)}, cash ${moneyText(cash)}`;
}

function summaryOf(points: readonly EquityPoint[]): string {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return 'Chart of the equity: the ledger is being read';
  return `Chart of the equity: from ${moneyText(first.equity)} to ${moneyText(last.equity)}, cash ${moneyText(last.cash)}`;
}

const COLUMNS = ['Time', 'Equity', 'Cash'];

/** The points as rows of a table, newest first. */
function rowsOf(points: readonly EquityPoint[]): readonly (readonly string[])[] {
  return points
    .toReversed()
    .map(({ at, cash, equity }) => [timeText(new Date(at).toISOString()), moneyText(equity), moneyText(cash)]);
}
