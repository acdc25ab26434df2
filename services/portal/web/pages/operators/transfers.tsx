import type { OneSidedTransferBody } from '@paper/contracts';
import { useState } from 'preact/hooks';
import { useRead } from '../../data/api/use-read.ts';
import { Choice } from '../../ui/field.tsx';
import { Money, Time } from '../../ui/figures.tsx';
import { countText } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/section.tsx';
import { Cell, Table } from '../../ui/table.tsx';
import { operatorPath } from './operator-calls.ts';

const COLUMNS = [
  { name: 'From' },
  { name: 'To' },
  { name: 'Moved', isFigure: true },
  { name: 'Trades', isFigure: true },
  { name: 'Shares', isFigure: true },
  { name: 'Last trade' },
] as const;

const DAY_MS = 86_400_000;
const DAYS = [
  { value: '1', text: 'Last day' },
  { value: '7', text: 'Last 7 days' },
  { value: '30', text: 'Last 30 days' },
] as const;

/** Pairs of accounts whose trades with each other moved more than $1,000 one way. */
export function Transfers() {
  const [days, setDays] = useState<(typeof DAYS)[number]['value']>('7');
  // Whole minutes: a path that changed with each rendering would be read without end.
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
      {error !== null && <Notice kind="error">{error.message}</Notice>}
      {data?.length === 0 && <p>No pair of accounts exceeds it.</p>}
      {data !== null && data.length > 0 && (
        <Table caption="Pairs of accounts with one-sided transfers" columns={COLUMNS}>
          {data.map(({ from: loser, to, amount, trades, shares, lastTradeAt }) => (
            <tr key={`${loser.accountId} ${to.accountId}`}>
              <Cell>
                <Party {...loser} />
              </Cell>
              <Cell>
                <Party {...to} />
              </Cell>
              <Cell isFigure>
                <Money amount={amount} />
              </Cell>
              <Cell isFigure>{countText(trades)}</Cell>
              <Cell isFigure>{countText(shares)}</Cell>
              <Cell>
                <Time at={lastTradeAt} />
              </Cell>
            </tr>
          ))}
        </Table>
      )}
    </Section>
  );
}

/** An account by its name, which anyone may choose, and by its id. */
export function Party({ accountId, displayName }: { readonly accountId: string; readonly displayName: string }) {
  return (
    <>
      {displayName}
      <br />
      <code class="hash">{accountId}</code>
    </>
  );
}
