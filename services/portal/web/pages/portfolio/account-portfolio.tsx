import type { SubAccountBody } from '@paper/contracts/accounts';
import type { PortfolioBody, PositionBody } from '@paper/contracts/portfolio';
import { useCallback, useMemo, useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useRead } from '../../data/api/use-read.ts';
import { memo } from '../../base/memo.tsx';
import { useTitle } from '../../base/use-title.ts';
import { CodesReminder } from '../../data/people/store-codes.tsx';
import { useAccount } from '../../data/session/use-account.ts';
import { useShowWorth } from '../../data/session/shown-worth.ts';
import { useLive } from '../../live/use-live.ts';
import { isOpen } from '../../data/orders/open-orders.ts';
import { meansOf } from '../../data/orders/means.ts';
import OrdersTable from '../../data/orders/orders-table.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Gain, Money } from '../../ui/figures.tsx';
import { countedText, moneyText, NO_FIGURE } from '../../ui/format.ts';
import { LiveBadge } from '../../live/live-badge.tsx';
import { Notice, ReadNotice } from '../../ui/notice.tsx';
import { FIRST_LIVE, liveRows } from '../../ui/row-window.ts';
import type { RowRange } from '../../ui/row-window.ts';
import { Section } from '../../ui/section.tsx';
import { useThrottled } from '../../ui/use-throttled.ts';
import { EquityPanel } from './equity-panel.tsx';
import { FleetTable } from './fleet-table.tsx';
import { liveTotals, roundedToCents } from './live-positions.ts';
import { Settled, Trades } from './past-trades.tsx';
import { Positions } from './positions.tsx';
import { useDayStart } from './use-equity.ts';

type AccountPortfolioProps = Readonly<{ accountId: string; isOwn: boolean }>;

/** The portfolio is read again this often, for the marks of markets outside of the screen. */
const EVERY_MS = 15_000;
/** A read of the sub-accounts costs as much as 40 others. */
const FLEET_MS = 20_000;
/** Reads after events of the account are at least this far apart. */
const PORTFOLIO_MS = 1_000;
const TRADES_MS = 5_000;
const ORDERS_ID = 'open-orders';

/** An account's value, positions, orders and results; read-only for a sub-account. */
export function AccountPortfolio({ accountId, isOwn }: AccountPortfolioProps) {
  const account = useAccount();
  const version = useThrottled(account.version, PORTFOLIO_MS);
  const tradesVersion = useThrottled(account.version, TRADES_MS);
  const path = `/portal/as/${isOwn ? 'me' : encodeURIComponent(accountId)}`;
  const { data, error, reload } = useRead<PortfolioBody>(`${path}/portfolio`, { everyMs: EVERY_MS, version });
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
      {isOwn && <CodesReminder />}
      <ReadNotice data={data} error={error} />
      {data !== null && (
        <Loaded
          portfolio={data}
          accountId={accountId}
          isOwn={isOwn}
          tradesVersion={tradesVersion}
          tradesPath={`${path}/fills?limit=200`}
          onChange={reload}
        />
      )}
    </>
  );
}

interface LoadedProps extends AccountPortfolioProps {
  readonly portfolio: PortfolioBody;
  readonly tradesPath: string;
  readonly tradesVersion: number;
  readonly onChange: () => void;
}

function Loaded({ portfolio, accountId, isOwn, tradesPath, tradesVersion, onChange }: LoadedProps) {
  const { fleetSummary, orders, positions, settled, summary } = portfolio;
  const { onRange, pulses } = useLiveMarks(positions);
  const totals = useMemo(() => liveTotals(summary, positions, pulses), [summary, positions, pulses]);
  const worth = useMemo(() => (isOwn ? { ...totals, cash: summary.cash } : null), [isOwn, totals, summary]);
  useShowWorth(worth);
  const dayStart = useDayStart(accountId);
  const open = useMemo(() => orders.filter(isOpen), [orders]);
  const fleet = useRead<{ readonly subAccounts: readonly SubAccountBody[] }>(
    fleetSummary === null ? null : '/portal/sub-accounts',
    { everyMs: FLEET_MS },
  );
  const subAccounts = fleet.data?.subAccounts;
  const isEmpty = orders.length + positions.length + settled.length === 0;
  const fleetSection = fleetSummary !== null && (
    <Section title="Fleet">
      <FleetTable
        own={{ ...totals, cash: summary.cash }}
        subAccounts={subAccounts}
        count={fleetSummary.subAccountCount}
      />
    </Section>
  );
  return (
    <>
      <Amounts dayStart={dayStart ?? null} totals={totals} portfolio={portfolio} />
      {isEmpty ? (
        <>
          <FirstStep isOwn={isOwn} cash={summary.cash} />
          {fleetSection}
        </>
      ) : (
        <>
          <EquityPanel
            accountId={accountId}
            start={summary.startingBalance}
            equity={totals.portfolioValue}
            subAccounts={subAccounts}
            hasFleet={fleetSummary !== null}
            isReady={dayStart !== undefined}
          />
          {fleet.error !== null && <Notice kind="error">{fleet.error.message}</Notice>}
          {fleetSection}
          <Section title="Positions">
            <Positions
              portfolio={portfolio}
              accountId={isOwn ? accountId : null}
              pulses={pulses}
              onRange={onRange}
              onChange={onChange}
            />
          </Section>
          <OrdersAndResults
            open={open}
            settled={settled}
            tradesPath={tradesPath}
            tradesVersion={tradesVersion}
            accountId={isOwn ? accountId : null}
            onChange={onChange}
          />
        </>
      )}
    </>
  );
}

interface AmountsProps {
  readonly dayStart: number | null;
  readonly totals: ReturnType<typeof liveTotals>;
  readonly portfolio: PortfolioBody;
}

function Amounts({ dayStart, totals: { pnl, portfolioValue }, portfolio }: AmountsProps) {
  const { free, reserved, reservedBy: by } = meansOf(portfolio, '');
  return (
    <Facts
      as="tiles"
      of={{
        Equity: <Money amount={roundedToCents(portfolioValue)} />,
        'Total P&L': <Gain amount={roundedToCents(pnl)} />,
        'P&L today': dayStart === null ? NO_FIGURE : <Gain amount={roundedToCents(portfolioValue - dayStart)} />,
        Cash: <Money amount={portfolio.summary.cash} />,
        Free: <Money amount={free} />,
        Reserved: (
          <>
            <Money amount={reserved} />
            {by > 0 && (
              <a class="figure-more" href={`#${ORDERS_ID}`}>
                by {countedText(by, 'order')}
              </a>
            )}
          </>
        ),
      }}
    />
  );
}

function FirstStep({ isOwn, cash }: { readonly isOwn: boolean; readonly cash: number }) {
  return (
    <Section title="Nothing is traded yet">
      {isOwn ? (
        <p>
          You have {moneyText(cash)} of simulated money. Choose a market, say Yes or No and an amount: what you buy is
          then here, with what it is worth.
        </p>
      ) : (
        <p>This sub-account has {moneyText(cash)} of simulated money. A program trades it with a key of its own.</p>
      )}
      <div class="actions">
        <Link class="button main" href={isOwn ? '/' : '/developers'}>
          {isOwn ? 'Choose a market' : 'Make a key'}
        </Link>
      </div>
    </Section>
  );
}

interface OrdersAndResultsProps extends Pick<LoadedProps, 'tradesPath' | 'tradesVersion' | 'onChange'> {
  readonly open: PortfolioBody['orders'];
  readonly settled: PortfolioBody['settled'];
  readonly accountId: string | null;
}

/** The orders and results, which a pulse (new prices) does not change and therefore does not render. */
const OrdersAndResults = memo((props: OrdersAndResultsProps) => {
  const { open, settled, tradesPath, tradesVersion, accountId, onChange } = props;
  return (
    <>
      <div id={ORDERS_ID}>
        <Section title="Open orders">
          <OrdersTable
            caption="Orders that rest in a book"
            empty="No order is open."
            orders={open}
            accountId={accountId}
            above={({ market, marketId }) => (
              <Link href={`/markets/${encodeURIComponent(marketId)}`}>{market.title}</Link>
            )}
            onChange={onChange}
          />
        </Section>
      </div>
      <Section title="Trades">
        <Trades path={tradesPath} version={tradesVersion} />
      </Section>
      {settled.length > 0 && (
        <Section title="Settled">
          <Settled settled={settled} />
        </Section>
      )}
    </>
  );
});

function useLiveMarks(positions: readonly PositionBody[]) {
  const [range, setRange] = useState(FIRST_LIVE);
  const count = useRef(positions.length);
  count.current = positions.length;
  const onRange = useCallback(
    (shown: RowRange): void => setRange((before) => liveRows(before, shown, count.current)),
    [],
  );
  const ids = new Set(positions.slice(range.from, range.to).map(({ marketId }) => marketId));
  const { markets } = useLive([...ids]);
  return { onRange, pulses: markets };
}
