import type { ListedAccountBody } from '@paper/contracts';
import { useState } from 'preact/hooks';
import { toCallError } from '../../api/call-error.ts';
import { useRead } from '../../api/use-read.ts';
import { Button } from '../../ui/button.tsx';
import { Money, Time } from '../../ui/figures.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/section.tsx';
import { Cell, Table } from '../../ui/table.tsx';
import { operatorCommand, operatorPath } from './operator-calls.ts';
import { Party } from './transfers.tsx';

const AWAITING = operatorPath('accounts?approved=false&limit=50');

const COLUMNS = [
  { name: 'Account' },
  { name: 'Opened' },
  { name: 'Starting balance', isFigure: true },
  { name: 'Action' },
] as const;

/** Accounts that await approval. */
export function Accounts() {
  const [path, setPath] = useState<string>(AWAITING);
  const { data, error, next, reload } = useRead<readonly ListedAccountBody[]>(path);
  const [said, setSaid] = useState<{ readonly kind: 'success' | 'error'; readonly text: string } | null>(null);
  const [approving, setApproving] = useState<string | null>(null);
  const approve = async ({ id, displayName }: ListedAccountBody): Promise<void> => {
    setApproving(id);
    setSaid(null);
    try {
      await operatorCommand('POST', `accounts/${encodeURIComponent(id)}/approve`);
      setSaid({ kind: 'success', text: `${displayName} may trade now.` });
      reload();
    } catch (failed) {
      setSaid({ kind: 'error', text: toCallError(failed).message });
    }
    setApproving(null);
  };
  return (
    <Section title="Accounts that await approval">
      {error !== null && <Notice kind="error">{error.message}</Notice>}
      {said !== null && <Notice kind={said.kind}>{said.text}</Notice>}
      {data?.length === 0 && <p>No account awaits approval.</p>}
      {data !== null && data.length > 0 && (
        <Table caption="Accounts to approve" columns={COLUMNS}>
          {data.map((account) => (
            <tr key={account.id}>
              <Cell>
                <Party accountId={account.id} displayName={account.displayName} />
              </Cell>
              <Cell>
                <Time at={account.createdAt} />
              </Cell>
              <Cell isFigure>
                <Money amount={account.startingBalance} />
              </Cell>
              <Cell>
                <Button
                  label={`Approve ${account.displayName}`}
                  isBusy={approving === account.id}
                  onClick={() => void approve(account)}
                >
                  Approve
                </Button>
              </Cell>
            </tr>
          ))}
        </Table>
      )}
      <div class="actions">
        {path !== AWAITING && <Button onClick={() => setPath(AWAITING)}>Newest</Button>}
        {next !== null && <Button onClick={() => setPath(next)}>Older</Button>}
      </div>
    </Section>
  );
}
