import type { LeaderboardEntryBody } from '@paper/contracts/accounts';
import { Link } from 'wouter-preact';
import { LEADERBOARD_READ } from '../../../src/pages/paths.ts';
import { useRead } from '../../data/api/use-read.ts';
import { useSession } from '../../data/session/session.tsx';
import { Gain, Money } from '../../ui/figures.tsx';
import { countText } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { ReadNotice } from '../../ui/read-notice.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table.tsx';

/** The ranking is made every two seconds; this is often enough for people to see it move. */
const EVERY_MS = 5_000;
/** Where the signed-in person's row is looked for when it is not among the shown ones. */
const MORE_READ = '/api/leaderboard?limit=500';

interface Row extends LeaderboardEntryBody {
  /** The signed-in person's row a second time, above all others. */
  readonly isPinned?: boolean;
}

/** The ranking of accounts by the value of their portfolio. A row leads to what the public journal tells anyway. */
export default function Leaderboard() {
  const { data, error } = useRead<readonly LeaderboardEntryBody[]>(LEADERBOARD_READ, { everyMs: EVERY_MS });
  const accountId = useSession().person?.accountId;
  const isOwn = ({ id }: LeaderboardEntryBody): boolean => id === accountId;
  const isShown = data?.some(isOwn) === true;
  const more = useRead<readonly LeaderboardEntryBody[]>(
    accountId === undefined || data === null || isShown ? null : MORE_READ,
    { everyMs: 12 * EVERY_MS },
  );
  const own = (isShown ? data : more.data)?.find(isOwn);
  // The first row is above all others anyway.
  const pinned = own === undefined || own.id === data?.[0]?.id ? [] : [{ ...own, isPinned: true }];
  const rows: readonly Row[] | null = data === null ? null : [...pinned, ...data];
  return (
    <>
      <h1>Leaderboard</h1>
      <p class="quiet">
        The first 100 accounts by cash and positions at their marks. An account is ranked from its first trade on; of
        sub-accounts, the two that were opened first. House accounts, closed ones and those with another starting
        balance are left out.
      </p>
      <ReadNotice data={data} error={error} />
      {more.data !== null && own === undefined && (
        <Notice kind="info">You are not among the first 500. Your first trade puts you on the list.</Notice>
      )}
      <div class="board">
        <Table
          caption="Accounts by portfolio value"
          columns={columnsFor(accountId)}
          rows={rows}
          keyOf={({ id, isPinned }) => (isPinned === true ? 'own' : id)}
          isOwn={isOwn}
          empty="No account is ranked yet."
        />
      </div>
    </>
  );
}

function columnsFor(accountId: string | undefined): readonly Column<Row>[] {
  return [
    { name: 'Rank', isFigure: true, cell: ({ rank }) => rank },
    {
      name: 'Trader',
      cell: ({ displayName, id }) => (
        <>
          <Link href={`/traders/${encodeURIComponent(id)}`}>{displayName}</Link>{' '}
          <code class="quiet" title={`The account's id ends with ${id.slice(-4)}`}>
            {id.slice(-4)}
          </code>
          {id === accountId && <span class="tag">you</span>}
        </>
      ),
    },
    { name: 'Portfolio', isFigure: true, cell: ({ portfolioValue }) => <Money amount={portfolioValue} /> },
    { name: 'P&L', isFigure: true, cell: ({ pnl }) => <Gain amount={pnl} /> },
    { name: 'Positions', isFigure: true, cell: ({ openPositions }) => countText(openPositions) },
    { name: 'Trades', isFigure: true, cell: ({ trades }) => countText(trades) },
    { name: 'Volume', isFigure: true, cell: ({ volume }) => <Money amount={volume} /> },
  ];
}
