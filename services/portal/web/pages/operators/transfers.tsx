import { DAY_MS } from '@paper/contracts/units';
import type { OneSidedTransferBody } from '@paper/contracts/operator';
import { useState } from 'preact/hooks';
import { useRead } from '../../data/api/use-read.ts';
import { Choice } from '../../ui/field.tsx';
import { Money, Time } from '../../ui/figures.tsx';
import { countText } from '../../ui/format.ts';
import { ReadNotice } from '../../ui/notice.tsx';
import { Section } from '../../ui/section.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table.tsx';
import { operatorPath } from './operator-calls.ts';

const COLUMNS: readonly Column<OneSidedTransferBody>[] = [
  { name: 'From', cell: ({ from }) => <Party {...from} /> },
  { name: 'To', cell: ({ to }) => <Party {...to} /> },
  { name: 'Moved', isFigure: true, cell: ({ amount }) => <Money amount={amount} /> },
  { name: 'Trades', isFigure: true, cell: ({ trades }) => countText(trades) },
  { name: 'Shares', isFigure: true, cell: ({ shares }) => countText(shares) },
  { name: 'Last trade', cell: ({ lastTradeAt }) => <Time at={lastTradeAt} /> },
];

const DAYS = [
  { value: '1', text: 'Last day' },
  { value: '7', text: 'Last 7 days' },
  { value: '30', text: 'Last 30 days' },
] as const;

/** Pairs of accounts whose trades with each other moved more than $1,000 in one direction. */
export function Transfers() {
  const [days, setDays] = useState<(typeof DAYS)[number]['value']>('7');
  // The time in whole minutes: a path that changed at each rendering would be read endlessly.
  const [nowMs] = useState(() => Math.floor(Date.now() / 60_000) * 60_000);
  const from = new Date(nowMs - Number(days) * DAY_MS).toISOString();
  const path = operatorPath(`transfers?above=1000&limit=100&from=${encodeURIComponent(from)}`);
  const { data, error } = useRead<readonly OneSidedTransferBody[]>(path);
  return (
    <Section title="One-sided transfers above $1,000">
      <p class="quiet">
        Each trade between two accounts counts with what its shares are worth now less what they cost. A sum shows no
        intent: a trader who was right gained too.
      </p>
      <div class="filter">
        <Choice label="Trades of the" value={days} options={DAYS} onValue={setDays} />
      </div>
      <Table
        caption="Pairs of accounts with one-sided transfers"
        columns={COLUMNS}
        rows={data}
        keyOf={(pair) => `${pair.from.accountId} ${pair.to.accountId}`}
        empty="No pair of accounts exceeds it."
      />
      <ReadNotice data={data} error={error} />
    </Section>
  );
}

/** An account by its id and its name, which its owner chose freely. */
export function Party({ accountId, displayName }: { readonly accountId: string; readonly displayName: string }) {
  return (
    <>
      {displayName}
      <br />
      <code class="hash">{accountId}</code>
    </>
  );
}
