import type { SubAccountBody } from '@paper/contracts/accounts';
import { DAY_MS } from '@paper/contracts/units';
import { useEffect, useState } from 'preact/hooks';
import { whenIdle } from '../../base/when-idle.ts';
import { Notice } from '../../ui/notice.tsx';
import { Segments } from '../../ui/segments.tsx';
import { ValueChart } from '../../ui/value-chart.tsx';
import { roundedToCents } from './live-positions.ts';
import { useEquity } from './use-equity.ts';

export interface EquityPanelProps {
  readonly accountId: string;
  /** In dollars: the starting balance, and the present value. */
  readonly start: number;
  readonly equity: number;
  readonly subAccounts: readonly SubAccountBody[] | undefined;
  readonly hasFleet: boolean;
  readonly isReady: boolean;
}

const SCOPES = [
  { value: 'account', text: 'This account' },
  { value: 'fleet', text: 'Whole fleet' },
] as const;

const SPANS_MS = { '1D': DAY_MS, '1W': 7 * DAY_MS, '1M': 30 * DAY_MS, All: null } as const;
const RANGES = (['1D', '1W', '1M', 'All'] as const).map((value) => ({ value, text: value }));

export function EquityPanel({ accountId, start, equity, subAccounts = [], hasFleet, isReady }: EquityPanelProps) {
  const [scope, setScope] = useState<'account' | 'fleet'>('account');
  const [range, setRange] = useState<keyof typeof SPANS_MS>('All');
  const others = scope === 'fleet' ? subAccounts : [];
  const { error, points } = useEquity([accountId, ...others.map(({ id }) => id)], SPANS_MS[range], isReady);
  const now = useValueWhenIdle(
    roundedToCents(others.reduce((sum, { portfolioValue }) => sum + portfolioValue, equity)),
  );
  const began = others.reduce((sum, { pnl, portfolioValue }) => sum + portfolioValue - pnl, start);
  return (
    <section class="card equity" aria-labelledby="equity-heading">
      <div class="panel-head">
        <h2 id="equity-heading">Equity over time</h2>
        {hasFleet && <Segments label="Equity of" value={scope} options={SCOPES} onValue={setScope} />}
        <Segments label="Time shown" value={range} options={RANGES} onValue={setRange} />
      </div>
      {error !== null && (
        <Notice kind="error">
          {error.code === 'account_not_found'
            ? 'There is a chart only of accounts that are open and began with the usual balance.'
            : error.message}
        </Notice>
      )}
      <ValueChart name="Equity" points={points} now={now} start={began} />
    </section>
  );
}

/** The value, once the page is idle: new prices change many rows, which must not wait for the chart. */
function useValueWhenIdle(value: number): number {
  const [shown, setShown] = useState(value);
  useEffect(() => whenIdle(() => setShown(value)), [value]);
  return shown;
}
