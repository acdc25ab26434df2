import type { SubAccountBody } from '@paper/contracts/accounts';
import { DAY_MS } from '@paper/contracts/units';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { whenIdle } from '../../base/when-idle.ts';
import { serviceNowMs } from '../../base/service-clock.ts';
import { Chart } from '../../ui/chart.tsx';
import type { ChartData } from '../../ui/chart-data.ts';
import { FigureTable } from '../../ui/figure-table.tsx';
import { axisMoneyText, moneyText, timeText } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { Segments } from '../../ui/segments.tsx';
import type { EquityPoint } from './equity.ts';
import { rounded } from './live-positions.ts';
import { useEquity } from './use-equity.ts';

export interface EquityPanelProps {
  readonly accountId: string;
  /** What the account began with, and what it is worth now, in dollars. */
  readonly start: number;
  readonly equity: number;
  /** The other accounts of the fleet, whose sum with this one can be shown instead. */
  readonly subAccounts: readonly SubAccountBody[] | undefined;
  readonly isReady: boolean;
}

const SCOPES = [
  { value: 'account', text: 'This account' },
  { value: 'fleet', text: 'Whole fleet' },
] as const;

const SPANS_MS = { '1D': DAY_MS, '1W': 7 * DAY_MS, '1M': 30 * DAY_MS, All: null } as const;
const RANGES = (['1D', '1W', '1M', 'All'] as const).map((value) => ({ value, text: value }));

/** The chart of the equity, with its figures as a table. Its last point is what the account is worth now. */
export function EquityPanel({ accountId, start, equity, subAccounts = [], isReady }: EquityPanelProps) {
  const [scope, setScope] = useState<'account' | 'fleet'>('account');
  const [range, setRange] = useState<keyof typeof SPANS_MS>('All');
  const others = scope === 'fleet' ? subAccounts : [];
  const { error, points } = useEquity([accountId, ...others.map(({ id }) => id)], SPANS_MS[range], isReady);
  const now = useLater(rounded(others.reduce((sum, { portfolioValue }) => sum + portfolioValue, equity)));
  const began = others.reduce((sum, { pnl, portfolioValue }) => sum + portfolioValue - pnl, start);
  const shown = useMemo(() => withNow(points, now), [points, now]);
  const data = useMemo(() => chartOf(shown, began), [shown, began]);
  return (
    <section class="card equity" aria-labelledby="equity-heading">
      <div class="panel-head">
        <h2 id="equity-heading">Equity over time</h2>
        {subAccounts.length > 0 && (
          <Segments label="Equity of" hideLabel value={scope} options={SCOPES} onValue={setScope} />
        )}
        <Segments label="Time shown" hideLabel value={range} options={RANGES} onValue={setRange} />
      </div>
      {error !== null && (
        <Notice kind="error">
          {error.code === 'account_not_found'
            ? 'There is a chart only of accounts that are open and began with the usual balance.'
            : error.message}
        </Notice>
      )}
      <Chart
        label={summaryOf(shown, began)}
        data={data}
        pointText={(index) => pointText(shown[index])}
        restText={pointText(shown.at(-1))}
      >
        <p class="quiet">
          Cash, and shares at the marks of each moment. The even line is the {moneyText(began)} of the start.
        </p>
        <FigureTable summary="Equity as a table" columns={COLUMNS} rows={() => rowsOf(shown)} />
      </Chart>
    </section>
  );
}

/** A value once the rest of the page has shown it: a pulse changes many rows, and is not to wait for the chart too. */
function useLater(value: number): number {
  const [shown, setShown] = useState(value);
  useEffect(() => whenIdle(() => setShown(value)), [value]);
  return shown;
}

/** The points until now, by the service's clock. */
function withNow(points: readonly EquityPoint[], value: number): readonly EquityPoint[] {
  const last = points.at(-1);
  return last === undefined ? points : [...points, { at: Math.max(serviceNowMs(), last.at + 1), value }];
}

function chartOf(points: readonly EquityPoint[], began: number): ChartData {
  return {
    times: points.map(({ at }) => at / 1000),
    lines: [
      { label: 'Start', values: points.map(() => began), kind: 'line', color: '--field-line' },
      { label: 'Equity', values: points.map(({ value }) => value), kind: 'steps', color: '--accent' },
    ],
    spanS: 300,
    valueText: axisMoneyText,
  };
}

function pointText(point: EquityPoint | undefined): string {
  return point === undefined ? '' : rowOf(point).join(': ');
}

function summaryOf(points: readonly EquityPoint[], began: number): string {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return 'Chart of the equity: it is being read';
  return `Chart of the equity: from ${moneyText(first.value)} to ${moneyText(last.value)}; it began with ${moneyText(began)}`;
}

const COLUMNS = ['Time', 'Equity'];

const rowOf = ({ at, value }: EquityPoint): readonly string[] => [
  timeText(new Date(at).toISOString()),
  moneyText(rounded(value)),
];

/** The points as rows of a table, newest first. */
function rowsOf(points: readonly EquityPoint[]): readonly (readonly string[])[] {
  return points.toReversed().map(rowOf);
}
