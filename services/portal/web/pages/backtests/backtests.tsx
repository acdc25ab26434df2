import type { BacktestBody } from '@paper/contracts/backtests';
import { Link } from 'wouter-preact';
import { useRead } from '../../data/api/use-read.ts';
import { OnlySignedIn } from '../../data/people/only-signed-in.tsx';
import { Time } from '../../ui/figures.tsx';
import { timeText } from '../../ui/format.ts';
import { ReadNotice } from '../../ui/notice.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table.tsx';
import { stateText } from './state-text.ts';

const EVERY_MS = 5_000;

export default function Backtests() {
  return (
    <>
      <h1>Backtests</h1>
      <p>
        A backtest plays recorded markets into an exchange of its own. Your bot trades there with another address and
        key, on a clock that waits for it. The live markets know nothing of it.
      </p>
      <OnlySignedIn>{() => <List />}</OnlySignedIn>
    </>
  );
}

const COLUMNS: readonly Column<BacktestBody>[] = [
  { name: 'Recording', cell: ({ id, tape }) => <Link href={`/backtests/${encodeURIComponent(id)}`}>{tape}</Link> },
  { name: 'Started', cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    name: 'State',
    cell: (backtest) => (
      <>
        {stateText(backtest)}
        {backtest.clock !== null && <span class="order-more">at {timeText(backtest.clock)}</span>}
      </>
    ),
  },
];

function List() {
  const { data, error } = useRead<{ readonly backtests: readonly BacktestBody[] }>('/portal/as/me/backtests', {
    everyMs: EVERY_MS,
  });
  return (
    <>
      <p class="quiet">
        To start one, run <code>npm run backtest -- made-news -- node my-bot.js</code>, or call{' '}
        <code>POST /api/backtests</code> with the key of your bot: <Link href="/developers">Developers</Link> has it.
      </p>
      <ReadNotice data={data} error={error} />
      <Table
        caption="Your backtests, the newest first"
        columns={COLUMNS}
        rows={data?.backtests ?? null}
        keyOf={({ id }) => id}
        empty="There is none. A bot starts one, or npm run backtest does."
      />
    </>
  );
}
