import type { TraderBody } from '@paper/contracts/accounts';
import { useMemo } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { traderRead } from '../../../src/pages/paths.ts';
import { useTitle } from '../../base/use-title.ts';
import { useRead } from '../../data/api/use-read.ts';
import { useSession } from '../../data/session/session.tsx';
import { Chart } from '../../ui/chart.tsx';
import type { ChartData } from '../../ui/chart-data.ts';
import { FigureTable } from '../../ui/figure-table.tsx';
import { Gain, Money, Time } from '../../ui/figures.tsx';
import { axisMoneyText, countText, moneyText, timeText } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import type { PageProps } from '../page-props.ts';

const EVERY_MS = 15_000;
/** An account's first minutes are shown in no less than this time. */
const SPAN_S_MIN = 300;

/** The public results of an account: what the journal tells of it, and nothing of who owns it. */
export default function Trader({ params: { id = '' } }: PageProps) {
  const { data, error } = useRead<TraderBody>(traderRead(id), { everyMs: EVERY_MS });
  const isOwn = useSession().person?.accountId === id;
  useTitle(data?.displayName ?? null);
  if (data === null && error?.code === 'account_not_found') {
    return (
      <>
        <h1>No such trader</h1>
        <p>
          No account with public results has this address. Go to the <Link href="/leaderboard">leaderboard</Link>.
        </p>
      </>
    );
  }
  return (
    <>
      <h1>
        {data?.displayName ?? 'Trader'} <code class="quiet">{id.slice(-4)}</code>
        {isOwn && <span class="tag">you</span>}
      </h1>
      {error !== null && <Notice kind="error">{error.message}</Notice>}
      {data === null && error === null && <p class="quiet">Loading …</p>}
      {data !== null && <Results trader={data} />}
      <p>
        <Link href="/leaderboard">All traders</Link> {isOwn && <Link href="/portfolio">Your portfolio</Link>}
      </p>
    </>
  );
}

function Results({ trader }: { readonly trader: TraderBody }) {
  const { equity, openPositions, pnl, portfolioValue, since, trades, volume } = trader;
  const data = useMemo(() => chartOf(equity), [equity]);
  const pointText = (index: number): string => textOf(equity[index]);
  const figures = [
    ['Portfolio value', <Money key="value" amount={portfolioValue} />],
    ['P&L', <Gain key="pnl" amount={pnl} />],
    ['Volume', <Money key="volume" amount={volume} />],
    ['Trades', countText(trades)],
    ['Open positions', countText(openPositions)],
  ] as const;
  return (
    <>
      <p class="quiet">
        Opened <Time at={since} />
      </p>
      <dl class="tiles">
        {figures.map(([name, figure]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="number">{figure}</dd>
          </div>
        ))}
      </dl>
      <section class="card" aria-labelledby="value-heading">
        <h2 id="value-heading">Value over time</h2>
        <Chart
          label={`Chart of the portfolio value: from ${moneyText(equity[0]?.value ?? null)} to ${moneyText(portfolioValue)}`}
          data={data}
          pointText={pointText}
          restText={textOf(equity.at(-1))}
        >
          <FigureTable
            summary="The chart as a table"
            columns={['Time', 'Portfolio value']}
            rows={() => equity.toReversed().map(({ at, value }) => [timeText(at), moneyText(value)])}
          />
        </Chart>
      </section>
    </>
  );
}

type EquityPoint = TraderBody['equity'][number];

function chartOf(equity: readonly EquityPoint[]): ChartData {
  return {
    times: equity.map(({ at }) => Date.parse(at) / 1000),
    lines: [{ label: 'Portfolio value', values: equity.map(({ value }) => value), kind: 'steps', color: '--accent' }],
    spanS: SPAN_S_MIN,
    valueText: axisMoneyText,
  };
}

function textOf(point: EquityPoint | undefined): string {
  return point === undefined ? '' : `${timeText(point.at)}: ${moneyText(point.value)}`;
}
