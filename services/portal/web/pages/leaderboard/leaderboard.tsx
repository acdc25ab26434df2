import type { LeaderboardEntryBody } from '@paper/contracts/accounts';
import { Link } from 'wouter-preact';
import { LEADERBOARD_READ } from '../../../src/pages/paths.ts';
import { useRead } from '../../data/api/use-read.ts';
import { useSession } from '../../data/session/session.tsx';
import { Gain, Money } from '../../ui/figures.tsx';
import { countText, NO_FIGURE } from '../../ui/format.ts';
import { ReadNotice } from '../../ui/notice.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table.tsx';

/** The ranking changes every two seconds, but people need it less often. */
const EVERY_MS = 5_000;
/** Searched for the signed-in person's row if the first 100 rows lack it. */
const MORE_READ = '/api/leaderboard?limit=500';

interface Row extends Partial<LeaderboardEntryBody> {
  /** Whether this is the person's own row above all others; it has no figures until they are known. */
  readonly isPinned?: boolean;
}

export default function Leaderboard() {
  const { data, error } = useRead<readonly LeaderboardEntryBody[]>(LEADERBOARD_READ, { everyMs: EVERY_MS });
  const { info, person } = useSession();
  const accountId = person?.accountId;
  const isOwn = ({ id }: LeaderboardEntryBody): boolean => id === accountId;
  const isShown = data?.some(isOwn) === true;
  const more = useRead<readonly LeaderboardEntryBody[]>(
    accountId === undefined || data === null || isShown ? null : MORE_READ,
    { everyMs: 12 * EVERY_MS },
  );
  const own = (isShown ? data : more.data)?.find(isOwn);
  // Space for the person's row is reserved until the session is known.
  const pinned = info === null || person !== null ? [{ ...own, isPinned: true }] : [];
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
      <div class="board">
        <Table
          caption="Accounts by portfolio value"
          columns={columnsFor(accountId, more.data !== null)}
          rows={rows}
          keyOf={({ id = '', isPinned }) => (isPinned === true ? 'own' : id)}
          isOwn={({ id, isPinned }) => isPinned === true || id === accountId}
          empty="No account is ranked yet."
        />
      </div>
    </>
  );
}

function columnsFor(accountId: string | undefined, isSearched: boolean): readonly Column<Row>[] {
  return [
    { name: 'Rank', isFigure: true, cell: ({ rank = NO_FIGURE }) => rank },
    {
      name: 'Trader',
      cell: ({ displayName, id }) =>
        id === undefined ? (
          isSearched && 'You: your first trade puts you on the list'
        ) : (
          <>
            <Link href={`/traders/${encodeURIComponent(id)}`}>{displayName}</Link>{' '}
            <code class="quiet" title={`The account's id ends with ${id.slice(-4)}`}>
              {id.slice(-4)}
            </code>
            {id === accountId && <span class="tag">you</span>}
          </>
        ),
    },
    { name: 'Portfolio', isFigure: true, cell: ({ portfolioValue = null }) => <Money amount={portfolioValue} /> },
    { name: 'P&L', isFigure: true, cell: ({ pnl }) => (pnl === undefined ? NO_FIGURE : <Gain amount={pnl} />) },
    { name: 'Positions', isFigure: true, cell: ({ openPositions }) => countText(openPositions ?? null) },
    { name: 'Trades', isFigure: true, cell: ({ trades }) => countText(trades ?? null) },
    { name: 'Volume', isFigure: true, cell: ({ volume = null }) => <Money amount={volume} /> },
  ];
}
