import type { LeaderboardEntryBody } from '@paper/contracts/accounts';
import { LEADERBOARD_READ } from '../../../src/pages/paths.ts';
import { useRead } from '../../data/api/use-read.ts';
import { useSession } from '../../data/session/session.tsx';
import { Gain, Money } from '../../ui/figures.tsx';
import { countText } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table.tsx';

/** The ranking is made every two seconds; this is often enough for people to see it move. */
const EVERY_MS = 5_000;

/** The ranking of accounts by the value of their portfolio. A row leads to nothing private. */
export default function Leaderboard() {
  const { data, error } = useRead<readonly LeaderboardEntryBody[]>(LEADERBOARD_READ, { everyMs: EVERY_MS });
  const accountId = useSession().person?.accountId;
  return (
    <>
      <h1>Leaderboard</h1>
      <p class="quiet">
        The first 100 accounts by cash and positions at their marks. An account is ranked from its first trade on; of
        sub-accounts, the two that were opened first. House accounts, closed ones and those with another starting
        balance are left out.
      </p>
      {error !== null && <Notice kind="error">{error.message}</Notice>}
      {data === null && error === null && <p class="quiet">Loading …</p>}
      <Table
        caption="Accounts by portfolio value"
        columns={columnsFor(accountId)}
        rows={data}
        keyOf={({ id }) => id}
        isOwn={({ id }) => id === accountId}
        empty="No account is ranked yet."
      />
    </>
  );
}

function columnsFor(accountId: string | undefined): readonly Column<LeaderboardEntryBody>[] {
  return [
    { name: 'Rank', isFigure: true, cell: ({ rank }) => rank },
    {
      name: 'Trader',
      cell: ({ displayName, id }) => (
        <>
          {displayName}
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
