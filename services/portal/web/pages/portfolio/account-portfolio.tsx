import type { PortfolioBody, PositionBody } from '@paper/contracts/portfolio';
import type { ComponentChildren } from 'preact';
import { useCallback, useMemo, useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useRead } from '../../data/api/use-read.ts';
import { useTitle } from '../../base/use-title.ts';
import { useAccount } from '../../data/session/use-account.ts';
import { useLive } from '../../live/use-live.ts';
import { isOpen } from '../../data/orders/open-orders.ts';
import OrdersTable from '../../data/orders/orders-table.tsx';
import { Gain, Money } from '../../ui/figures.tsx';
import { LiveBadge } from '../../live/live-badge.tsx';
import { Notice } from '../../ui/notice.tsx';
import { liveRows } from '../../ui/row-window.ts';
import type { RowRange } from '../../ui/row-window.ts';
import { Section } from '../../ui/section.tsx';
import { useThrottled } from '../../ui/use-throttled.ts';
import { EquityPanel } from './equity-panel.tsx';
import { FleetTable } from './fleet-table.tsx';
import { liveTotals } from './live-positions.ts';
import { Settled, Trades } from './past-trades.tsx';
import { Positions, rounded } from './positions.tsx';

export interface AccountPortfolioProps {
  /** The account that is shown: the person's own, or a sub-account of theirs. */
  readonly accountId: string;
  readonly isOwn: boolean;
}

/** Marks of markets that are off the screen are as old as this at most. */
const EVERY_MS = 15_000;
/** After events of the account the portfolio and the ledger are read again this often at most. */
const PORTFOLIO_MS = 1_000;
const LEDGER_MS = 5_000;
/** Positions that are followed live: those on a tall screen and some around them. */
const LIVE_ROWS = 80;

/** Cash, positions, orders and results of one account. A sub-account's can only be looked at. */
export function AccountPortfolio({ accountId, isOwn }: AccountPortfolioProps) {
  const account = useAccount();
  const version = useThrottled(account.version, PORTFOLIO_MS);
  const ledgerVersion = useThrottled(account.version, LEDGER_MS);
  const path = `/portal/as/${isOwn ? 'me' : encodeURIComponent(accountId)}/portfolio`;
  const { data, error, reload } = useRead<PortfolioBody>(path, { everyMs: EVERY_MS, version });
  const name = data?.summary.displayName ?? null;
  useTitle(isOwn || name === null ? null : `Portfolio of ${name}`);
  return (
    <>
      <div class="page-head">
        <h1>{isOwn || name === null ? 'Portfolio' : `Portfolio of ${name}`}</h1>
        {isOwn && <LiveBadge state={account.state} />}
      </div>
      {!isOwn && (
        <p class="quiet">
          A sub-account: it is traded with a key of its own. <Link href="/portfolio">Back to your portfolio</Link>
        </p>
      )}
      {error !== null && <Notice kind="error">{error.message}</Notice>}
      {data === null && error === null && <p class="quiet">Loading …</p>}
      {data !== null && (
        <Loaded portfolio={data} accountId={accountId} isOwn={isOwn} ledgerVersion={ledgerVersion} onChange={reload} />
      )}
    </>
  );
}

interface LoadedProps extends AccountPortfolioProps {
  readonly portfolio: PortfolioBody;
  readonly ledgerVersion: number;
  readonly onChange: () => void;
}

function Loaded({ portfolio, accountId, isOwn, ledgerVersion, onChange }: LoadedProps) {
  const { fleetSummary, positions, summary } = portfolio;
  const { onRange, pulses } = useLiveMarks(positions);
  const totals = useMemo(() => liveTotals(summary, positions, pulses), [summary, positions, pulses]);
  const hasFleet = fleetSummary !== null;
  // Each pulse changes the figures and the positions. An element that is the same as before is not rendered again.
  const fleet = useMemo(
    () =>
      fleetSummary !== null && (
        <Section title="Fleet">
          <FleetTable fleet={fleetSummary} />
        </Section>
      ),
    [fleetSummary],
  );
  const equity = useMemo(
    () => <EquityPanel accountId={accountId} hasFleet={hasFleet} version={ledgerVersion} />,
    [accountId, hasFleet, ledgerVersion],
  );
  const others = useMemo(
    () => <OrdersAndResults portfolio={portfolio} accountId={isOwn ? accountId : null} onChange={onChange} />,
    [portfolio, accountId, isOwn, onChange],
  );
  return (
    <>
      <dl class="market-figures">
        <Figure name="Portfolio">
          <Money amount={rounded(totals.portfolioValue)} />
        </Figure>
        <Figure name="Cash">
          <Money amount={summary.cash} />
        </Figure>
        <Figure name="Positions">
          <Money amount={rounded(totals.positionsValue)} />
        </Figure>
        <Figure name="Total P&L">
          <Gain amount={rounded(totals.pnl)} />
        </Figure>
        <Figure name="P&L of positions">
          <Gain amount={rounded(totals.unrealizedPnl)} />
        </Figure>
      </dl>
      {fleet}
      {equity}
      <Section title="Positions">
        <Positions positions={positions} pulses={pulses} onRange={onRange} />
      </Section>
      {others}
    </>
  );
}

interface OrdersAndResultsProps {
  readonly portfolio: PortfolioBody;
  /** The account whose orders the person may change; null: they are read-only. */
  readonly accountId: string | null;
  readonly onChange: () => void;
}

function OrdersAndResults({ portfolio: { orders, settled, trades }, accountId, onChange }: OrdersAndResultsProps) {
  const open = orders.filter(isOpen);
  return (
    <>
      <Section title="Open orders">
        {open.length === 0 ? (
          <p class="quiet">No order is open.</p>
        ) : (
          <OrdersTable
            caption="Orders that rest in a book"
            orders={open}
            accountId={accountId}
            above={({ market, marketId }) => (
              <Link href={`/markets/${encodeURIComponent(marketId)}`}>{market.title}</Link>
            )}
            onChange={onChange}
          />
        )}
      </Section>
      <Section title="Trades">
        <Trades trades={trades} />
      </Section>
      <Section title="Settled">
        <Settled settled={settled} />
      </Section>
    </>
  );
}

function Figure({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Follows the markets of the positions on the screen. */
function useLiveMarks(positions: readonly PositionBody[]) {
  const [range, setRange] = useState<RowRange>({ from: 0, to: LIVE_ROWS });
  const count = useRef(positions.length);
  count.current = positions.length;
  const onRange = useCallback(
    (shown: RowRange): void => setRange((before) => liveRows(before, shown, count.current, LIVE_ROWS)),
    [],
  );
  const ids = new Set(positions.slice(range.from, range.to).map(({ marketId }) => marketId));
  const { markets } = useLive([...ids]);
  return { onRange, pulses: markets };
}
