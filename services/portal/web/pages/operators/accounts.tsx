import type { ListedAccountBody } from '@paper/contracts/operator';
import { useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/field.tsx';
import { Money, Time } from '../../ui/figures.tsx';
import { Section } from '../../ui/section.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table.tsx';
import { ACCOUNT_COMMANDS } from './account-commands.tsx';
import { operatorCommand, operatorPath } from './operator-calls.ts';
import { Party } from './transfers.tsx';
import { useOperatorList } from './use-operator-list.tsx';

const SHOWN = [
  { value: 'awaiting', text: 'Await approval' },
  { value: 'all', text: 'All' },
] as const;
type Shown = (typeof SHOWN)[number]['value'];

const READS: Readonly<Record<Shown, `/portal/${string}`>> = {
  awaiting: operatorPath('accounts?approved=false&limit=50'),
  all: operatorPath('accounts?limit=50'),
};

type Action = keyof typeof ACCOUNT_COMMANDS | 'approve';
const WORDS: Readonly<Record<Action, string>> = { approve: 'Approve', close: 'Close', forget: 'Forget names' };

/** Primary accounts: those that await approval, or all; with buttons to approve, to close, and to delete names. */
export function Accounts() {
  const [shown, setShown] = useState<Shown>('awaiting');
  const list = useOperatorList<ListedAccountBody>(READS[shown]);
  const act = (action: Action, account: ListedAccountBody): void => {
    const { id, displayName } = account;
    if (action !== 'approve') {
      list.ask(ACCOUNT_COMMANDS[action](account));
      return;
    }
    list.run(account, async () => {
      await operatorCommand('POST', `accounts/${encodeURIComponent(id)}/approve`);
      return `${displayName} may trade now.`;
    });
  };
  return (
    <Section title="Accounts">
      <div class="filter">
        <Choice label="Accounts to show" value={shown} options={SHOWN} onValue={setShown} />
      </div>
      <Table
        caption={shown === 'awaiting' ? 'Accounts to approve' : 'All accounts'}
        columns={columnsOf(list.busy, act)}
        rows={list.data}
        keyOf={({ id }) => id}
        empty={shown === 'awaiting' ? 'No account awaits approval.' : 'There is no account.'}
      />
      {list.rest}
    </Section>
  );
}

function columnsOf(
  approving: string | null,
  onAction: (action: Action, account: ListedAccountBody) => void,
): readonly Column<ListedAccountBody>[] {
  return [
    { name: 'Account', cell: ({ id, displayName }) => <Party accountId={id} displayName={displayName} /> },
    { name: 'Opened', cell: ({ createdAt }) => <Time at={createdAt} /> },
    { name: 'Starting balance', isFigure: true, cell: ({ startingBalance }) => <Money amount={startingBalance} /> },
    { name: 'State', cell: stateOf },
    {
      name: 'Actions',
      cell: (account) => (
        <div class="actions">
          {actionsOf(account).map((action) => (
            <Button
              key={action}
              kind={action === 'approve' ? 'plain' : 'danger'}
              label={`${WORDS[action]}${action === 'forget' ? ' of' : ''} ${account.displayName}`}
              isBusy={action === 'approve' && approving === account.id}
              onClick={() => onAction(action, account)}
            >
              {WORDS[action]}
            </Button>
          ))}
        </div>
      ),
    },
  ];
}

function stateOf({ approved, closed }: ListedAccountBody): string {
  if (closed) return 'closed';
  return approved ? 'open' : 'awaits approval';
}

/** A closed account without names has none. */
function actionsOf({ id, displayName, approved, closed }: ListedAccountBody): readonly Action[] {
  if (closed) return displayName === `Trader ${id.slice(-6)}` ? [] : ['forget'];
  return approved ? ['close'] : ['approve', 'close'];
}
