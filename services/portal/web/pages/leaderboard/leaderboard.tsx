import type { LeaderboardEntryBody } from '@paper/contracts';
import { LEADERBOARD_READ } from '../../../src/pages/paths.ts';
import { useRead } from '../../data/api/use-read.ts';
import { useSession } from '../../data/session/session.tsx';
import { Gain, Money } from '../../ui/figures.tsx';
import { countText } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { Cell, Table } from '../../ui/table.tsx';

/** The ranking is made every two seconds; this is often enough for people to see it move. */
const EVERY_MS = 5_000;

const COLUMNS = [
  { name: 'Rank', isFigure: true },
  { name: 'Trader' },
  { name: 'Portfolio', isFigure: true },
  { name: 'P&L', isFigure: true },
  { name: 'Positions', isFigure: true },
  { name: 'Trades', isFigure: true },
  { name: 'Volume', isFigure: true },
] as const;

/** The ranking of accounts by the value of their portfolio. A row leads to nothing private. */
export default function Leaderboard() {
  const { data, error } = useRead<readonly LeaderboardEntryBody[]>(LEADERBOARD_READ, { everyMs: EVERY_MS });
  const { person } = useSession();
  return (
    <>
      <h1>Leaderboard</h1>
      <p class="quiet">
        The first 100 accounts by cash and positions at their marks. House accounts and those with another starting
        balance are left out.
      </p>
      {error !== null && <Notice kind="error">{error.message}</Notice>}
      {data === null && error === null && <p class="quiet">Loading …</p>}
      {data?.length === 0 && <p>No account is ranked yet.</p>}
      {data !== null && data.length > 0 && (
        <Table caption="Accounts by portfolio value" columns={COLUMNS}>
          {data.map((entry) => (
            <tr key={entry.id} class={entry.id === person?.accountId ? 'own' : undefined}>
              <Cell isFigure>{entry.rank}</Cell>
              <Cell>
                {entry.displayName}
                {entry.id === person?.accountId && <span class="tag">you</span>}
              </Cell>
              <Cell isFigure>
                <Money amount={entry.portfolioValue} />
              </Cell>
              <Cell isFigure>
                <Gain amount={entry.pnl} />
              </Cell>
              <Cell isFigure>{countText(entry.openPositions)}</Cell>
              <Cell isFigure>{countText(entry.trades)}</Cell>
              <Cell isFigure>
                <Money amount={entry.volume} />
              </Cell>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}
